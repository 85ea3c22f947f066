import {
  calendar,
  type GraphPage,
  get,
  graphNextPage,
  graphPageQuery,
  implement,
  list,
  path,
} from "../../provider-kit/index.ts";
import { calendarId, type GraphCalendar, type GraphEvent, IN_UTC, toCalendar, toEvent, utcTime } from "./records.ts";
import { writes } from "./writes.ts";

const HOUR = 3_600_000;
/** The time zone that is furthest behind UTC. */
const MAX_HOURS_BEHIND = 12;

interface Window {
  starts_after: string;
  starts_before: string;
}

/** A calendar view also has the events that started before the window and reach into it. */
function startsIn({ start }: GraphEvent, { starts_after, starts_before }: Window): boolean {
  const time = Date.parse(utcTime(start));
  return time >= Date.parse(starts_after) && time < Date.parse(starts_before);
}

/**
 * An all-day event counts as starting at midnight UTC, but for Graph it starts at midnight of its own zone, up to half a
 * day later: the view has to reach that far.
 */
const viewOf = ({ starts_after, starts_before }: Window) => ({
  startDateTime: new Date(starts_after).toISOString(),
  endDateTime: new Date(Date.parse(starts_before) + MAX_HOURS_BEHIND * HOUR).toISOString(),
});

export default implement(calendar, {
  // https://learn.microsoft.com/en-us/graph/api/user-list-calendars
  listCalendars: list({
    maxPageSize: 100,
    items: ({ value }: GraphPage<GraphCalendar>) => value,
    next: graphNextPage,
    request: (context) => get("/me/calendars", {}, graphPageQuery(context)),
    record: toCalendar,
  }),
  // Without `$select`, which leaves out when an event was created and changed. Graph returns up to 1,000 events at once,
  // but with their whole texts.
  // https://learn.microsoft.com/en-us/graph/api/calendar-list-calendarview
  listEvents: list({
    maxPageSize: 100,
    places: async ({ input, upstream }) => [{ id: await calendarId(input.calendar_id, upstream) }],
    items: ({ value }: GraphPage<GraphEvent>) => value,
    next: graphNextPage,
    keep: (event, { input }) => startsIn(event, input),
    request: (context) =>
      get(
        path`/me/calendars/${context.place.id}/calendarView`,
        { $orderby: "start/dateTime" },
        { ...viewOf(context.input), ...graphPageQuery(context) },
        { headers: IN_UTC },
      ),
    record: (event, { place }) => toEvent(event, place.id),
  }),
  ...writes,
});
