import { generateKeyPairSync, verify } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import type { Credentials } from "../../contracts/authentication.ts";
import type { Integration } from "../../contracts/entities.ts";
import { issuedTokens, type Manifest } from "../../contracts/manifest.ts";
import type { Telemetry } from "../../contracts/telemetry.ts";
import { clientCredentials, signedJwt, twoStep } from "../../provider-kit/issued-tokens.ts";
import { createCallWithRetries } from "../http/attempts.ts";
import type { BufferedResponse } from "../http/buffer-response.ts";
import type { TransportRequest } from "../http/transport.ts";
import { createTokenIssuer, issuedGrant } from "./issue-token.ts";

const help = "https://acme.example/keys";
const client = { type: "client_credentials", client_id: null, client_secret: null } as const;
const user: Credentials = { username: "client-1", password: "made-up-secret-1" };

interface Scenario {
  auth: Manifest["auth"];
  manifest?: Partial<Manifest>;
  integration: Partial<Integration>;
  credentials?: Credentials;
  settings?: Record<string, string>;
  answer?: { status?: number; headers?: Record<string, string>; body?: unknown; text?: string };
}

/** Issues a token, and returns it or the error with everything that was sent. */
async function issue({ auth, manifest, integration, credentials = {}, settings = {}, answer = {} }: Scenario) {
  const connection = testConnection({ manifest: { ...manifest, auth }, integration, record: { settings } });
  const {
    status = 200,
    headers = { "content-type": "application/json" },
    body = { access_token: "a", expires_in: 60 },
  } = answer;
  const bytes = Buffer.from(answer.text ?? JSON.stringify(body));
  const buffer = vi.fn(
    async (_: TransportRequest) => ({ statusCode: status, headers, bytes, release() {} }) as BufferedResponse,
  );
  const calls = createCallWithRetries({ firstMs: 1000, retryMs: 1000 }, { upstream() {} } as unknown as Telemetry);
  const order = {
    manifest: connection.provider.manifest,
    integration: connection.integration,
    credentials,
    settings,
    address: connection.address,
  };
  const outcome = await createTokenIssuer(
    { buffer },
    calls,
  )(order).then(
    (token) => ({ token, error: undefined }),
    (error: Error & { code?: string; kind?: string }) => ({ token: undefined, error }),
  );
  return { ...outcome, sent: buffer.mock.calls.map(([request]) => request) };
}

const form = ({ body }: TransportRequest) => Object.fromEntries(new URLSearchParams(String(body)));

