import {
  type Calendar,
  type CalendarEvent,
  htmlToMarkdown,
  isoTime,
  orNull,
  plainToMarkdown,
} from "../../provider-kit/index.ts";

// Only the fields that are read here. Google leaves empty fields out of a response.
interface GoogleTime {
  /** The day, if the event lasts all day. */
  date?: string;
  dateTime?: string;
  timeZone?: string;
}
interface GoogleGuest {
  displayName?: string;
  email?: string;
  responseStatus?: string;
  /** Whether it is the calendar that the event is in. */
  self?: boolean;
}
/** A cancelled instance may have nothing but its id, series and original start. */
export interface GoogleEvent {
  id: string;
  status?: string;
  summary?: string;
  description?: string;
  location?: string;
  htmlLink?: string;
  start?: GoogleTime;
  end?: GoogleTime;
  originalStartTime?: GoogleTime;
  organizer?: GoogleGuest;
  attendees?: GoogleGuest[];
  recurringEventId?: string;
  created?: string;
  updated?: string;
}

export interface GoogleCalendar {
  id: string;
  summary?: string;
  /** The user's own name for it. */
  summaryOverride?: string;
  primary?: boolean;
  timeZone?: string;
}

/** What an event's record takes from its calendar. */
interface EventCalendar {
  id: string;
  timeZone?: string | undefined;
}

export const PRIMARY = "primary";
const DAY_MS = 86_400_000;
const MARKUP =
  /<\/?(?:a|b|blockquote|br|code|div|em|font|h[1-6]|hr|html-blob|i|li|ol|p|pre|span|strong|table|tbody|td|th|tr|u|ul)\b[^<>]*>|&(?:amp|gt|lt|nbsp|quot|#\d+);/i;

const startOf = ({ start, originalStartTime }: GoogleEvent) => start ?? originalStartTime;

/** In milliseconds. An event that lasts all day starts at midnight UTC. NaN if nothing is known about it. */
export const startTime = (event: GoogleEvent): number => {
  const start = startOf(event);
  return Date.parse(start?.dateTime ?? start?.date ?? "");
};

const dayAfter = (day: string) => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);

const statuses: Record<string, CalendarEvent["status"]> = { tentative: "tentative", cancelled: "cancelled" };
const responses: Record<string, CalendarEvent["attendees"][number]["response"]> = {
  accepted: "accepted",
  declined: "declined",
  tentative: "tentative",
};

/** What was typed into the calendar is HTML, and what other programs sent may be plain text. Line ends count in both. */
const toDescription = (text: string | undefined) =>
  text !== undefined && MARKUP.test(text) ? htmlToMarkdown(text, { keepsLineEnds: true }) : plainToMarkdown(text);

/** Imported events may have been created in the year 0. */
const createdAt = (time: string | undefined) => (time?.startsWith("0000-") ? null : isoTime(time));

const nameAndEmail = ({ displayName, email }: GoogleGuest) => ({ name: orNull(displayName), email: orNull(email) });

export const toCalendar = ({ id, summary, summaryOverride, primary, timeZone }: GoogleCalendar): Calendar => ({
  id,
  name: summaryOverride || summary || id,
  is_primary: primary === true,
  time_zone: orNull(timeZone),
});

/** Only for events whose start is known. */
export function toEvent(event: GoogleEvent, calendar: EventCalendar): CalendarEvent {
  const start = startOf(event)!;
  const isAllDay = start.date !== undefined;
  const startDate = start.date ?? isoTime(start.dateTime)!;
  const end = isAllDay ? (event.end?.date ?? dayAfter(startDate)) : (isoTime(event.end?.dateTime) ?? startDate);
  return {
    id: event.id,
    title: orNull(event.summary),
    description: toDescription(event.description),
    start_date: startDate,
    end_date: end,
    status: statuses[event.status ?? ""] ?? "confirmed",
    url: orNull(event.htmlLink),
    location: orNull(event.location),
    is_all_day: isAllDay,
    time_zone: isAllDay ? null : orNull(start.timeZone, calendar.timeZone),
    organizer: event.organizer ? nameAndEmail(event.organizer) : null,
    attendees: (event.attendees ?? []).map((guest) => ({
      ...nameAndEmail(guest),
      response: responses[guest.responseStatus ?? ""] ?? "none",
    })),
    recurring_event_id: event.recurringEventId ?? null,
    calendar_id: calendar.id,
    created_at: createdAt(event.created),
    updated_at: isoTime(event.updated),
  };
}
