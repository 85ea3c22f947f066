import { invalidInput } from "../contracts/fault.ts";
import { isDay } from "../contracts/time.ts";

interface GivenTimes {
  start_date: string;
  end_date: string;
  is_all_day?: boolean;
  time_zone?: string;
}

/** Days as `2026-03-29` if the event lasts all day, otherwise ISO 8601 in UTC. */
export interface EventTimes {
  isAllDay: boolean;
  start: string;
  end: string;
}

type Field = "start_date" | "end_date" | "time_zone";
const invalid = (field: Field, message: string) => invalidInput({ path: ["body", field], message });

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const WITH_OFFSET = /(?:Z|[+-]\d{2}:?\d{2})$/i;

function readDay(field: Field, value: string): string {
  if (isDay(value)) return value;
  throw invalid(field, "must be a day as `2026-03-29`, because the event lasts all day");
}

function readTime(field: Field, value: string): string {
  const [day = "", clock = ""] = value.split("T");
  const time = isDay(day) && WITH_OFFSET.test(clock) ? new Date(value) : undefined;
  if (time && !Number.isNaN(time.getTime())) return time.toISOString();
  throw invalid(
    field,
    "must be a time with an offset, as in `2026-03-29T09:00:00+02:00`, or a day like the other date",
  );
}

/** When a new event takes place. Two days mean that it lasts all day, even if `is_all_day` is left out. */
export function eventTimes(given: GivenTimes): EventTimes {
  const { start_date, end_date, time_zone } = given;
  const isAllDay = given.is_all_day ?? (DAY.test(start_date) && DAY.test(end_date));
  const read = isAllDay ? readDay : readTime;
  const [start, end] = [read("start_date", start_date), read("end_date", end_date)];
  if (isAllDay ? end <= start : end < start)
    throw invalid("end_date", isAllDay ? "must be the day after the last one" : "must not be before `start_date`");
  if (time_zone !== undefined) formatIn(time_zone);
  return { isAllDay, start, end };
}

const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 500;

function formatIn(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  try {
    const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
    // Names are case-insensitive, so a client can send any number of them.
    if (formats.size < MAX_FORMATS) formats.set(zone, format);
    return format;
  } catch {
    throw invalid("time_zone", "must be the IANA name of a time zone, as in `Europe/Berlin`");
  }
}

/** What clocks show in a time zone: `2026-03-29T09:00:00`. */
export const localTime = (time: string | number, zone: string): string =>
  formatIn(zone).format(new Date(time)).replace(" ", "T");

const DAY_MS = 86_400_000;

/** How far clocks in a time zone are ahead of UTC at a time. */
const offsetAt = (milliseconds: number, zone: string): number =>
  Date.parse(`${localTime(milliseconds, zone)}Z`) - Math.floor(milliseconds / 1000) * 1000;

/** Whether clocks show a time twice, because they are put back: by an hour, on Lord Howe Island by half of one. */
export function isRepeatedHour(time: string, zone: string): boolean {
  const milliseconds = Date.parse(time);
  const offset = offsetAt(milliseconds, zone);
  return [-DAY_MS, DAY_MS].some((distance) => {
    const other = offsetAt(milliseconds + distance, zone);
    return other !== offset && offsetAt(milliseconds + offset - other, zone) === other;
  });
}
