import { type Calendar, calendar } from "../../categories/calendar.ts";
import type { Context } from "../../contracts/provider.ts";
import { eventTimes } from "../../provider-kit/event-time.ts";
import { type GooglePage, isMissingScope, nextPageToken } from "../../provider-kit/google.ts";
import { implement, keepIf, list, one } from "../../provider-kit/implement.ts";
import { get, path, post } from "../../provider-kit/request.ts";
import { markdownToHtml } from "../../provider-kit/text/to-html.ts";
import { secondBefore } from "../../provider-kit/time.ts";
import { type GoogleEvent, startTime, toEvent } from "./event-record.ts";

export interface GoogleCalendar {
  id: string;
  summary?: string;
  /** The user's own name for it. */
  summaryOverride?: string;
  primary?: boolean;
  timeZone?: string;
}
interface EventPage extends GooglePage {
  /** Of the calendar. */
  timeZone?: string;
  items?: GoogleEvent[];
}
interface Window {
  starts_after: string;
  starts_before: string;
}

const PRIMARY = "primary";
const MAX_CALENDARS = 250;
const MAX_EVENTS = 2500;
/** No time zone is further behind UTC. */
const MAX_BEHIND_UTC_MS = 12 * 3_600_000;

const toCalendar = ({ id, summary, summaryOverride, primary, timeZone }: GoogleCalendar): Calendar => ({
  id,
  name: summaryOverride || summary || id,
  is_primary: primary === true,
  time_zone: timeZone || null,
});

/** The full ID of the main calendar, as in the list of calendars; its alias if the scopes do not allow to read it. */
async function primaryId({ upstream }: Pick<Context, "upstream">): Promise<string> {
  try {
    const request = get(path`/users/me/calendarList/${PRIMARY}`, { fields: "id" });
    return (await upstream<{ id: string }>(request)).body.id;
  } catch (error) {
    if (isMissingScope(error)) return PRIMARY;
    throw error;
  }
}

/**
 * Google's window is for the end of an event (exclusive) and its start, in whole seconds, and an event that lasts all
 * day starts at midnight in the calendar's time zone. So more than the window is read, and `isWithin` decides.
 */
const windowQuery = ({ starts_after, starts_before }: Window) => ({
  timeMin: secondBefore(starts_after),
  timeMax: new Date(Date.parse(starts_before) + MAX_BEHIND_UTC_MS + 1000).toISOString(),
});

function isWithin(event: GoogleEvent, { starts_after, starts_before }: Window): boolean {
  const start = startTime(event);
  return start >= Date.parse(starts_after) && start < Date.parse(starts_before);
}

/** In a description, Google shows line ends between elements as well. */
const toHtml = (markdown: string | undefined) => markdownToHtml(markdown)?.replace(/>\n(?=<|$)/g, ">");

/** The calendar that an event was created in is its organizer. */
const calendarOf = ({ organizer }: GoogleEvent, given = PRIMARY) =>
  given === PRIMARY && organizer?.self && organizer.email ? organizer.email : given;

export default implement(calendar, {
  // https://developers.google.com/workspace/calendar/api/v3/reference/calendarList/list
  listCalendars: list({
    maxPageSize: MAX_CALENDARS,
    items: (body: GooglePage & { items?: GoogleCalendar[] }) => body.items ?? [],
    next: nextPageToken,
    request: ({ limit, cursor }) =>
      get("/users/me/calendarList", {}, { maxResults: limit, pageToken: cursor, syncToken: undefined }),
    record: toCalendar,
  }),
  // `updated_since` is not passed on: Google refuses an `updatedMin` that is too long ago, without saying how long.
  // https://developers.google.com/workspace/calendar/api/v3/reference/events/list
  listEvents: list({
    maxPageSize: MAX_EVENTS,
    places: async ({ input, upstream }) => {
      const { calendar_id = PRIMARY } = input;
      return [{ id: calendar_id === PRIMARY ? await primaryId({ upstream }) : calendar_id }];
    },
    items: ({ items = [], timeZone }: EventPage, { input }) =>
      keepIf(items, (event) => isWithin(event, input)).map((event) => ({ event, timeZone })),
    next: nextPageToken,
    request: ({ input, limit, cursor, place }) =>
      get(
        path`/calendars/${place.id}/events`,
        { orderBy: "startTime", showDeleted: true },
        { ...windowQuery(input), singleEvents: true, maxResults: limit, pageToken: cursor, syncToken: undefined },
      ),
    record: ({ event, timeZone }, { place }) => toEvent(event, { id: place.id, timeZone }),
  }),
  // The ID of an event may be chosen, from the digits 0-9 and the letters a-v, so that none is created twice.
  // https://developers.google.com/workspace/calendar/api/v3/reference/events/insert
  createEvent: one({
    request: ({ input, writeKey }) => {
      const { isAllDay, start, end } = eventTimes(input);
      const toTime = (value: string) => (isAllDay ? { date: value } : { dateTime: value, timeZone: input.time_zone });
      const { calendar_id = PRIMARY, title, description, location, attendees } = input;
      const body = {
        id: writeKey,
        summary: title,
        description: toHtml(description),
        location,
        start: toTime(start),
        end: toTime(end),
        attendees: attendees?.map(({ email, name }) => ({ email, displayName: name })),
      };
      // Otherwise the attendees would not learn of the event, and it may be missing in their calendars.
      const query = attendees?.length ? { sendUpdates: "all" } : {};
      return post(path`/calendars/${calendar_id}/events`, body, {}, { query });
    },
    record: (event: GoogleEvent, { input }) => toEvent(event, { id: calendarOf(event, input.calendar_id) }),
  }),
});
