import { graphSubscriptions } from "../../../emulator-kit/index.ts";
import type { State } from "./data.ts";

export const { hooks, routes: hookRoutes } = graphSubscriptions<State>({
  resource: /^me\/drive\/root$/,
  changeTypes: ["updated"],
  maxMinutes: 42_300,
  type: "#Microsoft.Graph.DriveItem",
  covers: (_, list) => list === "drive.listFiles",
});
