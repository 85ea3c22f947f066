import { type ConnectionHooks, googleChannels, path, watchGoogle } from "../../provider-kit/index.ts";
import { PRIMARY } from "./records.ts";

/** https://developers.google.com/workspace/calendar/api/guides/push */
const GONE = ["exists", "not_exists"];

/** A hook watches one calendar, or the list of calendars. */
export const hooks: ConnectionHooks = {
  ...googleChannels,
  lists: {
    "calendar.listCalendars": { deletes: GONE },
    "calendar.listEvents": { deletes: GONE, target: ({ calendar_id = PRIMARY }) => calendar_id },
  },
  create: (hook) =>
    watchGoogle(
      hook,
      hook.target === "" ? "/users/me/calendarList/watch" : path`/calendars/${hook.target}/events/watch`,
    ),
};
