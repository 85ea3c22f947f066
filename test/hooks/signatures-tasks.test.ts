// Requests of providers of tasks and of Git hosts that something else has signed: an official or a well-known package, or
// the example of the provider's documentation.
import { createHmac } from "node:crypto";
import { LinearWebhookClient } from "@linear/sdk/webhooks";
import { sign } from "@octokit/webhooks-methods";
import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import type { HookSignature } from "../../src/contracts/hooks.ts";
import { hooks as asana } from "../../src/providers/asana/hooks.ts";
import { hooks as bitbucket } from "../../src/providers/bitbucket/hooks.ts";
import { hooks as clickup } from "../../src/providers/clickup/hooks.ts";
import { hooks as gitea } from "../../src/providers/gitea/hooks.ts";
import { hooks as gitlab } from "../../src/providers/gitlab/hooks.ts";
import { adminHooks as jiraAdmin, hooks as jiraApp } from "../../src/providers/jira/hooks.ts";
import { hooks as linear } from "../../src/providers/linear/hooks.ts";
import { hooks as monday } from "../../src/providers/monday/hooks.ts";
import { hooks as shortcut } from "../../src/providers/shortcut/hooks.ts";
import { hooks as trello } from "../../src/providers/trello/hooks.ts";
import { verifyHook } from "../../src/runtime/hook-signature.ts";

const URL = "https://plugboard.example/auth/hooks/hook_1.abc";
const SECRET = "It's a Secret to Everybody";

function isVerified(
  signature: HookSignature,
  secret: string,
  headers: Record<string, string>,
  text: string,
  url = URL,
  nowMs?: number,
): boolean {
  const bytes = Buffer.from(text);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {}
  return verifyHook(signature, [secret], { method: "POST", url, headers, bytes, body }, nowMs);
}

/** An HMAC with SHA-256 in hexadecimal digits. */
const hexMac = async (secret: string, text: string) => (await sign(secret, text)).replace("sha256=", "");

describe("an HMAC of the body", () => {
  const providers: [string, HookSignature, string, string][] = [
    // https://github.com/go-gitea/gitea/blob/main/services/webhook/deliver.go
    ["Gitea", gitea.signature, "x-gitea-signature", ""],
    // https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/
    ["Bitbucket", bitbucket.signature, "x-hub-signature", "sha256="],
    // https://developers.asana.com/docs/webhooks-guide#security
    ["Asana", asana.signature, "x-hook-signature", ""],
    // https://developer.clickup.com/docs/webhooksignature
    ["ClickUp", clickup.signature, "x-signature", ""],
    // https://developer.atlassian.com/cloud/jira/platform/webhooks/#secure-admin-webhooks
    ["Jira (API token)", jiraAdmin.signature, "x-hub-signature", "sha256="],
    // https://help.shortcut.com/hc/en-us/articles/34734717380756
    ["Shortcut", shortcut.signature, "payload-signature", ""],
  ];
  const body = '{"größe":"1 \\u00fc"}';

  it.each(providers)("%s: a request is verified if its signature is right", async (_, signature, header, prefix) => {
    const headers = { [header]: prefix + (await hexMac(SECRET, body)) };
    expect(isVerified(signature, SECRET, headers, body)).toBe(true);
    expect(isVerified(signature, "another", headers, body)).toBe(false);
    expect(isVerified(signature, "", headers, body)).toBe(false);
    expect(isVerified(signature, SECRET, headers, `${body} `)).toBe(false);
    expect(isVerified(signature, SECRET, {}, body)).toBe(false);
    expect(isVerified(signature, SECRET, { [header]: `${headers[header]}0` }, body)).toBe(false);
  });

  // https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/ and Jira's documentation have the same example.
  it.each([
    ["Bitbucket", bitbucket.signature],
    ["Jira (API token)", jiraAdmin.signature],
  ])("%s: Atlassian's own example is verified", (_, signature) => {
    const headers = {
      "x-hub-signature": "sha256=a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9",
    };
    expect(isVerified(signature, SECRET, headers, "Hello World!")).toBe(true);
  });
});

it("ClickUp: a request may be signed with the secret of any workspace", async () => {
  const headers = { "x-signature": await hexMac("second", "{}") };
  expect(isVerified(clickup.signature, "first\nsecond", headers, "{}")).toBe(true);
  expect(isVerified(clickup.signature, "first\nthird", headers, "{}")).toBe(false);
  const joined = { "x-signature": createHmac("sha256", "").update("{}").digest("hex") };
  expect(isVerified(clickup.signature, "first\n\nsecond", joined, "{}")).toBe(false);
});

