import { graphSubscriptions } from "../../../emulator-kit/index.ts";
import type { State } from "./data.ts";

export const { hooks, routes: hookRoutes } = graphSubscriptions<State>({
  resource: /^me\/events$/,
  changeTypes: ["created", "updated", "deleted"],
  maxMinutes: 10_080,
  type: "#Microsoft.Graph.Event",
  covers: (_, list) => list === "calendar.listEvents",
});
