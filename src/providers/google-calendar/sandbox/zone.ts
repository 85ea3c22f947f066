/** Times of day in a time zone, with its daylight-saving changes. */

const formats = new Map<string, Intl.DateTimeFormat>();

/** An unknown time zone throws a RangeError. */
function offsetMs(time: number, timeZone: string): number {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
  formats.set(timeZone, format);
  const name = format.formatToParts(time).find(({ type }) => type === "timeZoneName")!.value;
  const [, sign, hours, minutes] = /^GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  if (!sign) return 0;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** The time at which a clock in the time zone shows `2026-03-29T09:30:00`. */
export function fromLocal(local: string, timeZone: string): number {
  const asUtc = Date.parse(`${local}Z`);
  const guess = asUtc - offsetMs(asUtc, timeZone);
  return asUtc - offsetMs(guess, timeZone);
}

/** `2026-03-29T09:30:00+02:00` */
export function toLocal(time: number, timeZone: string): string {
  const offset = offsetMs(time, timeZone);
  const local = new Date(time + offset).toISOString().slice(0, 19);
  if (offset === 0) return `${local}Z`;
  const shown = new Date(Math.abs(offset)).toISOString().slice(11, 16);
  return `${local}${offset < 0 ? "-" : "+"}${shown}`;
}
