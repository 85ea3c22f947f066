import { type Calendar, type CalendarEvent, calendar } from "../../categories/calendar.ts";
import type { Upstream } from "../../contracts/upstream.ts";
import { implement, keepIf, list, one } from "../../provider-kit/implement.ts";
import { type GraphPage, nextPage, pageQuery } from "../../provider-kit/microsoft-graph.ts";
import { get, path, post } from "../../provider-kit/request.ts";
import { htmlToMarkdown } from "../../provider-kit/text/from-html.ts";
import { plainToMarkdown } from "../../provider-kit/text/plain.ts";
import { firstTime, isoTime } from "../../provider-kit/time.ts";
import { ianaTimeZone } from "../../provider-kit/windows-time-zones.ts";

import { newEvent } from "./new-event.ts";

// Only the fields that are read; a missing one counts as null.
export interface GraphCalendar {
  id: string;
  name?: string | null;
  isDefaultCalendar?: boolean | null;
}
interface Recipient {
  emailAddress?: { name?: string | null; address?: string | null } | null;
}
interface Attendee extends Recipient {
  status?: { response?: string | null } | null;
}
/** Without an offset: `2026-03-29T09:00:00.0000000`. */
interface Moment {
  dateTime?: string;
}
export interface GraphEvent {
  id: string;
  subject?: string | null;
  body?: { contentType?: string | null; content?: string | null } | null;
  start?: Moment | null;
  end?: Moment | null;
  isAllDay?: boolean | null;
  isCancelled?: boolean | null;
  showAs?: string | null;
  webLink?: string | null;
  location?: { displayName?: string | null } | null;
  originalStartTimeZone?: string | null;
  organizer?: Recipient | null;
  attendees?: Attendee[] | null;
  seriesMasterId?: string | null;
  createdDateTime?: string | null;
  lastModifiedDateTime?: string | null;
}

/** Otherwise the times would be in the time zone of the user's mailbox, with its Windows name. */
const IN_UTC = { prefer: 'outlook.timezone="UTC"' };

const HOUR = 3_600_000;
/** The time zone that is furthest behind UTC. */
const MAX_HOURS_BEHIND = 12;

/** All-day events are at midnight of whatever zone is asked for: https://github.com/microsoftgraph/microsoft-graph-docs/issues/1802 */
const utcTime = (moment: Moment | null | undefined) => firstTime(moment?.dateTime && `${moment.dateTime}Z`);

const person = ({ emailAddress }: Recipient) => ({
  name: emailAddress?.name || null,
  email: emailAddress?.address || null,
});

const RESPONSES: Record<string, CalendarEvent["attendees"][number]["response"]> = {
  accepted: "accepted",
  organizer: "accepted",
  declined: "declined",
  tentativelyAccepted: "tentative",
};

function statusOf({ isCancelled, showAs }: GraphEvent): CalendarEvent["status"] {
  if (isCancelled) return "cancelled";
  return showAs === "tentative" ? "tentative" : "confirmed";
}

const toCalendar = ({ id, name, isDefaultCalendar }: GraphCalendar): Calendar => ({
  id,
  name: name || id,
  is_primary: isDefaultCalendar === true,
  time_zone: null,
});

function toEvent(event: GraphEvent, calendarId: string): CalendarEvent {
  const { body, organizer } = event;
  const dateLength = event.isAllDay ? "2026-03-29".length : undefined;
  return {
    id: event.id,
    title: event.subject || null,
    description: body?.contentType === "text" ? plainToMarkdown(body.content) : htmlToMarkdown(body?.content),
    start_date: utcTime(event.start).slice(0, dateLength),
    end_date: utcTime(event.end).slice(0, dateLength),
    status: statusOf(event),
    url: event.webLink || null,
    location: event.location?.displayName || null,
    is_all_day: event.isAllDay === true,
    time_zone: ianaTimeZone(event.originalStartTimeZone),
    organizer: organizer?.emailAddress ? person(organizer) : null,
    attendees: (event.attendees ?? []).map((attendee) => ({
      ...person(attendee),
      response: RESPONSES[attendee.status?.response ?? ""] ?? "none",
    })),
    recurring_event_id: event.seriesMasterId || null,
    calendar_id: calendarId,
    created_at: isoTime(event.createdDateTime),
    updated_at: isoTime(event.lastModifiedDateTime),
  };
}

/** The id of a calendar, which an event does not name; without one, that of the user's main calendar. */
const calendarId = async (id: string | undefined, upstream: Upstream): Promise<string> =>
  id ?? (await upstream<GraphCalendar>(get("/me/calendar"))).body.id;

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
    next: nextPage,
    request: (context) => get("/me/calendars", {}, pageQuery(context)),
    record: toCalendar,
  }),
  // Without `$select`, which leaves out when an event was created and changed. Graph returns up to 1,000 events at once,
  // but with their whole texts.
  // https://learn.microsoft.com/en-us/graph/api/calendar-list-calendarview
  listEvents: list({
    maxPageSize: 100,
    places: async ({ input, upstream }) => [{ id: await calendarId(input.calendar_id, upstream) }],
    items: ({ value }: GraphPage<GraphEvent>, { input }) => keepIf(value, (event) => startsIn(event, input)),
    next: nextPage,
    request: (context) =>
      get(
        path`/me/calendars/${context.place.id}/calendarView`,
        { $orderby: "start/dateTime" },
        { ...viewOf(context.input), ...pageQuery(context) },
        { headers: IN_UTC },
      ),
    record: (event, { place }) => toEvent(event, place.id),
  }),
  // https://learn.microsoft.com/en-us/graph/api/calendar-post-events
  createEvent: one({
    load: async ({ input, upstream, writeKey }) => {
      const body = newEvent(input, writeKey);
      const id = await calendarId(input.calendar_id, upstream);
      const created = await upstream<GraphEvent>(post(path`/me/calendars/${id}/events`, body, {}, { headers: IN_UTC }));
      return { event: created.body, calendar: id };
    },
    record: ({ event, calendar: id }) => toEvent(event, id),
  }),
});
