import { expect, it, vi } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import type { OAuth2 } from "../../contracts/authentication.ts";
import type { Connection, Integration } from "../../contracts/entities.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import type { Telemetry } from "../../contracts/telemetry.ts";
import type { BufferedResponse } from "../http/buffer-response.ts";
import type { Transport, TransportRequest } from "../http/transport.ts";
import { createRevoker } from "./revoke.ts";

const oauth2 = {
  authorize: "authorize",
  token: "token",
  scopes: [],
  revoke: { address: "token" },
} as unknown as OAuth2;

interface Scenario {
  manifest?: Partial<Manifest>;
  record?: Partial<Connection>;
  integration?: Partial<Integration>;
  answer?: Partial<BufferedResponse> | Error;
}

/** Revokes, and returns the outcome with what was sent. */
async function revoke({ manifest, record, integration, answer = {} }: Scenario) {
  const connection = testConnection({
    manifest: { auth: { oauth2 }, ...manifest },
    record: { credentials: { token: "access", refresh_token: "refresh" }, ...record },
    integration: { type: "oauth2", client_id: "client", client_secret: "hush", ...integration },
  });
  const buffer = vi.fn(async (_: TransportRequest) => {
    if (answer instanceof Error) throw answer;
    return { statusCode: 200, headers: {}, bytes: Buffer.alloc(0), ...answer } as BufferedResponse;
  });
  const transport = { buffer } as unknown as Transport;
  const telemetry = { upstream() {} } as unknown as Telemetry;
  const run = createRevoker(transport, { of: async () => connection.provider }, undefined, telemetry);
  return { outcome: await run(connection.record, connection.integration), sent: buffer.mock.calls[0]?.[0] };
}

it("the refresh token is revoked by the standard request, or the access token if there is none", async () => {
  const { outcome, sent } = await revoke({});
  expect(outcome).toBe("revoked");
  expect(sent).toMatchObject({ method: "POST", origin: "https://acme.example", path: "/token" });
  const fields = Object.fromEntries(new URLSearchParams(String(sent!.body)));
  expect(fields).toMatchObject({ token: "refresh", token_type_hint: "refresh_token" });
  const short = await revoke({ record: { credentials: { token: "access" } } });
  expect(Object.fromEntries(new URLSearchParams(String(short.sent!.body)))).toMatchObject({
    token: "access",
    token_type_hint: "access_token",
  });
});

it("nothing is sent for a provider without revocation, for an API key, or if a secret cannot be read", async () => {
  const { revoke: _, ...without } = oauth2;
  expect(await revoke({ manifest: { auth: { oauth2: without } } })).toEqual({
    outcome: "unsupported",
    sent: undefined,
  });
  expect(await revoke({ integration: { type: "api_key" } })).toEqual({ outcome: "unsupported", sent: undefined });
  for (const unreadable of [{ record: { unreadable: true } }, { integration: { unreadable: true } }] as Scenario[])
    expect(await revoke(unreadable)).toEqual({ outcome: "failed", sent: undefined });
});

it("a provider's own request is sent as the client or with the token, and never with both", async () => {
  const own = (as?: "client") =>
    revoke({
      manifest: {
        authorization: ({ token }) => ({
          headers: { authorization: `Bearer ${token}` },
          query: { key: String(token) },
        }),
        auth: {
          oauth2: {
            ...oauth2,
            revoke: () => ({ to: "api", method: "DELETE", path: "/grant", ...(as ? { as } : {}) }),
          } as unknown as OAuth2,
        },
      },
    });
  const asUser = await own();
  expect(asUser.sent).toMatchObject({ method: "DELETE", path: "/v1/grant?key=access" });
  expect(asUser.sent!.headers.authorization).toBe("Bearer access");
  const asClient = await own("client");
  expect(asClient.sent!.path).toBe("/v1/grant");
  expect(asClient.sent!.headers.authorization).toMatch(/^Basic /);
});

it("a refusal is a failure, also one with status 200, and so is a provider that cannot be reached", async () => {
  expect((await revoke({ answer: { statusCode: 299 } })).outcome).toBe("revoked");
  expect((await revoke({ answer: { statusCode: 300 } })).outcome).toBe("failed");
  expect((await revoke({ answer: new Error("connection lost") })).outcome).toBe("failed");
  const failed: Manifest["failed"] = ({ body }) => ((body as { ok: boolean }).ok ? undefined : 400);
  const json = (text: string, type = "application/json") => ({
    manifest: { failed },
    answer: { headers: { "content-type": type }, bytes: Buffer.from(text) },
  });
  expect((await revoke(json('{"ok":true}'))).outcome).toBe("revoked");
  expect((await revoke(json('{"ok":false}'))).outcome).toBe("failed");
  expect(
    (await revoke({ ...json('{"ok":true}'), answer: { ...json('{"ok":true}').answer, statusCode: 300 } })).outcome,
  ).toBe("failed");
  // Only JSON can say so.
  expect((await revoke(json("fine", "text/plain"))).outcome).toBe("revoked");
});

it("the client is the integration's if it has one, and otherwise the user's own", async () => {
  const client_credentials = { asks: {}, help: "", asClient: true, issue: vi.fn(), revoke: { address: "token" } };
  const sentBy = async (integration: Partial<Integration>) => {
    const { sent } = await revoke({
      manifest: { auth: { client_credentials } as never },
      record: { credentials: { token: "access", username: "user", password: "own" } },
      integration: { type: "client_credentials", ...integration },
    });
    return Object.fromEntries(new URLSearchParams(String(sent!.body)));
  };
  expect(await sentBy({})).toMatchObject({ client_id: "client", client_secret: "hush" });
  expect(await sentBy({ client_secret: null })).toMatchObject({ client_id: "user", client_secret: "own" });
});
