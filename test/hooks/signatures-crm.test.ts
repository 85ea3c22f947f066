// Requests that were signed by something else than Plugboard, as CRMs and help desks sign them.
import { request as httpRequest } from "node:http";
import { Signature } from "@hubspot/api-client";
import { describe, expect, it } from "vitest";
import type { HookRequest, HookSignature } from "../../src/contracts/hooks.ts";
import { hooks as attio } from "../../src/providers/attio/hooks.ts";
import { hooks as front } from "../../src/providers/front/hooks.ts";
import { hooks as helpScout } from "../../src/providers/help-scout/hooks.ts";
import { hooks as hubspot } from "../../src/providers/hubspot/hooks.ts";
import { hooks as intercom } from "../../src/providers/intercom/hooks.ts";
import { hooks as pipedrive } from "../../src/providers/pipedrive/hooks.ts";
import { hooks as zendesk } from "../../src/providers/zendesk/hooks.ts";
import { hooks as zoho } from "../../src/providers/zoho/hooks.ts";
import { verifyHook } from "../../src/runtime/hook-signature.ts";

interface Signed {
  signature: HookSignature;
  secret: string;
  /** When it was signed. */
  at?: number;
  headers: HookRequest["headers"];
  text: string;
}

const URL = "https://plugboard.example/auth/hooks/4f9c";

/** The header that a Basic client, which is Node's own, sends. */
function basic(username: string, password: string): string {
  const request = httpRequest({ host: "127.0.0.1", auth: `${username}:${password}` });
  request.on("error", () => {}).destroy();
  return String(request.getHeader("authorization"));
}

const HUBSPOT_TEXT = '[{"eventId":1,"portalId":62515,"subscriptionType":"contact.creation","objectId":123}]';
const HUBSPOT_TIME = 1_700_000_000_000;

const SIGNED: Record<string, Signed> = {
  // With the secret that Zendesk signs tests with: https://developer.zendesk.com/documentation/webhooks/verifying/
  // Zendesk has no package that verifies, so the signature was made by
  // printf '%s' "$TIMESTAMP$BODY" | openssl dgst -sha256 -hmac "$SECRET" -binary | base64
  Zendesk: {
    signature: zendesk.signature,
    secret: "dGhpc19zZWNyZXRfaXNfZm9yX3Rlc3Rpbmdfb25seQ==",
    at: Date.parse("2021-03-25T05:09:27Z"),
    headers: {
      "x-zendesk-webhook-signature-timestamp": "2021-03-25T05:09:27Z",
      "x-zendesk-webhook-signature": "3CZ8bKuRI8XJi5asaOVGpZSYY2oKA1IJQ2VZZ760Pa4=",
    },
    text: '{"account_id":22129848,"detail":{"id":"75418"},"event":{},"id":"cbe4028c-7239-495d-b020-f22348516046","subject":"zen:ticket:75418","time":"2021-03-25T05:09:27Z","type":"zen:event-type:ticket.created","zendesk_event_version":"2022-11-06"}',
  },
  Pipedrive: {
    signature: pipedrive.signature,
    secret: "pass:word",
    headers: { authorization: basic("plugboard", "pass:word") },
    text: '{"meta":{"action":"create","entity":"person"}}',
  },
  // The secret and the body are examples of https://docs.attio.com/rest-api/guides/webhooks. Attio has no package that
  // verifies: printf '%s' "$BODY" | openssl dgst -sha256 -hmac "$SECRET"
  Attio: {
    signature: attio.signature,
    secret: "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb",
    headers: { "attio-signature": "1f0184296db6a982701cb611c278ef96189691f9d74b957281a5ff5b0744c83b" },
    text: '{"webhook_id":"23e42eaf-323a-41da-b5bb-fd67eebda553","events":[{"event_type":"record.created","id":{"workspace_id":"14beef7a-99f7-4534-a87e-70b564330a4c","object_id":"97052eb9-e65e-443f-a297-f2d9a4a7f795","record_id":"bf071e1f-6035-429d-b874-d83ea64ea13b"},"actor":{"type":"workspace-member","id":"50cf242c-7fa3-4cad-87d0-75b1af71c57b"}}]}',
  },
  HubSpot: {
    signature: hubspot.signature,
    secret: "client-secret",
    at: HUBSPOT_TIME,
    headers: {
      "x-hubspot-request-timestamp": String(HUBSPOT_TIME),
      "x-hubspot-signature-v3": Signature.getSignature("POST", "v3", {
        signature: "",
        clientSecret: "client-secret",
        url: URL,
        requestBody: HUBSPOT_TEXT,
        timestamp: HUBSPOT_TIME,
      }),
    },
    text: HUBSPOT_TEXT,
  },
  // The notification of https://www.zoho.com/crm/developer/docs/api/v8/notifications/enable.html: a token is all there is.
  Zoho: {
    signature: zoho.signature,
    secret: "TOKEN_FOR_VERIFICATION_OF_1000000068001",
    headers: {},
    text: '{"query_params":{},"module":"Contacts","resource_uri":"https://www.zohoapis.com/crm/v8/Contacts","ids":["4150868000001206010"],"affected_fields":[],"operation":"insert","channel_id":"1000000068001","token":"TOKEN_FOR_VERIFICATION_OF_1000000068001"}',
  },
  // The secret and the body of the tests of helpscout/helpscout-api-php (IncomingWebhookTest), with
  // printf '%s' "$BODY" | openssl dgst -sha1 -hmac "$SECRET" -binary | base64
  "Help Scout": {
    signature: helpScout.signature,
    secret: "asdffdsa",
    headers: { "x-helpscout-signature": "YhXKie6t+YQPJLRzdKWwTPsJN2w=" },
    text: '{"id":123}',
  },
  // https://developers.intercom.com/docs/webhooks/webhook-notifications, without a package that verifies:
  // printf '%s' "$BODY" | openssl dgst -sha1 -hmac "$SECRET"
  Intercom: {
    signature: intercom.signature,
    secret: "client-secret",
    headers: { "x-hub-signature": "sha1=afd46c2e2b3cd345f03cef349d0d10c6ebe3542a" },
    text: '{"type":"notification_event","topic":"ping"}',
  },
  // The challenge of https://dev.frontapp.com/docs/application-webhooks, without a package that verifies:
  // printf '%s' "$TIMESTAMP:$BODY" | openssl dgst -sha256 -hmac "$SECRET" -binary | base64
  Front: {
    signature: front.signature,
    secret: "signing-key",
    at: 1_700_000_000_000,
    headers: {
      "x-front-request-timestamp": "1700000000000",
      "x-front-signature": "LPZfhm6/PE37oz+l3KHMo8R7UkOn5tRN4L89rmK1Qos=",
    },
    text: '{"type":"sync","authorization":{"id":"cmp_abc"}}',
  },
};

