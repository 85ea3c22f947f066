import {
  type Calendar,
  type CalendarEvent,
  firstTime,
  get,
  htmlToMarkdown,
  ianaTimeZone,
  isoTime,
  orNull,
  plainToMarkdown,
  type Upstream,
} from "../../provider-kit/index.ts";

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
export const IN_UTC = { prefer: 'outlook.timezone="UTC"' };

/** All-day events are at midnight of whatever zone is asked for: https://github.com/microsoftgraph/microsoft-graph-docs/issues/1802 */
export const utcTime = (moment: Moment | null | undefined) => firstTime(moment?.dateTime && `${moment.dateTime}Z`);

const person = ({ emailAddress }: Recipient) => ({
  name: orNull(emailAddress?.name),
  email: orNull(emailAddress?.address),
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

export const toCalendar = ({ id, name, isDefaultCalendar }: GraphCalendar): Calendar => ({
  id,
  name: name || id,
  is_primary: isDefaultCalendar === true,
  time_zone: null,
});

export function toEvent(event: GraphEvent, calendarId: string): CalendarEvent {
  const { body, organizer } = event;
  const dateLength = event.isAllDay ? "2026-03-29".length : undefined;
  return {
    id: event.id,
    title: orNull(event.subject),
    description: body?.contentType === "text" ? plainToMarkdown(body.content) : htmlToMarkdown(body?.content),
    start_date: utcTime(event.start).slice(0, dateLength),
    end_date: utcTime(event.end).slice(0, dateLength),
    status: statusOf(event),
    url: orNull(event.webLink),
    location: orNull(event.location?.displayName),
    is_all_day: event.isAllDay === true,
    time_zone: ianaTimeZone(event.originalStartTimeZone),
    organizer: organizer?.emailAddress ? person(organizer) : null,
    attendees: (event.attendees ?? []).map((attendee) => ({
      ...person(attendee),
      response: RESPONSES[attendee.status?.response ?? ""] ?? "none",
    })),
    recurring_event_id: orNull(event.seriesMasterId),
    calendar_id: calendarId,
    created_at: isoTime(event.createdDateTime),
    updated_at: isoTime(event.lastModifiedDateTime),
  };
}

/** The id of a calendar, which an event does not name; without one, that of the user's main calendar. */
export const calendarId = async (id: string | undefined, upstream: Upstream): Promise<string> =>
  id ?? (await upstream<GraphCalendar>(get("/me/calendar"))).body.id;
