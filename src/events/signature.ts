import { createHmac } from "node:crypto";
import type { LoggedEvent } from "../contracts/events.ts";

/** The body of an event as a receiver gets it: https://github.com/standard-webhooks/standard-webhooks */
export const eventBody = ({ type, created_at, data }: Pick<LoggedEvent, "type" | "created_at" | "data">): string =>
  JSON.stringify({ type, timestamp: created_at, data });

/** The headers that prove where a body comes from, with one signature for each secret. */
export function signedHeaders(
  { id, body, atMs }: { id: string; body: string; atMs: number },
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = Math.floor(atMs / 1000).toString();
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "content-type": "application/json",
    "user-agent": "Plugboard",
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}
