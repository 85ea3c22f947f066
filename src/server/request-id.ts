import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

const COUNTER_DIGITS = 12;
const start = randomUUID().slice(0, -COUNTER_DIGITS);
let count = 0;

/** The client's own id if it is well-formed, so that its logs and ours can be matched; otherwise a new one. */
export function requestId({ headers }: Pick<IncomingMessage, "headers">): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && /^[\w.:/+=-]{1,128}$/.test(given) ? given : newRequestId();
}

/** It looks like a UUID: the beginning is random for each process, and the end counts, which takes a tenth of the time. */
export const newRequestId = (): string => start + (++count).toString(16).padStart(COUNTER_DIGITS, "0");
