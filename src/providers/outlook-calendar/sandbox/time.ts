import { localTime } from "../../../provider-kit/index.ts";

/** How far a zone is ahead of UTC at a time, in milliseconds. */
const offsetAt = (time: number, zone: string): number => Date.parse(`${localTime(time, zone)}Z`) - time;

/** When it is a local time, `2026-03-29T09:00:00`, in a zone. */
export function fromLocal(local: string, zone: string): number {
  const time = Date.parse(`${local}Z`);
  return time - offsetAt(time - offsetAt(time, zone), zone);
}
