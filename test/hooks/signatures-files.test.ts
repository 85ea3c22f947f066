// The signatures of providers of files, calendars, chat and documents, verified with what others have signed.
import { signWebhookPayload } from "@notionhq/client";
import { expect, test } from "vitest";
import type { HookSignature } from "../../src/contracts/hooks.ts";
import { hooks as box } from "../../src/providers/box/hooks.ts";
import { hooks as dropbox } from "../../src/providers/dropbox/hooks.ts";
import { hooks as googleDrive } from "../../src/providers/google-drive/hooks.ts";
import { hooks as notion } from "../../src/providers/notion/hooks.ts";
import { hooks as onedrive } from "../../src/providers/onedrive/hooks.ts";
import { hooks as slack } from "../../src/providers/slack/hooks.ts";
import { verifyHook } from "../../src/runtime/hook-signature.ts";

const MINUTE_MS = 60_000;

interface Sent {
  headers?: Record<string, string>;
  text?: string;
  at?: number;
}

/** Whether a request with this text is accepted. */
function accepts(signature: HookSignature, secrets: string[], { headers = {}, text = "", at = 0 }: Sent): boolean {
  const bytes = Buffer.from(text);
  const body = text.startsWith("{") ? JSON.parse(text) : undefined;
  return verifyHook(signature, secrets, { method: "POST", url: "https://example.com/hook", headers, bytes, body }, at);
}

// The example of https://docs.slack.dev/authentication/verifying-requests-from-slack
const SLACK = {
  secret: "8f742231b10e8888abcd99yyyzzz85a5",
  at: 1_531_420_618_000,
  headers: {
    "x-slack-request-timestamp": "1531420618",
    "x-slack-signature": "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
  },
  text: [
    "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V",
    "channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=",
    "response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN",
    "trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c",
  ].join("&"),
};

test("the example of Slack's documentation is accepted, and nothing that differs from it", () => {
  const { secret, ...sent } = SLACK;
  expect(accepts(slack.signature, [secret], sent)).toBe(true);
  expect(accepts(slack.signature, [secret], { ...sent, at: sent.at + 4 * MINUTE_MS })).toBe(true);
  expect(accepts(slack.signature, [`${secret}x`], sent)).toBe(false);
  expect(accepts(slack.signature, [secret], { ...sent, text: `${sent.text}0` })).toBe(false);
  expect(accepts(slack.signature, [secret], { ...sent, at: sent.at + 6 * MINUTE_MS })).toBe(false);
  const later = { ...sent.headers, "x-slack-request-timestamp": "1531420619" };
  expect(accepts(slack.signature, [secret], { ...sent, headers: later })).toBe(false);
});

// The example of Box's own SDKs: https://github.com/box/box-node-sdk/blob/main/docs/webhooks.md
const BOX = {
  at: Date.parse("2020-01-01T07:00:00Z"),
  headers: {
    "box-delivery-timestamp": "2020-01-01T00:00:00-07:00",
    "box-signature-primary": "6TfeAW3A1PASkgboxxA5yqHNKOwFyMWuEXny/FPD5hI=",
    "box-signature-secondary": "v+1CD1Jdo3muIcbpv5lxxgPglOqMfsNHPV899xWYydo=",
  },
  text: '{"type":"webhook_event","webhook":{"id":"1234567890"},"trigger":"FILE.UPLOADED","source":{"id":"1234567890","type":"file","name":"Test.txt"}}',
};

