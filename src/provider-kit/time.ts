/** What most providers send already: parsing and formatting it again would cost more than all other fields together. */
const UTC = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?Z$/;

/** ISO 8601 in UTC with a `Z`, from whatever a provider sends; null if it is not a time. */
export function isoTime(value: string | number | Date | null | undefined): string | null {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "string" && UTC.test(value)) return value.length === 24 ? value : `${value.slice(0, 19)}.000Z`;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** The same from seconds since 1970, which some providers send as text with a fraction. */
export const isoSeconds = (seconds: string | number | null | undefined): string | null =>
  seconds === null || seconds === undefined || seconds === "" ? null : isoTime(Number(seconds) * 1000);

/** The day of a time in UTC, for providers that only have a date. */
export const utcDay = (time: string | undefined): string | undefined => isoTime(time)?.slice(0, 10);

const EPOCH = "1970-01-01T00:00:00.000Z";

/** The first valid time, for fields that a record must have and a provider may leave out. */
export function firstTime(...values: (string | number | Date | null | undefined)[]): string {
  for (const value of values) {
    const time = isoTime(value);
    if (time) return time;
  }
  return EPOCH;
}

/** One second earlier, for providers that return what was updated after a time, but not what was updated at it. */
export const secondBefore = (time: string | undefined): string | undefined =>
  time && new Date(Date.parse(time) - 1000).toISOString().replace(/\.\d+Z$/, "Z");