describe("what is sent", () => {
  it("a user's client credentials go into the body, with scopes, audience and further parameters", async () => {
    const options = {
      help,
      scopes: ["a", "b"],
      scopeDelimiter: ",",
      audience: "https://api",
      parameters: { x: "{x}", y: "{y}" },
    };
    const { sent, token } = await issue({
      auth: { client_credentials: clientCredentials(options) },
      integration: client,
      credentials: user,
      settings: { x: "1" },
    });
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ origin: "https://acme.example", path: "/token", method: "POST" });
    expect(sent[0]!.headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect(form(sent[0]!)).toEqual({
      grant_type: "client_credentials",
      scope: "a,b",
      audience: "https://api",
      x: "1",
      client_id: "client-1",
      client_secret: "made-up-secret-1",
    });
    expect(token).toEqual({ access_token: "a", expires_in: 60 });
  });

  it("the integration's client credentials win as a pair, form-encoded for Basic, in JSON if the provider wants it", async () => {
    const options = { help, tokenRequestAuth: "basic", tokenRequestBody: "json" } as const;
    const auth = { client_credentials: clientCredentials(options) };
    const own = { ...client, client_id: "our id", client_secret: "s:100%" };
    const [sent] = (await issue({ auth, integration: own, credentials: user })).sent;
    const basic = Buffer.from(String(sent!.headers.authorization).slice(6), "base64").toString();
    expect(basic).toBe("our+id:s%3A100%25");
    expect(JSON.parse(String(sent!.body))).toEqual({ grant_type: "client_credentials" });
    // A secret of the user never goes with the integration's client.
    const half = { ...client, client_id: "our id", client_secret: null };
    const [other] = (await issue({ auth, integration: half, credentials: user })).sent;
    expect(Buffer.from(String(other!.headers.authorization).slice(6), "base64").toString()).toBe(
      "client-1:made-up-secret-1",
    );
  });

  it("the integration's scopes replace the default ones", async () => {
    const auth = { client_credentials: clientCredentials({ help, scopes: ["a"] }) };
    const { sent } = await issue({ auth, integration: { ...client, scopes: ["z"] }, credentials: user });
    expect(form(sent[0]!).scope).toBe("z");
  });

  const login = twoStep({
    asks: { username: "E-mail", password: "Password" },
    help,
    request: { method: "POST", to: "api", path: "/a/{account}/login", body: { u: ["{username}"], p: "{password}" } },
    token: "/data/0/token",
    expiresIn: "/ttl",
  });

  it("a login has the provider's own body and headers, and settings cannot leave their segment", async () => {
    const { sent, token } = await issue({
      auth: { two_step: login },
      manifest: { headers: { "X-Version": "2", "X-Region": "{region}" } },
      integration: { type: "two_step" },
      credentials: { username: "me", password: 'quote"d' },
      settings: { account: "a b/c" },
      answer: { body: { data: [{ token: "T" }], ttl: "120" } },
    });
    expect(sent[0]).toMatchObject({ origin: "https://api.acme.example", path: "/v1/a/a%20b%2Fc/login" });
    expect(sent[0]!.headers).toMatchObject({ "x-version": "2", "content-type": "application/json" });
    expect(sent[0]!.headers).not.toHaveProperty("x-region");
    expect(JSON.parse(String(sent[0]!.body))).toEqual({ u: ["me"], p: 'quote"d' });
    expect(token).toEqual({ access_token: "T", expires_in: 120 });
    const out = await issue({
      auth: { two_step: login },
      integration: { type: "two_step" },
      settings: { account: "../../elsewhere" },
    });
    expect(out).toMatchObject({ sent: [], error: { kind: "upstream_forbidden" } });
  });

  it("a JWT is signed with the user's key, begins in the past, and is exchanged", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const secret = String(privateKey.export({ type: "pkcs1", format: "pem" }));
    const jwt = signedJwt({
      algorithm: "RS256",
      claims: { iss: "{account}" },
      header: { kid: "{account}" },
      lifetime: 600,
      exchange: { scope: "all" },
      label: "Key",
      help,
    });
    // Line breaks as in JSON, as they are in an environment variable.
    for (const key of [secret, secret.replaceAll("\n", "\\n"), secret.replaceAll("\n", "\r\n")]) {
      const { sent } = await issue({
        auth: { jwt },
        integration: { type: "jwt" },
        credentials: { secret: key },
        settings: { account: "acme" },
      });
      const { assertion, ...others } = form(sent[0]!);
      expect(others).toEqual({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", scope: "all" });
      const [header, claims, signature] = assertion!.split(".");
      const parse = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString());
      expect(parse(header!)).toEqual({ alg: "RS256", typ: "JWT", kid: "acme" });
      const { iat, exp, ...rest } = parse(claims!);
      expect(rest).toEqual({ iss: "acme" });
      expect(exp - iat).toBe(600);
      expect(Math.abs(Date.now() / 1000 - 60 - iat)).toBeLessThan(5);
      const signed = Buffer.from(`${header}.${claims}`);
      expect(verify("sha256", signed, publicKey, Buffer.from(signature!, "base64url"))).toBe(true);
    }
  });

  it("a JWT that is sent as it is costs no request, and is used for less than it is valid", async () => {
    const jwt = signedJwt({ algorithm: "HS256", claims: {}, lifetime: 300, label: "Secret", help });
    const { sent, token } = await issue({ auth: { jwt }, integration: { type: "jwt" }, credentials: { secret: "s" } });
    expect(sent).toEqual([]);
    expect(token).toEqual({ access_token: expect.stringMatching(/^eyJ/), expires_in: 240 });
  });
});

describe("keys that cannot be used", () => {
  const jwt = (algorithm: "RS256" | "ES256" | "HS256") =>
    signedJwt({ algorithm, claims: {}, lifetime: 300, secretEncoding: "hex", label: "Key", help });
  const pem = { type: "pkcs8", format: "pem" } as const;
  const ec = String(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export(pem));
  const otherCurve = String(generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey.export(pem));
  const encrypted = String(
    generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
      ...pem,
      cipher: "aes-256-cbc",
      passphrase: "x",
    }),
  );

  it.each<[string, "RS256" | "ES256" | "HS256", string, string]>([
    ["text", "RS256", "not a key", "not a private key"],
    ["nothing", "ES256", "", "not a private key"],
    ["a key of another type", "RS256", ec, "not an RSA key"],
    ["another curve", "ES256", otherCurve, "P-256"],
    ["a key with a passphrase", "ES256", encrypted, "without a passphrase"],
    ["a secret in another encoding", "HS256", "zz", "not a secret in hex"],
  ])("%s is refused without a request, and no part of the key is quoted", async (_, algorithm, secret, message) => {
    const { error, sent } = await issue({
      auth: { jwt: jwt(algorithm) },
      integration: { type: "jwt" },
      credentials: { secret },
    });
    expect(sent).toEqual([]);
    expect(error).toMatchObject({ name: "GrantRefused", code: "unusable_key" });
    expect(error!.message).toContain(message);
    if (secret.length > 8) expect(error!.message).not.toContain(secret.slice(30, 60) || secret);
  });

  it("a key of the integration that cannot be used makes no connection invalid", async () => {
    const issued = { ...jwt("RS256"), needs: ["private_key"] as const };
    const { error } = await issue({ auth: { github_app: issued }, integration: { type: "github_app" } });
    expect(error).toMatchObject({ kind: "refresh_unavailable" });
  });
});

