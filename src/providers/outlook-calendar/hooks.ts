import { type ConnectionHooks, graphSubscriptions } from "../../provider-kit/index.ts";

/** The events of all calendars are watched together; the list of calendars cannot be watched. */
export const hooks: ConnectionHooks = {
  ...graphSubscriptions({
    resource: () => "me/events",
    changeType: "created,updated,deleted",
    // Up to 10,080 are allowed, but a renewal also shows whether the subscription still exists.
    lifetimeMinutes: 4_320,
  }),
  lists: { "calendar.listEvents": { deletes: ["deleted"] } },
};
