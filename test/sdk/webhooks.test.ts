// The SDK's check of webhooks, with the official library of the specification as the sender.
import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { verifyWebhook, WebhookVerificationError } from "../../sdk/src/index.ts";

const newSecret = () => `whsec_${randomBytes(24).toString("base64")}`;
const secret = newSecret();
const event = { type: "tasks.task.created", timestamp: "2026-01-01T00:00:00.000Z", data: { title: "Grüße 🎉" } };
const body = JSON.stringify(event);
const MINUTE = 60_000;

function headersOf(by = secret, at = new Date(), sent = body): Record<string, string> {
  return {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(by).sign("evt_1", at, sent),
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

it("one valid signature among several is enough, as while a secret is rotated", async () => {
  const headers = headersOf();
  const other = headersOf(newSecret())["webhook-signature"];
  for (const signatures of [
    `${other} ${headers["webhook-signature"]}`,
    `v1a,AAAA v1,? ${headers["webhook-signature"]}`,
  ])
    expect(await verifyWebhook(body, { ...headers, "webhook-signature": signatures }, secret)).toEqual(event);
});

it("a webhook is refused if its body, id, time, signature or secret is another", async () => {
  const headers = headersOf();
  const later = String(Number(headers["webhook-timestamp"]) + 1);
  const refused = [
    [`${body} `, headers, secret],
    [body, { ...headers, "webhook-id": "evt_2" }, secret],
    [body, { ...headers, "webhook-timestamp": later }, secret],
    [body, { ...headers, "webhook-signature": headers["webhook-signature"]!.replace("v1,", "v2,") }, secret],
    [body, { ...headers, "webhook-signature": "v1," }, secret],
    [body, { ...headers, "webhook-signature": headers["webhook-signature"]!.slice(0, -6) }, secret],
    [body, headers, newSecret()],
  ] as const;
  for (const [text, given, by] of refused)
    await expect(verifyWebhook(text, given, by)).rejects.toThrow(WebhookVerificationError);
});

it.each([-6, 6])("a webhook whose time is %i minutes away is refused, with a valid signature", async (minutes) => {
  const at = new Date(Date.now() + minutes * MINUTE);
  await expect(verifyWebhook(body, headersOf(secret, at), secret)).rejects.toThrow(/five minutes/);
  const near = new Date(Date.now() + Math.sign(minutes) * 4 * MINUTE);
  expect(await verifyWebhook(body, headersOf(secret, near), secret)).toEqual(event);
});

it("a webhook whose time is not a number is refused", async () => {
  for (const time of ["soon", "1e9", "", "-1"])
    await expect(verifyWebhook(body, { ...headersOf(), "webhook-timestamp": time }, secret)).rejects.toThrow(
      WebhookVerificationError,
    );
});

it.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("a webhook without %s is refused", async (name) => {
  const headers = { ...headersOf(), [name]: undefined };
  await expect(verifyWebhook(body, headers, secret)).rejects.toThrow(name);
});

it("a secret that is none is an error of the caller", async () => {
  for (const wrong of ["", "whsec_", "whsec_?"])
    await expect(verifyWebhook(body, headersOf(), wrong)).rejects.toThrow(TypeError);
});
