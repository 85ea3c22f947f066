import {
  type Context,
  calendar,
  type GooglePage,
  get,
  googleNextPage,
  implement,
  isMissingGoogleScope,
  list,
  path,
  secondBefore,
} from "../../provider-kit/index.ts";
import { customFields } from "./custom-fields.ts";
import { type GoogleCalendar, type GoogleEvent, PRIMARY, startTime, toCalendar, toEvent } from "./records.ts";
import { writes } from "./writes.ts";

interface EventPage extends GooglePage {
  /** Of the calendar. */
  timeZone?: string;
  items?: GoogleEvent[];
}
interface Window {
  starts_after: string;
  starts_before: string;
}

const MAX_CALENDARS = 250;
const MAX_EVENTS = 2500;
/** No time zone is further behind UTC. */
const MAX_BEHIND_UTC_MS = 12 * 3_600_000;

/** The full ID of the main calendar, as in the list of calendars; its alias if the scopes do not allow to read it. */
async function primaryId({ upstream }: Pick<Context, "upstream">): Promise<string> {
  try {
    const request = get(path`/users/me/calendarList/${PRIMARY}`, { fields: "id" });
    return (await upstream<{ id: string }>(request)).body.id;
  } catch (error) {
    if (isMissingGoogleScope(error)) return PRIMARY;
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

export default implement(
  calendar,
  {
    // https://developers.google.com/workspace/calendar/api/v3/reference/calendarList/list
    listCalendars: list({
      maxPageSize: MAX_CALENDARS,
      items: (body: GooglePage & { items?: GoogleCalendar[] }) => body.items ?? [],
      next: googleNextPage,
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
      items: ({ items = [], timeZone }: EventPage) => items.map((event) => ({ event, timeZone })),
      next: googleNextPage,
      keep: ({ event }, { input }) => isWithin(event, input),
      request: ({ input, limit, cursor, place }) =>
        get(
          path`/calendars/${place.id}/events`,
          { orderBy: "startTime", showDeleted: true },
          { ...windowQuery(input), singleEvents: true, maxResults: limit, pageToken: cursor, syncToken: undefined },
        ),
      record: ({ event, timeZone }, { place }) => toEvent(event, { id: place.id, timeZone }),
      original: ({ event }) => event,
    }),
    ...writes,
  },
  { event: customFields },
);
