/** Times of day in a time zone, with its daylight-saving changes. */
import { localTime } from "../../../provider-kit/index.ts";

/** An unknown time zone throws. */
const offsetAt = (time: number, timeZone: string): number => Date.parse(`${localTime(time, timeZone)}Z`) - time;

/** The time at which a clock in the time zone shows `2026-03-29T09:30:00`. */
export function fromLocal(local: string, timeZone: string): number {
  const asUtc = Date.parse(`${local}Z`);
  return asUtc - offsetAt(asUtc - offsetAt(asUtc, timeZone), timeZone);
}

/** `2026-03-29T09:30:00+02:00` */
export function toLocal(time: number, timeZone: string): string {
  const offset = offsetAt(time, timeZone);
  const shown = new Date(Math.abs(offset)).toISOString().slice(11, 16);
  return localTime(time, timeZone) + (offset === 0 ? "Z" : `${offset < 0 ? "-" : "+"}${shown}`);
}
