// Tokens that are issued without the user are kept valid like those of OAuth: once for everybody, stored before use.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AuthType } from "../../src/contracts/authentication.ts";
import type { Provider } from "../../src/contracts/provider.ts";
import type { ProviderDocument } from "../../src/provider-document/schema.ts";
import { rsaKey } from "../support/keys.ts";
import { createPlatform } from "../support/platform.ts";
import { testDatabase } from "../support/postgres.ts";
import { startService, type TestService } from "../support/service.ts";
import { type Application, connectAccount, createApplication } from "./support/application.ts";
import { toProvider } from "./support/issued-providers.ts";
import { gate, type ScriptedProvider, startScriptedProvider } from "./support/scripted-provider.ts";

const HOUR = 3_600_000;
const inMs = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

const of = (id: string, auth: ProviderDocument["auth"]) =>
  toProvider({
    document: {
      id,
      name: `Scripted ${id}`,
      docs_url: "https://docs.example",
      addresses: {
        api: `https://${id}.example/v1`,
        token: `https://${id}.example/token`,
        revoke: `https://${id}.example/revoke`,
      },
      auth,
      check: { get: "/me" },
    },
  });

const kinds: { type: AuthType; provider: Provider; body: Record<string, string> }[] = [
  {
    type: "client_credentials",
    provider: of("client", { client_credentials: {} }),
    body: { username: "client-1", password: "made-up-password" },
  },
  {
    type: "two_step",
    provider: of("login", {
      two_step: {
        request: { method: "POST", body: { u: "{username}", p: "{password}" }, encoding: "form" },
        token: "/access_token",
        expires_in: "/expires_in",
        username: "Name",
        password: "Password",
      },
    }),
    body: { username: "me", password: "made-up-password" },
  },
  {
    type: "jwt",
    provider: of("assertion", {
      jwt: { algorithm: "RS256", claims: { iss: "us" }, lifetime: 300, exchange: {}, label: "Key" },
    }),
    body: { auth_token: rsaKey },
  },
];

const database = await testDatabase();
let upstream: ScriptedProvider;
let services: TestService[];
beforeAll(async () => {
  upstream = await startScriptedProvider();
  const env = {
    ALLOW_PRIVATE_UPSTREAMS: "true",
    RATE_LIMIT: "10000/60",
    ...(database ? { DATABASE_URL: database.url } : {}),
  };
  const catalogue = { providers: kinds.map(({ provider }) => provider), emulators: {} };
  const first = await startService({ env, catalogue });
  // Without a shared database there is one service only.
  services = database ? [first, await startService({ env, catalogue })] : [first];
});
afterAll(async () => {
  for (const service of services ?? []) await service.close();
  await upstream?.close();
  await database?.drop();
});
beforeEach(() => upstream.reset());