describe.each(Object.entries(SIGNED))("%s", (name, { signature, secret, at, headers, text }) => {
  const verify = (changed: Partial<Signed> = {}, now = at ?? Date.now()) => {
    const sent = { secret, headers, text, ...changed };
    const request = { method: "POST", url: URL, headers: sent.headers, bytes: Buffer.from(sent.text) };
    return verifyHook(signature, [sent.secret], { ...request, body: JSON.parse(sent.text) }, now);
  };

  it(`a request that was signed as ${name} signs is verified`, () => {
    expect(verify()).toBe(true);
  });

  it(`a request of ${name} is refused with another secret, and without a signature`, () => {
    expect(verify({ secret: `${secret}x` })).toBe(false);
    expect(verify({ secret: "" })).toBe(false);
    expect(verify(signature.kind === "token" ? { text: "{}" } : { headers: {} })).toBe(false);
  });

  if (signature.kind === "hmac")
    it(`a request of ${name} is refused if a byte of its body was changed`, () => {
      expect(verify({ text: text.replace(/"(?=[^"]*$)/, ' "') })).toBe(false);
    });

  if (at !== undefined)
    it(`a request of ${name} is refused five minutes after it was signed, and before`, () => {
      for (const minutes of [-5, 5]) {
        expect(verify({}, at + minutes * 60_000)).toBe(true);
        expect(verify({}, at + minutes * 61_000)).toBe(false);
      }
    });
});

it("a request of HubSpot is refused at another address than the one it was signed for", () => {
  const { signature, secret, headers, text, at } = SIGNED.HubSpot!;
  const request = { method: "POST", url: `${URL}x`, headers, bytes: Buffer.from(text), body: JSON.parse(text) };
  expect(verifyHook(signature, [secret], request, at)).toBe(false);
  expect(verifyHook(signature, [secret], { ...request, url: URL }, at)).toBe(true);
});