describe("what the provider answers", () => {
  const auth = { client_credentials: clientCredentials({ help }) };
  const answered = (answer: Scenario["answer"], integration: Partial<Integration> = client) =>
    issue({ auth, integration, credentials: user, ...(answer ? { answer } : {}) });

  it.each([
    ["401", { status: 401, body: { error: "x" } }],
    ["403 without a code", { status: 403, text: "<html>" }],
    ["400 with invalid_client", { status: 400, body: { error: "invalid_client" } }],
    ["400 with unauthorized_client", { status: 400, body: { error: "unauthorized_client" } }],
    ["400 with access_denied", { status: 400, body: { error: { code: "access_denied" } } }],
  ])("%s is a refusal", async (_, answer) => {
    expect((await answered(answer)).error).toMatchObject({ name: "GrantRefused" });
  });

  it.each([
    ["400 with another code", { status: 400, body: { error: "invalid_request" } }],
    ["403 with Retry-After", { status: 403, headers: { "retry-after": "5" }, body: {} }],
    ["429", { status: 429, body: {} }],
    ["500 with invalid_client", { status: 500, body: { error: "invalid_client" } }],
    ["200 without a token", { body: { ok: true } }],
    ["200 with null", { text: "null" }],
    ["200 with a list", { body: ["token"] }],
    ["a token that is an object", { body: { access_token: { toString: 1 } } }],
    ["a token with a line break", { body: { access_token: "a\r\nX-Evil: 1" } }],
    ["a token of 10 MB", { body: { access_token: "a".repeat(10_000_000) } }],
    ["a token by inheritance", { text: '{"__proto__": {"access_token": "a"}}' }],
    ["a redirect", { status: 302, headers: { location: "https://evil.example/token" }, body: {} }],
  ])("%s is no token and no refusal, and is not tried again here", async (_, answer) => {
    const { error, sent } = await answered(answer);
    expect(error).toMatchObject({ kind: "refresh_unavailable" });
    expect(sent).toHaveLength(1);
  });

  it("a refusal of the integration's own client makes no connection invalid", async () => {
    const own = { ...client, client_id: "ours", client_secret: "made-up-secret-2" };
    const { error } = await answered({ status: 401, body: { error: "invalid_client" } }, own);
    expect(error).toMatchObject({ kind: "refresh_unavailable" });
    expect(error!.message).toContain("the integration's client (invalid_client)");
  });

  it("an error that quotes the request has no secret in it", async () => {
    const basic = { client_credentials: clientCredentials({ help, tokenRequestAuth: "basic" }) };
    const encoded = Buffer.from("client-1:made-up-secret-1").toString("base64");
    const body = { error: "invalid_client", error_description: `client-1 / made-up-secret-1 / ${encoded} is wrong` };
    const { error } = await issue({
      auth: basic,
      integration: client,
      credentials: user,
      answer: { status: 401, body },
    });
    expect(error!.message).toBe("invalid_client: *** / *** / *** is wrong");
    const named = await answered({ status: 401, body: { error: "made-up-secret-1" } });
    expect(named.error!.message).not.toContain("made-up-secret");
  });

  it("an error does not quote the signed assertion that was sent, and a request without a body may be refused as well", async () => {
    const assertion = "eyJhbGciOiJFUzI1NiJ9.e30.c2lnbmF0dXJl";
    const refused = { status: 401, body: { error: "invalid_client", error_description: `${assertion} is wrong` } };
    const post = { method: "POST", to: "token", path: "/" } as const;
    for (const [request, message] of [
      [{ ...post, body: { json: { nested: { a: 1 }, assertion } } }, "invalid_client: *** is wrong"],
      [{ ...post, body: { form: { assertion } } }, "invalid_client: *** is wrong"],
      [{ ...post, method: "GET" }, `invalid_client: ${assertion} is wrong`],
    ] as const) {
      const issued = { asks: {}, help, issue: () => ({ request }) } as never;
      const { error } = await issue({ auth: { client_credentials: issued }, integration: client, answer: refused });
      expect(error!.message).toBe(message);
    }
  });

  it("an unreadable secret of the integration is reported, and nothing is sent", async () => {
    const { error, sent } = await answered({}, { ...client, unreadable: true });
    expect(error).toMatchObject({ kind: "credentials_unreadable" });
    expect(sent).toEqual([]);
  });
});

it("the user's credentials stay beside the token, whose lifetime is the answer's or the manifest's", () => {
  const issued = issuedTokens(
    { auth: { client_credentials: clientCredentials({ help, lifetime: 600 }) } },
    "client_credentials",
  )!;
  const at = (seconds: number) => new Date(seconds * 1000).toISOString();
  expect(issuedGrant({ access_token: "t", expires_in: 60 }, issued, user, 0)).toEqual({
    credentials: { ...user, token: "t" },
    expires_at: at(60),
  });
  expect(issuedGrant({ access_token: "t" }, issued, user, 0).expires_at).toBe(at(600));
  const { lifetime: _, ...forever } = issued;
  expect(issuedGrant({ access_token: "t" }, forever, user, 0).expires_at).toBeNull();
});