describe.each(kinds)("$type", ({ type, provider, body }) => {
  let application: Application;
  beforeAll(async () => {
    application = await createApplication(services[0]!, provider, type, { integration: { base_url: upstream.url } });
  });

  const call = async (connection: string, service = services[0]!) => {
    const response = await fetch(`${service.url}/proxy/contacts`, {
      headers: { authorization: `Bearer ${application.apiKey}`, "svc-connection-id": connection },
    });
    return { status: response.status, text: await response.text() };
  };

  const stored = async (id: string) => (await services[0]!.store.connections.load(id))!.connection;

  /** A connection whose token was issued an hour ago. */
  async function connected(expiresInMs: number): Promise<string> {
    upstream.onToken(() => upstream.grant());
    const created = await application.platform("POST", "/connections", {
      integration_id: application.integrationId,
      ...body,
    });
    await change(created.id, { expires_at: inMs(expiresInMs), refreshed_at: inMs(-HOUR) });
    upstream.tokenRequests.length = 0;
    upstream.calls.length = 0;
    return created.id;
  }

  async function change(id: string, changes: object): Promise<void> {
    await services[0]!.store.connections.update(id, changes);
    for (const { parts } of services) await parts.coordination.invalidate("connection", id);
  }

  it(`${type}: an expired token is issued again once for 20 calls in two processes`, async () => {
    const id = await connected(-1000);
    const before = await stored(id);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => call(id, services[index % services.length])),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(upstream.tokenRequests).toHaveLength(1);
    const after = await stored(id);
    expect(after.credentials).toEqual({ ...before.credentials, token: expect.stringMatching(/^access-/) });
    expect(new Set(upstream.calls)).toEqual(new Set([after.credentials.token]));
  });

  it(`${type}: a token is issued again 60 seconds before it expires, and stored before it is used`, async () => {
    const late = await connected(70_000);
    expect((await call(late)).status).toBe(200);
    expect(upstream.tokenRequests).toHaveLength(0);
    const id = await connected(50_000);
    const seen: unknown[] = [];
    upstream.onCall(async () => void seen.push((await stored(id)).credentials.token));
    expect((await call(id)).status).toBe(200);
    expect(upstream.tokenRequests).toHaveLength(1);
    expect(seen).toEqual(upstream.calls);
  });

  it(`${type}: a token that is refused early is issued again, once for 20 calls`, async () => {
    const id = await connected(HOUR);
    upstream.acceptedTokens.clear();
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(id)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(upstream.tokenRequests).toHaveLength(1);
  });

  it(`${type}: a refusal makes the connection invalid with the reason, and nobody is asked again`, async () => {
    const id = await connected(-1000);
    upstream.onToken(() => ({
      status: 401,
      body: { error: "invalid_client", error_description: "The key was revoked" },
    }));
    expect((await call(id)).status).toBe(400);
    expect((await call(id)).status).toBe(400);
    expect(upstream.tokenRequests).toHaveLength(1);
    const { is_valid, invalid_reason, credentials } = await stored(id);
    expect({ is_valid, invalid_reason }).toEqual({
      is_valid: false,
      invalid_reason: "invalid_client: The key was revoked",
    });
    expect(Object.values(credentials)).not.toContain("");
    expect(services[0]!.logs()).not.toContain("made-up-password");
  });

  it(`${type}: a failure that may be temporary is tried three times, and the connection stays valid`, async () => {
    const id = await connected(-1000);
    upstream.onToken(() => ({ status: 500, body: { error: "invalid_client" } }));
    expect((await call(id)).status).toBe(503);
    expect(upstream.tokenRequests).toHaveLength(3);
    expect((await stored(id)).is_valid).toBe(true);
    upstream.onToken(() => upstream.grant());
    expect((await call(id)).status).toBe(200);
  });

  it(`${type}: an answer that is lost costs one more token, and nothing else`, async () => {
    const id = await connected(-1000);
    let lost = 1;
    upstream.onToken(() => (lost-- > 0 ? { ...upstream.grant(), drop: true } : upstream.grant()));
    expect((await call(id)).status).toBe(200);
    expect(upstream.tokenRequests).toHaveLength(2);
    expect(await stored(id)).toMatchObject({ is_valid: true });
  });

  it(`${type}: credentials that a user has given meanwhile are not overwritten`, async () => {
    const id = await connected(-1000);
    const hold = gate();
    upstream.onToken(async () => {
      await hold.pass();
      return upstream.grant();
    });
    const calling = call(id);
    await hold.reached;
    const newer = { ...(await stored(id)).credentials, password: "newer", token: "newer-token" };
    upstream.acceptedTokens.add("newer-token");
    await services[0]!.store.connections.update(id, { credentials: newer, expires_at: inMs(HOUR) });
    hold.open();
    expect((await calling).status).toBe(200);
    expect((await stored(id)).credentials).toEqual(newer);
  });

  it(`${type}: the form reconnects a connection that became invalid`, async () => {
    const id = await connected(-1000);
    await change(id, { is_valid: false, invalid_reason: "test" });
    upstream.onToken(() => upstream.grant());
    const { auth_token, ...login } = body;
    const values = auth_token ? { secret: auth_token } : login;
    const { connection_id } = await connectAccount(application, { connection_id: id }, values);
    expect(connection_id).toBe(id);
    expect((await call(id)).status).toBe(200);
    expect(await stored(id)).toMatchObject({ is_valid: true, invalid_reason: null });
  });
});

it("a token that is refused as often as it is issued ends in an invalid connection, not in a storm", async () => {
  const { provider, type, body } = kinds[0]!;
  const application = await createApplication(services[0]!, provider, type, {
    integration: { base_url: upstream.url },
  });
  upstream.onToken(() => upstream.grant());
  const { id } = await application.platform("POST", "/connections", {
    integration_id: application.integrationId,
    ...body,
  });
  upstream.onToken(() => {
    const answer = upstream.grant();
    upstream.acceptedTokens.clear();
    return answer;
  });
  upstream.acceptedTokens.clear();
  upstream.tokenRequests.length = 0;
  const statuses: number[] = [];
  for (let calls = 0; calls < 6; calls++) {
    const response = await fetch(`${services[0]!.url}/proxy/contacts`, {
      headers: { authorization: `Bearer ${application.apiKey}`, "svc-connection-id": id },
    });
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  expect(upstream.tokenRequests.length).toBeLessThan(3);
  expect(statuses.at(-1)).toBe(400);
  expect(await application.platform("GET", `/connections/${id}`)).toMatchObject({
    is_valid: false,
    invalid_reason: expect.stringContaining("refused the credentials"),
  });
});

it("a deleted connection's token is revoked at the declared address, by the client that it was issued to", async () => {
  const { provider, type, body } = kinds[0]!;
  const application = await createApplication(services[0]!, provider, type, {
    integration: { base_url: upstream.url },
  });
  upstream.onToken(() => upstream.grant());
  const { id } = await application.platform("POST", "/connections", {
    integration_id: application.integrationId,
    ...body,
  });
  await createPlatform(services[0]!, application.apiKey)("DELETE", `/v1/connections/${id}`);
  expect(upstream.revocations.map((fields) => Object.fromEntries(fields))).toEqual([
    {
      token: expect.stringMatching(/^access-/),
      token_type_hint: "access_token",
      client_id: "client-1",
      client_secret: "made-up-password",
    },
  ]);
});
