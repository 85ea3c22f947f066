import type { EmulatedReply } from "../../../contracts/emulator.ts";
import { isReply } from "../../../emulator-kit/emulator.ts";
import { failureWithReason } from "../../../emulator-kit/google.ts";
import { commonFields, type EventTime, newId, type StoredEvent } from "./data.ts";
import { fromLocal, toLocal } from "./zone.ts";

const ID = /^[0-9a-v]{5,1024}$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const OFFSET = /(?:Z|[+-]\d\d:\d\d)$/;

interface NewEvent {
  id?: string;
  start?: EventTime;
  end?: EventTime;
  attendees?: { email?: string; displayName?: string }[];
  [field: string]: unknown;
}

const refuse = (reason: string, message: string) => failureWithReason(400, { domain: "calendar", reason, message });

/** One of the times, and when it is; a refusal if it is not a time. */
function readTime(
  name: "start" | "end",
  time: EventTime | undefined,
  calendarZone: string,
): { time: EventTime; at: number } | EmulatedReply {
  if (time?.date !== undefined)
    return DAY.test(time.date)
      ? { time: { date: time.date }, at: fromLocal(`${time.date}T00:00:00`, calendarZone) }
      : refuse("invalid", `Invalid ${name} time.`);
  if (time?.dateTime === undefined)
    return failureWithReason(400, { reason: "required", message: `Missing ${name} time.` });
  const { dateTime, timeZone = calendarZone } = time;
  const hasOffset = OFFSET.test(dateTime);
  if (!hasOffset && !time.timeZone) return refuse("required", `Missing time zone definition for ${name} time.`);
  try {
    const at = hasOffset ? Date.parse(dateTime) : fromLocal(dateTime, timeZone);
    return { time: { dateTime: toLocal(at, calendarZone), timeZone }, at };
  } catch {
    return refuse("invalid", `Invalid time zone definition for ${name} time.`);
  }
}

/** The event that Google makes of a client's request, or its refusal. */
export function readNewEvent(
  sent: NewEvent,
  { id: calendar, timeZone }: { id: string; timeZone: string },
): StoredEvent | EmulatedReply {
  const now = new Date();
  const { id = newId(now.getTime()), attendees, start, end, ...fields } = sent;
  if (!ID.test(id)) return failureWithReason(400, { reason: "invalid", message: "Invalid resource id value." });
  const first = readTime("start", start, timeZone);
  if (isReply(first)) return first;
  const last = readTime("end", end, timeZone);
  if (isReply(last)) return last;
  if (last.at < first.at || (first.time.date !== undefined) !== (last.time.date !== undefined))
    return refuse("timeRangeEmpty", "The specified time range is empty.");
  if (attendees?.some(({ email }) => !email?.includes("@"))) return refuse("invalid", "Invalid attendee email.");
  const event = {
    ...commonFields(id, now, calendar),
    ...fields,
    start: first.time,
    end: last.time,
    ...(attendees ? { attendees: attendees.map((guest) => ({ ...guest, responseStatus: "needsAction" })) } : {}),
  };
  return { event, role: "single", start: first.at, end: last.at };
}