describe("Linear", () => {
  const { signature } = linear;
  const bodyAt = (webhookTimestamp: number) => JSON.stringify({ action: "create", type: "Issue", webhookTimestamp });

  it("a request is verified if Linear's SDK verifies it", async () => {
    const body = bodyAt(Date.now());
    const headers = { "linear-signature": await hexMac(SECRET, body) };
    expect(new LinearWebhookClient(SECRET).verify(Buffer.from(body), headers["linear-signature"])).toBe(true);
    expect(isVerified(signature, SECRET, headers, body)).toBe(true);
  });

  it.each([
    ["another secret", "another", 0, ""],
    ["a changed byte", SECRET, 0, " "],
    ["an old timestamp", SECRET, -70_000, ""],
    ["a future timestamp", SECRET, 70_000, ""],
  ])("a request with %s is refused, as by Linear's SDK", async (_, secret, age, added) => {
    const body = bodyAt(Date.now() + age);
    const headers = { "linear-signature": await hexMac(secret, body) };
    const bytes = Buffer.from(body + added);
    expect(() => new LinearWebhookClient(SECRET).verify(bytes, headers["linear-signature"])).toThrow();
    expect(isVerified(signature, SECRET, headers, body + added)).toBe(false);
  });

  it("a request without a timestamp is refused", async () => {
    const headers = { "linear-signature": await hexMac(SECRET, "{}") };
    expect(isVerified(signature, SECRET, headers, "{}")).toBe(false);
  });
});

// There is no example and no package: the code of Trello's documentation, run by hand with OpenSSL:
// printf '{"hello":"world"}https://example.com/webhooks' | openssl dgst -sha1 -hmac secret -binary | base64
// https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/#webhook-signatures
it("Trello: the body and the address are signed", () => {
  const headers = { "x-trello-webhook": "FwPAcuGe9EP/+SbXFWjnEVTa0zw=" };
  const body = '{"hello":"world"}';
  const url = "https://example.com/webhooks";
  expect(isVerified(trello.signature, "secret", headers, body, url)).toBe(true);
  expect(isVerified(trello.signature, "another", headers, body, url)).toBe(false);
  expect(isVerified(trello.signature, "secret", headers, `${body} `, url)).toBe(false);
  expect(isVerified(trello.signature, "secret", headers, body, `${url}/`)).toBe(false);
});

// The secret itself is sent: https://docs.gitlab.com/user/project/integrations/webhooks/
it("GitLab: the token has to be the secret", () => {
  const { signature } = gitlab;
  expect(isVerified(signature, SECRET, { "x-gitlab-token": SECRET }, "{}")).toBe(true);
  expect(isVerified(signature, SECRET, { "x-gitlab-token": SECRET.slice(1) }, "{}")).toBe(false);
  expect(isVerified(signature, SECRET, {}, "{}")).toBe(false);
  expect(isVerified(signature, "", { "x-gitlab-token": "" }, "{}")).toBe(false);
});

describe("a JSON Web Token", () => {
  const nowSeconds = Math.floor(Date.now() / 1_000);
  const token = (secret: string, alg: string, expires: number | undefined) => {
    const jwt = new SignJWT({ accountId: 1 }).setProtectedHeader({ alg, typ: "JWT" }).setIssuedAt();
    if (expires !== undefined) jwt.setExpirationTime(expires);
    return jwt.sign(Buffer.from(secret.padEnd(64, "x")));
  };
  const key = SECRET.padEnd(64, "x");

  // https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/ and https://developer.monday.com/apps/docs/authorization-header
  describe.each([
    ["Jira (OAuth)", jiraApp.signature, "Bearer "],
    ["monday.com", monday.signature, ""],
  ])("%s", (_, signature, prefix) => {
    it("a request is verified with the secret until the token expires", async () => {
      const authorization = prefix + (await token(SECRET, "HS256", nowSeconds + 180));
      expect(isVerified(signature, key, { authorization }, "{}")).toBe(true);
      expect(isVerified(signature, key, { authorization }, "{}", URL, (nowSeconds + 200) * 1_000)).toBe(false);
      expect(isVerified(signature, key, {}, "{}")).toBe(false);
    });

    it.each([
      ["another secret", "another", "HS256", nowSeconds + 180],
      ["another algorithm", SECRET, "HS512", nowSeconds + 180],
      ["a time in the past", SECRET, "HS256", nowSeconds - 1],
      ["no time at all", SECRET, "HS256", undefined],
    ])("a token with %s is refused", async (_, secret, alg, expires) => {
      const authorization = prefix + (await token(secret, alg, expires));
      expect(isVerified(signature, key, { authorization }, "{}")).toBe(false);
    });

    it("a token without a signature is refused", async () => {
      const [header, claims] = (await token(SECRET, "HS256", nowSeconds + 180)).split(".");
      const none = Buffer.from('{"alg":"none"}').toString("base64url");
      expect(isVerified(signature, key, { authorization: `${prefix}${header}.${claims}.` }, "{}")).toBe(false);
      expect(isVerified(signature, key, { authorization: `${prefix}${none}.${claims}.` }, "{}")).toBe(false);
    });
  });
});
