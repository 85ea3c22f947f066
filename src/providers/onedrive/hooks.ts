import { type ConnectionHooks, graphSubscriptions } from "../../provider-kit/index.ts";

/** Everything below the root, and nothing else, can be watched in all kinds of drives: what has changed is not said. */
export const hooks: ConnectionHooks = {
  ...graphSubscriptions({
    resource: () => "me/drive/root",
    changeType: "updated",
    // Up to 42,300 are allowed, but a renewal also shows whether the subscription still exists.
    lifetimeMinutes: 4_320,
  }),
  lists: {
    "drive.listFiles": {
      deletes: ["updated"],
      // What is in somebody else's drive has an ID with two parts.
      target: ({ folder_id = "" }) => (folder_id.includes(":") ? undefined : ""),
    },
  },
};
