/**
 * Times are stored as microseconds since 1970. The outside sees milliseconds; the rest keeps things that were made
 * within one millisecond in the order in which they were made.
 */
export function createStamp(): (milliseconds?: number) => number {
  let last = 0;
  let within = 0;
  return (milliseconds = Date.now()) => {
    within = milliseconds === last ? Math.min(within + 1, 999) : 0;
    last = milliseconds;
    return milliseconds * 1000 + within;
  };
}

export const now = (): number => Date.now() * 1000;

export const toIso = (time: number): string => new Date(Math.floor(time / 1000)).toISOString();

export const toIsoOrNull = (time: number | null): string | null => (time === null ? null : toIso(time));

export function fromIso(text: string): number {
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds)) throw new TypeError("Not a date and time in ISO 8601");
  return milliseconds * 1000;
}

/** Null and undefined stay what they are: "none", and "leave as it is". */
export const fromIsoOrNull = <Value extends string | null | undefined>(text: Value) =>
  (typeof text === "string" ? fromIso(text) : text) as number | Extract<Value, null | undefined>;
