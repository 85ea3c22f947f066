// What the dashboard does with these answers is tested in test/access.
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  CLIENT,
  type HostileIssuer,
  type Misbehavior,
  startHostileIssuer,
} from "../../test/access/support/hostile-issuer.ts";
import type { OidcSettings } from "../contracts/people.ts";
import { assertSafe, createOpenIdConnect, type OpenIdConnect } from "./openid-connect.ts";

const REDIRECT_URI = "https://plugboard.example/dashboard/oidc/callback";
const secrets = { state: "s".repeat(43), nonce: "n".repeat(43), verifier: "v".repeat(43) };

let issuer: HostileIssuer;
beforeAll(async () => {
  issuer = await startHostileIssuer();
});
afterAll(() => issuer.close());

/** Works with an issuer that misbehaves. */
async function withIssuer<Result>(how: Misbehavior, work: (oidc: OpenIdConnect) => Promise<Result>): Promise<Result> {
  issuer.misbehave(how);
  const settings: OidcSettings = {
    issuer: issuer.url,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    allowedDomains: undefined,
    groupsClaim: "groups",
    roles: [],
  };
  const oidc = createOpenIdConnect({
    settings,
    redirectUri: REDIRECT_URI,
    allowPrivateUpstreams: false,
    timeoutMs: 60_000,
  });
  try {
    return await work(oidc);
  } finally {
    await oidc.close();
  }
}

type Answer = Record<string, string>;

async function signIn(oidc: OpenIdConnect, change: (answer: Answer) => Answer = (answer) => answer) {
  const asked = new URL(await oidc.authorizationUrl(secrets)).searchParams;
  return oidc.person(new URLSearchParams(change(issuer.authorize(asked))), secrets);
}

const parametersOf = (url: string) => Object.fromEntries(new URL(url).searchParams);
const sendJson = (body: unknown) => (response: ServerResponse) =>
  void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));

it("a person is who the ID token says, and the userinfo endpoint is asked only for what is missing there", async () => {
  const mallory = {
    issuer: issuer.url,
    subject: "mallory",
    name: "Mallory",
    email: "mallory@example.com",
    verified_domain: "example.com",
    groups: ["staff"],
  };
  expect(await withIssuer({ userinfo: { groups: ["others"] } }, signIn)).toEqual(mallory);
  const without = { claims: { groups: undefined }, userinfo: { groups: ["others"] } };
  expect(await withIssuer(without, signIn)).toEqual({ ...mallory, groups: ["others"] });
  const unasked = { ...without, discovery: { userinfo_endpoint: undefined } };
  expect(await withIssuer(unasked, signIn)).toEqual({ ...mallory, groups: [] });
});

it("the browser is sent to the issuer with PKCE, and groups are asked for where they are a scope", async () => {
  const url = await withIssuer({}, ({ authorizationUrl }) => authorizationUrl(secrets));
  expect(url).toMatch(`${issuer.url}/authorize?`);
  expect(parametersOf(url)).toEqual({
    response_type: "code",
    client_id: CLIENT.id,
    redirect_uri: REDIRECT_URI,
    scope: "openid profile email",
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: "S256",
  });
  const withGroups = { discovery: { scopes_supported: ["openid", "groups"] } };
  const again = await withIssuer(withGroups, ({ authorizationUrl }) => authorizationUrl(secrets, "login"));
  expect(parametersOf(again)).toMatchObject({ scope: "openid profile email groups", prompt: "login" });
});

it("the browser can be sent to sign out at the issuer, if that has a page for it", async () => {
  const leave = ({ endSessionUrl }: OpenIdConnect) => endSessionUrl("https://plugboard.example/");
  const url = await withIssuer({}, leave);
  expect(url).toMatch(`${issuer.url}/leave?`);
  expect(parametersOf(url!)).toEqual({
    client_id: CLIENT.id,
    post_logout_redirect_uri: "https://plugboard.example/",
  });
  expect(await withIssuer({ discovery: { end_session_endpoint: undefined } }, leave)).toBeUndefined();
});