test("the example of Box is accepted with either of its keys, and nothing that differs from it", () => {
  for (const keys of [["SamplePrimaryKey", "SampleSecondaryKey"], ["SamplePrimaryKey"], ["SampleSecondaryKey"]])
    expect(accepts(box.signature, keys, BOX)).toBe(true);
  expect(accepts(box.signature, ["SamplePrimaryKey", "NewKey"], { ...BOX, at: BOX.at + 9 * MINUTE_MS })).toBe(true);
  expect(accepts(box.signature, ["WrongPrimaryKey", "WrongSecondaryKey"], BOX)).toBe(false);
  expect(accepts(box.signature, ["SamplePrimaryKey"], { ...BOX, text: BOX.text.replace("Test", "Best") })).toBe(false);
  expect(accepts(box.signature, ["SamplePrimaryKey"], { ...BOX, at: BOX.at + 11 * MINUTE_MS })).toBe(false);
  const later = { ...BOX.headers, "box-delivery-timestamp": "2020-01-01T00:00:01-07:00" };
  expect(accepts(box.signature, ["SamplePrimaryKey"], { ...BOX, headers: later })).toBe(false);
});

test("what Notion's own client signs is accepted, and nothing that differs from it", async () => {
  const verificationToken = "secret_made_up";
  const text = JSON.stringify({ type: "page.created", entity: { id: "x", type: "page" }, note: "Grüße 🎉" });
  const headers = { "x-notion-signature": await signWebhookPayload({ body: text, verificationToken }) };
  expect(accepts(notion.signature, [verificationToken], { headers, text })).toBe(true);
  expect(accepts(notion.signature, ["secret_other"], { headers, text })).toBe(false);
  expect(accepts(notion.signature, [verificationToken], { headers, text: text.replace("page", "cage") })).toBe(false);
  expect(accepts(notion.signature, [verificationToken], { text })).toBe(false);
});

// Dropbox has no example, only code: the HMAC of the body, in hexadecimal. So this is the second one of RFC 4231.
// https://www.dropbox.com/developers/reference/webhooks#notifications
test("Dropbox's signature is the plain HMAC of RFC 4231", () => {
  const headers = { "x-dropbox-signature": "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843" };
  const text = "what do ya want for nothing?";
  expect(accepts(dropbox.signature, ["Jefe"], { headers, text })).toBe(true);
  expect(accepts(dropbox.signature, ["Boss"], { headers, text })).toBe(false);
  expect(accepts(dropbox.signature, ["Jefe"], { headers, text: `${text}?` })).toBe(false);
});

// The example of https://developers.google.com/workspace/drive/api/guides/push
test("a message of Google is accepted with the token of its channel only", () => {
  const sentWith = (token?: string) => ({
    headers: { "x-goog-resource-state": "change", ...(token && { "x-goog-channel-token": token }) },
  });
  const { signature } = googleDrive;
  expect(accepts(signature, ["398348u3tu83ut8uu38"], sentWith("398348u3tu83ut8uu38"))).toBe(true);
  expect(accepts(signature, ["398348u3tu83ut8uu38"], sentWith("398348u3tu83ut8uu39"))).toBe(false);
  expect(accepts(signature, ["398348u3tu83ut8uu38"], sentWith())).toBe(false);
});

// The example of https://learn.microsoft.com/en-us/graph/change-notifications-delivery-webhooks
test("notifications of Microsoft Graph are accepted if each of them has the state of its subscription", () => {
  const notification = (clientState?: string) => ({
    subscriptionId: "76619225-ff6b-4690-b2b2-3f7e3bf0e0ad",
    changeType: "updated",
    resource: "me/drive/root",
    ...(clientState && { clientState }),
  });
  const sent = (...states: (string | undefined)[]) => ({ text: JSON.stringify({ value: states.map(notification) }) });
  const { signature } = onedrive;
  expect(accepts(signature, ["secretClientState"], sent("secretClientState"))).toBe(true);
  expect(accepts(signature, ["secretClientState"], sent("secretClientState", "secretClientState"))).toBe(true);
  expect(accepts(signature, ["secretClientState"], sent("secretClientState", "other"))).toBe(false);
  expect(accepts(signature, ["secretClientState"], sent("other"))).toBe(false);
  expect(accepts(signature, ["secretClientState"], { text: '{"value":[]}' })).toBe(false);
  // Without a state there is nothing to compare.
  expect(accepts(signature, ["secretClientState"], sent(undefined))).toBe(false);
});
