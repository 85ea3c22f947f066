import { googleFailureWithReason, refuse } from "../../../emulator-kit/index.ts";
import { type Calendar, commonFields, type EventTime, newId, type StoredEvent } from "./data.ts";
import { fromLocal, toLocal } from "./zone.ts";

interface NewEvent {
  id?: string;
  start?: EventTime;
  end?: EventTime;
  attendees?: { email?: string; displayName?: string }[];
  [field: string]: unknown;
}

const invalid = (message: string, reason = "invalid") =>
  googleFailureWithReason(400, { domain: "calendar", reason, message });

/** One of the times, and when it is. */
function readTime(name: "start" | "end", time: EventTime = {}, calendarZone: string): { time: EventTime; at: number } {
  const { date, dateTime, timeZone } = time;
  if (date !== undefined && /^\d{4}-\d\d-\d\d$/.test(date))
    return { time: { date }, at: fromLocal(`${date}T00:00:00`, calendarZone) };
  if (dateTime === undefined) return refuse(invalid(`Missing ${name} time.`, "required"));
  const hasOffset = /(?:Z|[+-]\d\d:\d\d)$/.test(dateTime);
  if (!hasOffset && !timeZone) refuse(invalid(`Missing time zone definition for ${name} time.`, "required"));
  try {
    const at = hasOffset ? Date.parse(dateTime) : fromLocal(dateTime, timeZone!);
    return { time: { dateTime: toLocal(at, calendarZone), timeZone: timeZone ?? calendarZone }, at };
  } catch {
    return refuse(invalid(`Invalid ${name} time.`));
  }
}

/** The event that Google makes of a client's request. */
export function readNewEvent(sent: NewEvent, { id: calendar, timeZone }: Calendar): StoredEvent {
  const now = new Date();
  const { id = newId(now.getTime()), attendees, start, end, ...fields } = sent;
  if (!/^[0-9a-v]{5,1024}$/.test(id)) refuse(invalid("Invalid resource id value."));
  const first = readTime("start", start, timeZone);
  const last = readTime("end", end, timeZone);
  if (last.at < first.at || (first.time.date === undefined) !== (last.time.date === undefined))
    refuse(invalid("The specified time range is empty.", "timeRangeEmpty"));
  if (attendees?.some(({ email }) => !email?.includes("@"))) refuse(invalid("Invalid attendee email."));
  const event = {
    ...commonFields(id, now, calendar),
    ...fields,
    start: first.time,
    end: last.time,
    ...(attendees && { attendees: attendees.map((guest) => ({ ...guest, responseStatus: "needsAction" })) }),
  };
  return { event, role: "single", start: first.at, end: last.at };
}
