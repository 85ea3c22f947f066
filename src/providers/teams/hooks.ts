import { type ConnectionHooks, graphSubscriptions } from "../../provider-kit/index.ts";

/** Messages of one channel. Users cannot be watched with our scopes, and channels only team by team. */
export const hooks: ConnectionHooks = {
  ...graphSubscriptions({
    resource(id) {
      const [team, channel] = id.split("~");
      return `teams/${team}/channels/${channel}/messages`;
    },
    changeType: "created,updated,deleted",
    // Graph stops sending when the token expires that the subscription was made or renewed with. A longer life would
    // need an address for warnings: https://learn.microsoft.com/en-us/graph/api/resources/subscription
    lifetimeMinutes: 59,
  }),
  needs:
    "It needs the permission ChannelMessage.Read.All, and an application can watch a channel only once: a connection of somebody else may do so already.",
  lists: { "chat.listMessages": { deletes: ["deleted"], target: ({ channel_id }) => channel_id } },
};
