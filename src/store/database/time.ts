/**
 * Times are stored as microseconds since 1970. Only milliseconds are shown; the microseconds keep rows that were created
 * within one millisecond in order.
 */
export function createStamp(): (milliseconds?: number) => number {
  let last = 0;
  let countInMillisecond = 0;
  return (milliseconds = Date.now()) => {
    countInMillisecond = milliseconds === last ? Math.min(countInMillisecond + 1, 999) : 0;
    last = milliseconds;
    return milliseconds * 1000 + countInMillisecond;
  };
}

export const now = (): number => Date.now() * 1000;

export const toIso = (time: number): string => new Date(Math.floor(time / 1000)).toISOString();

export const toIsoOrNull = (time: number | null): string | null => (time === null ? null : toIso(time));

export function fromIso(text: string): number {
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds)) throw new TypeError("Not an ISO 8601 date and time");
  return milliseconds * 1000;
}

/** Null ("none") and undefined ("leave unchanged") are kept. */
export const fromIsoOrNull = <Value extends string | null | undefined>(text: Value) =>
  (typeof text === "string" ? fromIso(text) : text) as number | Extract<Value, null | undefined>;
