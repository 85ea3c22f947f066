import { expect, it, vi } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import type { OAuth2 } from "../../contracts/authentication.ts";
import type { Integration } from "../../contracts/entities.ts";
import type { Telemetry } from "../../contracts/telemetry.ts";
import { createCallWithRetries } from "../http/attempts.ts";
import type { BufferedResponse } from "../http/buffer-response.ts";
import type { Transport, TransportRequest } from "../http/transport.ts";
import { GrantRefused } from "./token-answer.ts";
import { createTokenRequests } from "./token-request.ts";

interface Scenario {
  oauth2?: Partial<OAuth2>;
  integration?: Partial<Integration>;
  answer?: { status?: number; body?: unknown };
  path?: string;
  settings?: Record<string, string>;
}

/** Requests a token, and returns it or the error with what was sent. */
async function request({ oauth2, integration, answer = {}, path = "/token", settings = {} }: Scenario = {}) {
  const { status = 200, body = { access_token: "a", expires_in: 60 } } = answer;
  const connection = testConnection({
    manifest: { auth: { oauth2: { token: "token", scopes: [], ...oauth2 } as unknown as OAuth2 } },
    integration: { type: "oauth2", client_id: "client", client_secret: "hush", ...integration },
  });
  const buffer = vi.fn(
    async (_: TransportRequest) =>
      ({
        statusCode: status,
        headers: { "content-type": "application/json" },
        bytes: Buffer.from(JSON.stringify(body)),
        release() {},
      }) as BufferedResponse,
  );
  const calls = createCallWithRetries({ firstMs: 1000, retryMs: 1000 }, { upstream() {} } as unknown as Telemetry);
  const requestToken = createTokenRequests({ buffer } as unknown as Transport, calls);
  const outcome = await requestToken({
    manifest: connection.provider.manifest,
    integration: connection.integration,
    settings,
    endpoint: { origin: "https://acme.example", path },
    parameters: { grant_type: "refresh_token", refresh_token: "secret-refresh" },
  }).catch((error: unknown) => error);
  return { outcome, sent: buffer.mock.calls.map(([one]) => one) };
}

const form = (sent: TransportRequest[]) => Object.fromEntries(new URLSearchParams(String(sent[0]!.body)));

it("a token is requested once, as a form with the client's ID and secret, and what the manifest adds", async () => {
  const { outcome, sent } = await request({ oauth2: { tokenParameters: { resource: "r" } } });
  expect(outcome).toEqual({ access_token: "a", expires_in: 60 });
  expect(sent).toMatchObject([{ origin: "https://acme.example", path: "/token", method: "POST" }]);
  expect(sent[0]!.headers["content-type"]).toBe("application/x-www-form-urlencoded");
  expect(form(sent)).toEqual({
    grant_type: "refresh_token",
    refresh_token: "secret-refresh",
    resource: "r",
    client_id: "client",
    client_secret: "hush",
  });
  expect((await request({ path: "" })).sent[0]!.path).toBe("/");
});

it("parameters have their settings filled in, and those whose settings are missing are left out", async () => {
  const tokenParameters = { account_id: "{account}", team: "{team}" };
  const { sent } = await request({ oauth2: { tokenParameters }, settings: { account: "a" } });
  expect(form(sent)).toMatchObject({ account_id: "a" });
  expect(form(sent)).not.toHaveProperty("team");
});

it("the client authenticates in the header, or without a secret, if that is so", async () => {
  const basic = await request({ oauth2: { tokenRequestAuth: "basic" } });
  expect(basic.sent[0]!.headers.authorization).toBe(`Basic ${btoa("client:hush")}`);
  expect(form(basic.sent)).not.toHaveProperty("client_secret");
  const open = await request({ oauth2: { tokenRequestAuth: "basic" }, integration: { client_secret: null } });
  expect(open.sent[0]!.headers.authorization).toBeUndefined();
  expect(form(open.sent)).toMatchObject({ client_id: "client" });
});

it("a token is requested as JSON if the manifest says so", async () => {
  const { sent } = await request({ oauth2: { tokenRequestBody: "json" } });
  expect(sent[0]!.headers["content-type"]).toBe("application/json");
  expect(JSON.parse(String(sent[0]!.body))).toMatchObject({ grant_type: "refresh_token", client_id: "client" });
});

it("a secret that cannot be decrypted is not sent", async () => {
  const { outcome, sent } = await request({ integration: { unreadable: true } });
  expect(outcome).toMatchObject({ kind: "credentials_unreadable" });
  expect(sent).toEqual([]);
});

it.each<[string, number, unknown, Partial<OAuth2>?]>([
  ["an error of the standard", 400, { error: "invalid_grant" }],
  ["an error with status 200", 200, { error: "bad_refresh_token" }],
  ["an error that the manifest names", 401, { error: "invalid_client" }, { voidGrantCodes: ["invalid_client"] }],
])("the grant is void after %s", async (_, status, body, oauth2 = {}) => {
  const { outcome } = await request({ oauth2, answer: { status, body } });
  expect(outcome).toBeInstanceOf(GrantRefused);
});

it.each<[string, number, unknown, string, Partial<OAuth2>?]>([
  ["an outage", 500, { error: "invalid_grant" }, "answered 500 (invalid_grant)"],
  ["another error", 400, { error: "invalid_client" }, "answered 400 (invalid_client)"],
  ["an error without a code", 400, {}, "answered 400"],
  [
    "an error that the manifest does not name",
    400,
    { error: "invalid_grant" },
    "(invalid_grant)",
    { voidGrantCodes: [] },
  ],
  ["a token with a status that is no success", 300, { access_token: "a" }, "answered 300"],
  ["a code that quotes a secret", 400, { error: "secret-refresh" }, "answered 400"],
  ["a code that quotes the client's secret", 400, { error: "hush" }, "answered 400"],
])("the grant is kept after %s", async (_, status, body, message, oauth2 = {}) => {
  const { outcome } = await request({ oauth2, answer: { status, body } });
  expect(outcome).toMatchObject({ kind: "refresh_unavailable" });
  expect((outcome as Error).message).toMatch(new RegExp(`${RegExp.escape(message)}$`));
});
