/** ISO 8601 in UTC with a `Z`, from whatever a provider sends; null where it sends nothing that is a time. */
export function isoTime(value: string | number | Date | null | undefined): string | null {
  if (value === null || value === undefined || value === "") return null;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** Likewise from seconds since 1970, which some providers send as text with a fraction. */
export const isoSeconds = (seconds: string | number | null | undefined): string | null =>
  seconds === null || seconds === undefined || seconds === "" ? null : isoTime(Number(seconds) * 1000);

const EPOCH = "1970-01-01T00:00:00.000Z";

/** The first of several times that is there, for fields which a record must have and a provider may lack. */
export function firstTime(...values: (string | number | Date | null | undefined)[]): string {
  for (const value of values) {
    const time = isoTime(value);
    if (time) return time;
  }
  return EPOCH;
}
