import { graphSubscriptions } from "../../../emulator-kit/index.ts";
import type { State } from "./data.ts";

export const { hooks, routes: hookRoutes } = graphSubscriptions<State>({
  resource: /^teams\/([^/]+)\/channels\/([^/]+)\/messages$/,
  changeTypes: ["created", "updated", "deleted"],
  // A longer life needs `lifecycleNotificationUrl`.
  maxMinutes: 60,
  type: "#Microsoft.Graph.chatMessage",
  covers: (ids, list, { channel_id }) => list === "chat.listMessages" && channel_id === ids.join("~"),
});
