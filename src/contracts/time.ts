const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether it is a day that exists, such as `2026-03-29`. JavaScript reads others as days of the next month. */
export function isDay(text: string): boolean {
  const time = DAY.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const TIME = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)([Zz]|[+-]\d\d:\d\d)?)?$/;

/** As ISO 8601 in UTC. A time without an offset counts as UTC. Undefined if it is none, or does not exist. */
export function parseTime(text: string): string | undefined {
  const [, date = "", time = "00:00:00", offset = "Z"] = TIME.exec(text) ?? [];
  const read = isDay(date) ? Date.parse(`${date}T${time}${offset}`) : Number.NaN;
  return Number.isNaN(read) ? undefined : new Date(read).toISOString();
}
