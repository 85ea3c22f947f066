import type { EmulatedTool } from "../../../emulator-kit/index.ts";
import { path } from "../../../provider-kit/index.ts";

const text = { type: "string" };
const IN_ORDER = { singleEvents: "true", orderBy: "startTime" };
const paging = { pageSize: { type: "integer" }, pageToken: text };

/** The server takes times without an offset as well. */
const withOffset = (time: string | undefined) => (time && !/(?:Z|[+-]\d\d:\d\d)$/.test(time) ? `${time}Z` : time);

// Names and arguments are those of Google's own server:
// https://developers.google.com/workspace/calendar/api/v3/reference/mcp
export const mcp: Record<string, EmulatedTool> = {
  list_calendars: {
    description: "Returns the calendars on the user's calendar list",
    input: {},
    optional: paging,
    request: ({ pageSize, pageToken }) => ({
      path: "/calendar/v3/users/me/calendarList",
      query: { maxResults: pageSize, pageToken },
    }),
  },
  list_events: {
    description: "Lists calendar events in a given calendar",
    input: {},
    optional: { calendarId: text, startTime: text, endTime: text, ...paging },
    request: ({ calendarId = "primary", startTime, endTime, pageSize, pageToken }) => ({
      path: path`/calendar/v3/calendars/${calendarId}/events`,
      query: {
        ...IN_ORDER,
        timeMin: withOffset(startTime),
        timeMax: withOffset(endTime),
        maxResults: pageSize,
        pageToken,
      },
    }),
  },
  get_event: {
    description: "Returns a single event from a given calendar",
    input: { eventId: text },
    optional: { calendarId: text },
    request: ({ eventId, calendarId = "primary" }) => ({
      path: path`/calendar/v3/calendars/${calendarId}/events/${eventId}`,
    }),
  },
};
