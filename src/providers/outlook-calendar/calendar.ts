import {
  calendar,
  type GraphPage,
  get,
  graphNextPage,
  graphPageQuery,
  implement,
  list,
  type Place,
  path,
} from "../../provider-kit/index.ts";
import { calendarId, type GraphCalendar, type GraphEvent, IN_UTC, toCalendar, toEvent, utcTime } from "./records.ts";
import { writes } from "./writes.ts";

const HOUR = 3_600_000;
/** The time zone that is furthest behind UTC. */
const MAX_HOURS_BEHIND = 12;
/** A little less than the 1,825 days of https://github.com/microsoftgraph/microsoft-graph-docs/issues/6284 */
const MAX_VIEW = 1_800 * 24 * HOUR;

/** A part of the window that is asked for, in one calendar. */
interface View extends Place {
  calendar: string;
  from: number;
  to: number;
}

function viewsOf(calendar: string, window: { starts_after: string; starts_before: string }): View[] {
  const [start, end] = [Date.parse(window.starts_after), Date.parse(window.starts_before)];
  return Array.from({ length: Math.max(1, Math.ceil((end - start) / MAX_VIEW)) }, (_, index) => {
    const from = start + index * MAX_VIEW;
    return { id: String(index), calendar, from, to: Math.min(from + MAX_VIEW, end) };
  });
}

/** A calendar view also has the events that started before it and reach into it. */
function startsIn({ start }: GraphEvent, { from, to }: View): boolean {
  const time = Date.parse(utcTime(start));
  return time >= from && time < to;
}

/**
 * An all-day event counts as starting at midnight UTC, but for Graph it starts at midnight of its own zone, up to half a
 * day later: the view has to reach that far.
 */
const rangeOf = ({ from, to }: View) => ({
  startDateTime: new Date(from).toISOString(),
  endDateTime: new Date(to + MAX_HOURS_BEHIND * HOUR).toISOString(),
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
    places: async ({ input, upstream }) => viewsOf(await calendarId(input.calendar_id, upstream), input),
    items: ({ value }: GraphPage<GraphEvent>) => value,
    next: graphNextPage,
    keep: (event, { place }) => startsIn(event, place),
    request: (context) =>
      get(
        path`/me/calendars/${context.place.calendar}/calendarView`,
        { $orderby: "start/dateTime" },
        { ...rangeOf(context.place), ...graphPageQuery(context) },
        { headers: IN_UTC },
      ),
    record: (event, { place }) => toEvent(event, place.calendar),
  }),
  ...writes,
});