it.each<[string, string, string, Misbehavior, ((answer: Answer) => Answer)?]>([
  ["an unknown code", "invalid", "the issuer refused the code: invalid_grant", {}, (one) => ({ ...one, code: "x" })],
  [
    "a refusal",
    "denied",
    "access_denied: Not today",
    {},
    ({ state, iss }) => ({ state: state!, iss: iss!, error: "access_denied", error_description: "Not today" }),
  ],
  [
    "a refusal with markup",
    "denied",
    "access_denied",
    {},
    ({ state, iss }) => ({ state: state!, iss: iss!, error: "access_denied", error_description: "<b>No</b>" }),
  ],
  [
    "a refusal that cannot be shown",
    "denied",
    "it gave no reason",
    {},
    ({ state, iss }) => ({ state: state!, iss: iss!, error: "<b>" }),
  ],
  ["a token for another client", "invalid", "the ID token was issued to another client", { claims: { azp: "b" } }],
  ["an empty subject", "invalid", "the ID token has no valid subject", { claims: { sub: "" } }],
  ["a long subject", "invalid", "the ID token has no valid subject", { claims: { sub: "s".repeat(256) } }],
  [
    "another issuer",
    "invalid",
    'unexpected "iss" (issuer) response parameter value',
    {},
    (one) => ({ ...one, iss: "https://evil.example" }),
  ],
  [
    "an outage",
    "unavailable",
    "the identity provider answered 500",
    { answer: { token: (response) => response.writeHead(500).end() } },
  ],
  [
    "a limit",
    "unavailable",
    "the identity provider answered 429",
    { answer: { token: (response) => response.writeHead(429).end() } },
  ],
  [
    "an answer that is too large",
    "invalid",
    "the provider's response is larger than 1 MB",
    { answer: { token: (response) => response.writeHead(200).end("x".repeat(1024 * 1024 + 1)) } },
  ],
])("nobody is signed in after %s: %s, %s", async (_, reason, message, how, change) => {
  const failure = await withIssuer(how, (oidc) => signIn(oidc, change).catch((error: unknown) => error));
  expect(failure).toMatchObject({ name: "SignInFailure", reason, message });
});

it("nobody is signed in by a token that the issuer's keys did not sign", async () => {
  const forged: Misbehavior = { signature: () => "AAAA" };
  await expect(withIssuer(forged, signIn)).rejects.toMatchObject({ reason: "invalid" });
});

it("an issuer that closes the connection is unavailable", async () => {
  const silent: Misbehavior = { answer: { discovery: (response) => response.destroy() } };
  await expect(withIssuer(silent, signIn)).rejects.toMatchObject({
    reason: "unavailable",
    message: `${new URL(issuer.url).host} did not answer`,
  });
});

it("keys that the issuer has replaced are loaded again before a signature is refused", async () => {
  let reads = 0;
  const jwk = { ...issuer.publicJwk(issuer.foreign.publicKey, issuer.kid) };
  const own = issuer.publicJwk(issuer.keys.publicKey, issuer.kid);
  const replaced: Misbehavior = {
    answer: { jwks: (response) => sendJson({ keys: [reads++ === 0 ? jwk : own] })(response) },
  };
  expect(await withIssuer(replaced, signIn)).toMatchObject({ subject: "mallory" });
  expect(reads).toBe(2);
});

it("the issuer's own description is read once, however many ask for it, and reads have no body", async () => {
  const seen: (string | undefined)[] = [];
  const description = {
    issuer: issuer.url,
    authorization_endpoint: `${issuer.url}/authorize`,
    token_endpoint: `${issuer.url}/token`,
    jwks_uri: `${issuer.url}/jwks`,
  };
  const counted: Misbehavior = {
    answer: {
      discovery(response) {
        seen.push(response.req.headers["content-length"]);
        sendJson(description)(response);
      },
    },
  };
  await withIssuer(counted, async ({ authorizationUrl }) => {
    await Promise.all([authorizationUrl(secrets), authorizationUrl(secrets)]);
    await authorizationUrl(secrets);
  });
  expect(seen).toEqual([undefined]);
});

it("the client's secret is sent as the issuer takes it", async () => {
  const basic = { token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"] };
  expect(await withIssuer({ discovery: basic }, signIn)).toMatchObject({ subject: "mallory" });
  const inBody = { token_endpoint_auth_methods_supported: ["client_secret_post"] };
  // This issuer takes it in a header alone.
  await expect(withIssuer({ discovery: inBody }, signIn)).rejects.toThrow(
    "the issuer refused the code: invalid_client",
  );
});

it("an issuer's addresses must be encrypted, unless it is on this machine and so are they", () => {
  const addresses = (origin: string) => ({
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/jwks`,
  });
  const local = new URL("http://127.0.0.1:9000");
  const secure = new URL("https://id.example");
  assertSafe(secure, addresses("https://other.example"));
  assertSafe(local, addresses("http://127.0.0.1:9001"));
  assertSafe(local, addresses("https://other.example"));
  expect(() => assertSafe(secure, addresses("http://id.example"))).toThrow("no safe authorization_endpoint");
  expect(() => assertSafe(local, addresses("http://other.example"))).toThrow("no safe authorization_endpoint");
  const own = addresses("https://id.example");
  expect(() => assertSafe(secure, { ...own, jwks_uri: undefined } as never)).toThrow("no safe jwks_uri");
  expect(() => assertSafe(secure, { ...own, userinfo_endpoint: "http://id.example" })).toThrow(
    "no safe userinfo_endpoint",
  );
});
