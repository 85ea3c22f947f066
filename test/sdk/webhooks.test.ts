// The SDK's check of webhooks, with the official library of the specification as the sender. What else it accepts and
// refuses is in cases.test.ts.
import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { verifyWebhook } from "../../sdk/src/index.ts";

const secret = `whsec_${randomBytes(24).toString("base64")}`;
const event = { type: "tasks.task.created", timestamp: "2026-01-01T00:00:00.000Z", data: { title: "Grüße 🎉" } };
const body = JSON.stringify(event);

function headersOf(at = new Date()): Record<string, string> {
  return {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign("evt_1", at, body),
  };
}

it("a webhook that the official library signed is accepted, from text and from bytes, in any form of headers", async () => {
  expect(await verifyWebhook(body, headersOf(), secret)).toEqual(event);
  expect(await verifyWebhook(new TextEncoder().encode(body), headersOf(), secret)).toEqual(event);
  expect(await verifyWebhook(Buffer.from(body), new Headers(headersOf()), secret)).toEqual(event);
  const upper = Object.fromEntries(Object.entries(headersOf()).map(([name, value]) => [name.toUpperCase(), value]));
  expect(await verifyWebhook(body, upper, secret)).toEqual(event);
  expect(await verifyWebhook(body, headersOf(), secret.replace("whsec_", ""))).toEqual(event);
});
