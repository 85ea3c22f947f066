// Attacks on signing in and on roles: by an issuer that lies, by whoever controls what a browser sends, and by people
// who want more than their role. Each is tried, and nobody may be signed in afterwards.
import type { KeyObject } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, type MockInstance, vi } from "vitest";
import { assertSafe } from "../../src/engine/openid-connect.ts";
import { safeNext } from "../../src/surfaces/dashboard/session/sign-in.ts";
import { hiddenValue, newLink } from "../dashboard/support/visitor.ts";
import { startService, type TestService } from "../support/service.ts";
import { Browser, type BrowserRequest, type Page } from "./support/browser.ts";
import {
  CLIENT,
  type HostileIssuer,
  hmac,
  type Misbehavior,
  signedBy,
  startHostileIssuer,
} from "./support/hostile-issuer.ts";

const HOUR = 60 * 60_000;

let issuer: HostileIssuer;
let service: TestService;
let opened: MockInstance;
/** Each attempt is made hours after the one before, so that nothing about the issuer is cached. */
let clock = Date.now();
beforeAll(async () => {
  issuer = await startHostileIssuer();
  service = await startService({
    env: {
      OIDC_ISSUER: issuer.url,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_ALLOWED_DOMAINS: "example.com",
      OIDC_ROLES: "staff=admin@sandbox,readers=viewer@production",
      UPSTREAM_TIMEOUT_MS: "10000",
    },
  });
  for (const name of ["production", "foreign"]) await service.createWorkspace(name);
});
afterAll(async () => {
  await service?.close();
  await issuer?.close();
});
beforeEach(() => {
  clock += 2 * HOUR;
  vi.useFakeTimers({ toFake: ["Date"], now: clock });
  issuer.misbehave({});
  opened = vi.spyOn(service.store.dashboard, "openPersonSession");
});
afterEach(() => {
  opened.mockRestore();
  vi.useRealTimers();
});

type Parameters = Record<string, string>;

const startUrl = () => `${service.config.dashboardUrl}/oidc/start`;
const callbackUrl = (parameters: Parameters | URLSearchParams) =>
  `${service.config.dashboardUrl}/oidc/callback?${new URLSearchParams(parameters)}`;

/** Begins a sign-in, and returns what the issuer sends the browser back with. */
async function begin(browser: Browser, query = ""): Promise<Parameters> {
  const { location } = await browser.send(`${startUrl()}${query}`);
  return issuer.authorize(new URL(location!).searchParams);
}

/** A sign-in in which the issuer misbehaves, or what the browser is sent back with is changed. */
async function attempt(
  browser: Browser,
  how: Misbehavior = {},
  change: (answer: Parameters) => Parameters = (answer) => answer,
): Promise<Page> {
  issuer.misbehave(how);
  const page = await browser.send(startUrl());
  if (page.status !== 303) return page;
  return browser.send(callbackUrl(change(issuer.authorize(new URL(page.location!).searchParams))));
}

const without = (name: string) => (answer: Parameters) =>
  Object.fromEntries(Object.entries(answer).filter(([key]) => key !== name));
const now = () => Math.floor(Date.now() / 1000);

/** The userinfo endpoint answers with a token, which is signed by this key. */
const signedUserinfo = (key: KeyObject): Misbehavior => {
  const [header, claims] = [
    { alg: "RS256", kid: issuer.kid },
    { sub: "mallory", groups: ["staff"] },
  ].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  const token = `${header}.${claims}.${signedBy(key)(`${header}.${claims}`)}`;
  return {
    claims: { groups: undefined },
    discovery: { userinfo_signing_alg_values_supported: ["RS256"] },
    answer: { userinfo: (response) => response.writeHead(200, { "content-type": "application/jwt" }).end(token) },
  };
};

describe("an issuer and a browser that do nothing wrong", () => {
  it.each<[string, () => Misbehavior]>([
    ["as it is", () => ({})],
    ["with a token that expired half a minute ago", () => ({ claims: { exp: now() - 30 } })],
    ["with a token that is valid in half a minute", () => ({ claims: { nbf: now() + 30, iat: now() + 30 } })],
    [
      "with the second key",
      () => ({ header: { kid: issuer.secondKid }, signature: signedBy(issuer.second.privateKey) }),
    ],
    ["with an audience in a list", () => ({ claims: { aud: [CLIENT.id] } })],
    [
      "with two audiences and ours as the authorized party",
      () => ({ claims: { aud: [CLIENT.id, "b"], azp: CLIENT.id } }),
    ],
    ["with a group as a text", () => ({ claims: { groups: "staff" } })],
    ["with the address in capitals", () => ({ claims: { email: "Mallory@EXAMPLE.com" } })],
    [
      "with groups from the userinfo endpoint",
      () => ({ claims: { groups: undefined }, userinfo: { groups: ["staff"] } }),
    ],
    ["with groups from a signed answer of the userinfo endpoint", () => signedUserinfo(issuer.keys.privateKey)],
  ])("the sign-in succeeds %s", async (_, how) => {
    const browser = new Browser();
    const page = await attempt(browser, how());
    expect([page.status, page.location, page.html]).toEqual([303, `${service.url}/dashboard`, ""]);
    expect(await service.parts.engine.authenticate(browser.session)).toMatchObject({ actor: { name: "Mallory" } });
  });
});

const BAD_FLOW = [400, "This sign-in cannot be completed"] as const;
const BAD_ANSWER = [502, "answer was refused"] as const;
const UNAVAILABLE = [503, "identity provider is unavailable"] as const;
const NO_ROLE = [403, "You have no role here"] as const;
const NO_DOMAIN = [403, "Your account may not sign in here"] as const;

/** Each attack, with the status and a text of the page that it gets. */
type Attack = [string, (browser: Browser) => Promise<Page>, readonly [status: number, text: string]];

const byBrowser: Attack[] = [
  ["no state", (browser) => attempt(browser, {}, without("state")), BAD_FLOW],
  ["an empty state", (browser) => attempt(browser, {}, (answer) => ({ ...answer, state: "" })), BAD_FLOW],
  ["a made-up state", (browser) => attempt(browser, {}, (answer) => ({ ...answer, state: "A".repeat(43) })), BAD_FLOW],
  [
    "the state of an earlier sign-in of the same browser",
    async (browser) => {
      const earlier = await begin(browser);
      await begin(browser);
      return browser.send(callbackUrl(earlier));
    },
    BAD_FLOW,
  ],
  [
    "the answer to a sign-in that the attacker began: the victim would use the attacker's account",
    async (browser) => {
      const answer = await begin(new Browser());
      await begin(browser);
      return browser.send(callbackUrl(answer));
    },
    BAD_FLOW,
  ],
  ["an answer without a sign-in", async (browser) => browser.send(callbackUrl(await begin(new Browser()))), BAD_FLOW],
  ["an answer of nothing", (browser) => browser.send(callbackUrl({})), BAD_FLOW],
  [
    "an answer that is sent again with the cookie of the first time, to an issuer that accepts used codes",
    async (browser) => {
      issuer.misbehave({ acceptsAnyCode: true });
      const answer = await begin(browser);
      const cookies = [...browser.cookies];
      const { status } = await browser.send(callbackUrl(answer));
      expect(status).toBe(303);
      opened.mockClear();
      browser.cookies.clear();
      for (const [name, value] of cookies) browser.cookies.set(name, value);
      return browser.send(callbackUrl(answer));
    },
    BAD_FLOW,
  ],
  [
    "a sign-in that takes longer than ten minutes",
    async (browser) => {
      const answer = await begin(browser);
      vi.setSystemTime(Date.now() + 11 * 60_000);
      return browser.send(callbackUrl(answer));
    },
    BAD_FLOW,
  ],
  ...(
    [
      ["a cookie with a later end", (parts) => [parts[0]!, String(Date.now() + HOUR), ...parts.slice(2)]],
      ["a cookie with another page to continue with", (parts) => parts.with(2, btoa("//evil.example.com"))],
      ["a cookie with another value", (parts) => parts.with(0, "A".repeat(43))],
      ["a cookie without a signature", (parts) => parts.slice(0, 3)],
      ["a cookie with an empty signature", (parts) => parts.with(3, "")],
      [
        "a cookie whose parts are divided differently",
        (parts) => [`${parts[0]}.${parts[1]}`, "", parts[2]!, parts[3]!],
      ],
    ] satisfies [string, (parts: string[]) => string[]][]
  ).map(
    ([name, change]): Attack => [
      name,
      async (browser) => {
        const answer = await begin(browser);
        const value = browser.cookies.get("plugboard-sign-in")!;
        browser.cookies.set("plugboard-sign-in", change(value.split(".")).join("."));
        return browser.send(callbackUrl(answer));
      },
      BAD_FLOW,
    ],
  ),
  ["two states", (browser) => attemptTwice(browser, "state"), BAD_ANSWER],
  ["two codes", (browser) => attemptTwice(browser, "code"), BAD_ANSWER],
  ["no code", (browser) => attempt(browser, {}, without("code")), BAD_ANSWER],
  ["a made-up code", (browser) => attempt(browser, {}, (answer) => ({ ...answer, code: "made-up" })), BAD_ANSWER],
  ...[false, true].map(
    (acceptsAnyCode): Attack => [
      `a code that was used, at an issuer that ${acceptsAnyCode ? "accepts" : "refuses"} it`,
      async (browser) => {
        issuer.misbehave({ acceptsAnyCode });
        const used = await begin(browser);
        expect((await browser.send(callbackUrl(used))).status).toBe(303);
        opened.mockClear();
        return browser.send(callbackUrl({ ...(await begin(browser)), code: used.code! }));
      },
      BAD_ANSWER,
    ],
  ),
  [
    "a code of another browser, which PKCE binds to it",
    async (browser) => {
      const stolen = await begin(new Browser());
      const answer = await begin(browser);
      return browser.send(callbackUrl({ ...answer, code: stolen.code! }));
    },
    BAD_ANSWER,
  ],
  [
    "a code of another browser at an issuer without PKCE, whose token has the other nonce",
    async (browser) => {
      issuer.misbehave({ acceptsAnyCode: true });
      const stolen = await begin(new Browser());
      const answer = await begin(browser);
      return browser.send(callbackUrl({ ...answer, code: stolen.code! }));
    },
    BAD_ANSWER,
  ],
  [
    "an ID token in the address",
    (browser) => attempt(browser, {}, (answer) => ({ ...answer, id_token: "a.b.c" })),
    BAD_ANSWER,
  ],
  [
    "a signed answer in the address",
    (browser) => attempt(browser, {}, (answer) => ({ ...answer, response: "a.b.c" })),
    BAD_ANSWER,
  ],
  [
    "an error with markup in its description",
    (browser) =>
      attempt(browser, {}, ({ state, iss }) => ({
        error: "access_denied",
        error_description: "<script>alert(1)</script>",
        state: state!,
        iss: iss!,
      })),
    [403, "or you canceled it (access_denied)."],
  ],
  [
    "an answer by POST",
    async (browser) => browser.send(callbackUrl({}).slice(0, -1), { form: await begin(browser) }),
    [404, "Not found"],
  ],
  [
    "groups, a role and another subject in the address",
    (browser) =>
      attempt(browser, { claims: { groups: [] } }, (answer) => ({
        ...answer,
        groups: "staff",
        role: "admin",
        sub: "ada",
      })),
    NO_ROLE,
  ],
];

async function attemptTwice(browser: Browser, name: string): Promise<Page> {
  const parameters = new URLSearchParams(await begin(browser));
  parameters.append(name, "another");
  return browser.send(callbackUrl(parameters));
}

const tokenWith = (name: string, how: () => Misbehavior, expected: Attack[2] = BAD_ANSWER): Attack => [
  name,
  (browser) => attempt(browser, how()),
  expected,
];

const publicPem = () => issuer.keys.publicKey.export({ type: "spki", format: "pem" });
const stripped = (token: string) => token.replace(/[^.]*$/, "");

const byIssuer: Attack[] = [
  // The answer's sender
  [
    "another issuer in the answer",
    (browser) => attempt(browser, {}, (answer) => ({ ...answer, iss: "https://evil.example.com" })),
    BAD_ANSWER,
  ],
  ["no issuer in the answer, although it announces one", (browser) => attempt(browser, {}, without("iss")), BAD_ANSWER],

  // Claims
  tokenWith("a token of another issuer", () => ({ claims: { iss: "https://evil.example.com" } })),
  tokenWith("a token of an issuer with a longer name", () => ({ claims: { iss: `${issuer.url}/` } })),
  tokenWith("a token without an issuer", () => ({ claims: { iss: undefined } })),
  tokenWith("a token for another client", () => ({ claims: { aud: "another" } })),
  tokenWith("a token for nobody", () => ({ claims: { aud: undefined } })),
  tokenWith("a token for several clients that names no authorized party", () => ({
    claims: { aud: [CLIENT.id, "another"] },
  })),
  tokenWith("a token for several clients, issued to another", () => ({
    claims: { aud: [CLIENT.id, "another"], azp: "another" },
  })),
  tokenWith("a token for us, issued to another", () => ({ claims: { azp: "another" } })),
  tokenWith("a token without a subject", () => ({ claims: { sub: undefined } })),
  tokenWith("a token with an empty subject", () => ({ claims: { sub: "" } })),
  tokenWith("a token with a number as its subject", () => ({ claims: { sub: 1 } })),
  tokenWith("a token with an endless subject", () => ({ claims: { sub: "x".repeat(256) } })),
  tokenWith("a token that expired more than a minute ago", () => ({ claims: { exp: now() - 61 } })),
  tokenWith("a token that never expires", () => ({ claims: { exp: undefined } })),
  tokenWith("a token with a text as its end", () => ({ claims: { exp: "9999999999" } })),
  tokenWith("a token that is not valid yet", () => ({ claims: { nbf: now() + 90 } })),
  tokenWith("a token without the time of its issue", () => ({ claims: { iat: undefined } })),
  tokenWith("a token without a nonce", () => ({ claims: { nonce: undefined } })),
  tokenWith("a token with another nonce", () => ({ claims: { nonce: "A".repeat(43) } })),
  [
    "a token with the nonce of an earlier sign-in of the same browser",
    async (browser) => {
      const page = await browser.send(startUrl());
      const nonce = new URL(page.location!).searchParams.get("nonce");
      return attempt(browser, { claims: { nonce } });
    },
    BAD_ANSWER,
  ],

  // Signatures
  tokenWith("alg none", () => ({ header: { alg: "none", kid: undefined }, signature: () => "" })),
  tokenWith("alg none, announced", () => ({
    header: { alg: "none", kid: undefined },
    signature: () => "",
    discovery: { id_token_signing_alg_values_supported: ["none", "RS256"] },
  })),
  tokenWith("alg None", () => ({ header: { alg: "None" }, signature: () => "" })),
  tokenWith("HS256 with the public key as the secret", () => ({
    header: { alg: "HS256" },
    signature: hmac(publicPem()),
  })),
  tokenWith("HS256 with the public key, announced", () => ({
    header: { alg: "HS256" },
    signature: hmac(publicPem()),
    discovery: { id_token_signing_alg_values_supported: ["HS256", "RS256"] },
  })),
  tokenWith("HS256 with the client's secret, announced", () => ({
    header: { alg: "HS256", kid: undefined },
    signature: hmac(CLIENT.secret),
    discovery: { id_token_signing_alg_values_supported: ["HS256", "RS256"] },
  })),
  tokenWith("an algorithm that is not announced", () => ({ header: { alg: "PS256" } })),
  tokenWith("an unknown key", () => ({ header: { kid: "unknown" } })),
  tokenWith("an unknown key that signs with the id of a known one", () => ({
    signature: signedBy(issuer.foreign.privateKey),
  })),
  tokenWith("the id of another known key", () => ({ header: { kid: issuer.secondKid } })),
  tokenWith("no key id, although there are two keys", () => ({ header: { kid: undefined } })),
  tokenWith("a signature that is left out", () => ({ idToken: stripped })),
  tokenWith("a token of two parts", () => ({ idToken: (token) => token.split(".").slice(0, 2).join(".") })),
  tokenWith("a token of five parts", () => ({ idToken: (token) => `${token}.a.b` })),
  tokenWith("a signature of something else", () => ({
    signature: () => signedBy(issuer.keys.privateKey)("something else"),
  })),
  tokenWith("a key in the token's header", () => ({
    header: { kid: "mine", jwk: issuer.publicJwk(issuer.foreign.publicKey, "mine") },
    signature: signedBy(issuer.foreign.privateKey),
  })),
  tokenWith("the address of keys in the token's header", () => ({
    header: { kid: "mine", jku: "https://evil.example.com/jwks", x5u: "https://evil.example.com/x5u" },
    signature: signedBy(issuer.foreign.privateKey),
  })),
  tokenWith("a critical header that nobody knows", () => ({ header: { crit: ["b64"], b64: false } })),

  // The token endpoint
  tokenWith("no ID token", () => ({ token: { id_token: undefined } })),
  tokenWith("an ID token that is none", () => ({ token: { id_token: "not a token" } })),
  tokenWith("a list as the ID token", () => ({ token: { id_token: ["a.b.c"] } })),
  tokenWith("no access token", () => ({ token: { access_token: undefined } })),
  tokenWith("an error of the token endpoint", () => ({
    answer: {
      token: (response) => response.writeHead(400, { "content-type": "application/json" }).end('{"error":"<b>x"}'),
    },
  })),
  tokenWith("a page in place of tokens", () => ({
    answer: { token: (response) => response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hello</h1>") },
  })),
  tokenWith("nothing in place of tokens", () => ({ answer: { token: (response) => response.writeHead(204).end() } })),
  tokenWith("a redirect in place of tokens", () => ({
    answer: { token: (response) => response.writeHead(307, { location: "http://127.0.0.1:1/" }).end() },
  })),
  tokenWith("megabytes in place of tokens", () => ({
    answer: {
      token: (response) =>
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ a: "x".repeat(3_000_000) })),
    },
  })),
  tokenWith("JSON that is nested without end", () => ({
    answer: {
      token: (response) =>
        response.writeHead(200, { "content-type": "application/json" }).end("[".repeat(100_000) + "]".repeat(100_000)),
    },
  })),
  tokenWith(
    "an error 500",
    () => ({ answer: { token: (response) => response.writeHead(500).end("stack trace") } }),
    UNAVAILABLE,
  ),
  tokenWith("a connection that breaks", () => ({ answer: { token: (response) => response.destroy() } }), UNAVAILABLE),
  tokenWith("an answer that never comes", () => ({ answer: { token: () => {} } }), UNAVAILABLE),

  // Discovery and keys
  tokenWith("a discovery document of another issuer", () => ({ discovery: { issuer: "https://evil.example.com" } })),
  tokenWith("a discovery document without an issuer", () => ({ discovery: { issuer: undefined } })),
  tokenWith("a discovery document whose issuer is no address", () => ({ discovery: { issuer: "issuer" } })),
  ...["authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint", "end_session_endpoint"].flatMap(
    (name) => [
      tokenWith(
        `${name} without encryption at another host`,
        () => ({ discovery: { [name]: "http://evil.example.com/" } }),
        [502, `no safe ${name}`],
      ),
      tokenWith(`${name} that is a script`, () => ({ discovery: { [name]: "javascript:alert(1)" } }), [
        502,
        `no safe ${name}`,
      ]),
    ],
  ),
  tokenWith("a token endpoint in the private network", () => ({ discovery: { token_endpoint: "https://10.0.0.1/" } }), [
    502,
    "is a private address",
  ]),
  tokenWith("keys at a private address", () => ({ discovery: { jwks_uri: "https://169.254.169.254/" } }), [
    502,
    "is a private address",
  ]),
  tokenWith("a page in place of keys", () => ({ answer: { jwks: (response) => response.writeHead(200).end("<h1>") } })),
  tokenWith("keys that are no list", () => ({
    answer: {
      jwks: (response) => response.writeHead(200, { "content-type": "application/json" }).end('{"keys":"none"}'),
    },
  })),
  tokenWith("discovery that redirects", () => ({
    answer: { discovery: (response) => response.writeHead(302, { location: "/elsewhere" }).end() },
  })),

  // Groups and addresses
  tokenWith("userinfo about somebody else", () => ({
    claims: { groups: undefined },
    userinfo: { sub: "ada", groups: ["staff"] },
  })),
  tokenWith("userinfo about nobody", () => ({
    claims: { groups: undefined },
    userinfo: { sub: undefined, groups: ["staff"] },
  })),
  tokenWith("userinfo as a token that another key signed", () => signedUserinfo(issuer.foreign.privateKey)),
  tokenWith("userinfo as an unsigned token", () => ({
    claims: { groups: undefined },
    answer: {
      userinfo: (response) =>
        response
          .writeHead(200, { "content-type": "application/jwt" })
          .end(`${btoa('{"alg":"none"}')}.${btoa('{"sub":"mallory","groups":["staff"]}')}.`),
    },
  })),
  tokenWith(
    "userinfo that has the address, and other groups than the token",
    () => ({
      claims: { groups: ["x"], email: undefined },
      userinfo: { email: "mallory@example.com", email_verified: true, groups: ["staff"] },
    }),
    NO_ROLE,
  ),
  tokenWith(
    "userinfo that adds a group to those of the token",
    () => ({ claims: { groups: ["x"] }, userinfo: { groups: ["staff"] } }),
    NO_ROLE,
  ),
  tokenWith(
    "a group whose name begins with another's",
    () => ({ claims: { groups: ["staff2", "staf", "STAFF", " staff", "staff=admin"] } }),
    NO_ROLE,
  ),
  tokenWith("the group *", () => ({ claims: { groups: ["*"] } }), NO_ROLE),
  tokenWith("several groups in one text", () => ({ claims: { groups: "x,staff" } }), NO_ROLE),
  tokenWith(
    "groups that are no texts",
    () => ({ claims: { groups: [["staff"], { name: "staff" }, 1, null] } }),
    NO_ROLE,
  ),
  tokenWith("an object of groups", () => ({ claims: { groups: { 0: "staff", length: 1 } } }), NO_ROLE),
  tokenWith(
    "groups in other claims",
    () => ({ claims: { groups: undefined, roles: ["staff"], "groups.0": "staff" } }),
    NO_ROLE,
  ),
  tokenWith("an address that is not verified", () => ({ claims: { email_verified: false } }), NO_DOMAIN),
  tokenWith("an address of which nothing is known", () => ({ claims: { email_verified: undefined } }), NO_DOMAIN),
  tokenWith("an address that is verified by a text", () => ({ claims: { email_verified: "false" } }), NO_DOMAIN),
  tokenWith(
    "an address that only userinfo verifies",
    () => ({
      claims: { groups: undefined, email_verified: undefined },
      userinfo: { groups: ["staff"], email: "mallory@example.com", email_verified: true },
    }),
    NO_DOMAIN,
  ),
  tokenWith("no address", () => ({ claims: { email: undefined } }), NO_DOMAIN),
  ...[
    "mallory@evil-example.com",
    "mallory@example.com.evil.org",
    "mallory@sub.example.com",
    "mallory@example.com@evil.org",
    "mallory@evil.org@example.com",
    "mallory@example.com ",
    "mallory@еxample.com",
    "@example.com",
    "example.com",
    "mallory@example.com\n",
  ].map((email) => tokenWith(`the address ${JSON.stringify(email)}`, () => ({ claims: { email } }), NO_DOMAIN)),
];

describe.each([
  ["by whoever controls what the browser sends", byBrowser],
  ["by the issuer, or whoever answers in its place", byIssuer],
])("attacks on signing in %s", (_, attacks) => {
  it.each(attacks)("nobody is signed in by an attack: %s", async (_name, attack, [status, text]) => {
    const browser = new Browser();
    const page = await attack(browser);
    expect([page.status, page.location]).toEqual([status, undefined]);
    expect(page.html).toContain(text);
    expect(page.html).not.toMatch(/<script>|<b>x|stack trace/);
    // Nobody is signed in, in the browser or elsewhere.
    expect(page.headers.getSetCookie().join()).not.toMatch(/plugboard-session=\w/);
    expect(opened).not.toHaveBeenCalled();
  });
});

/** Signed in with this group. */
async function enter(group: string): Promise<{ browser: Browser; page: Page }> {
  const browser = new Browser();
  await attempt(browser, { claims: { groups: [group] } });
  const page = await browser.send(service.config.dashboardUrl);
  expect(page.status).toBe(200);
  return { browser, page };
}
const send = (browser: Browser, path: string, request?: BrowserRequest) =>
  browser.send(`${service.config.dashboardUrl}${path}`, request);
const workspaceId = async (name: string) => (await service.store.workspaces.byName(name))!.id;
const csrf = (page: Page) => hiddenValue(page.html, "csrf");

const byPeople: Attack[] = [
  ...(["foreign", "sandbox"] as const).map(
    (name): Attack => [
      `a viewer of another workspace switches to ${name}`,
      async () => {
        const { browser, page } = await enter("readers");
        return send(browser, "/workspace", { form: { csrf: csrf(page), workspace: await workspaceId(name) } });
      },
      [403, "You have no role in that workspace"],
    ],
  ),
  [
    "switching without a token of the form",
    async () => {
      const { browser } = await enter("readers");
      return send(browser, "/workspace", { form: { workspace: await workspaceId("production") } });
    },
    [403, "The form was refused"],
  ],
  [
    "switching by a form of another site",
    async () => {
      const { browser, page } = await enter("readers");
      const form = { csrf: csrf(page), workspace: await workspaceId("production") };
      return send(browser, "/workspace", { form, headers: { origin: "https://evil.example.com" } });
    },
    [403, "The form was refused"],
  ],
  [
    "switching by a link",
    async () => {
      const { browser, page } = await enter("readers");
      return send(browser, `/workspace?csrf=${csrf(page)}&workspace=${await workspaceId("production")}`);
    },
    [404, "Not found"],
  ],
  [
    "switching with a session of a link",
    async () => {
      const browser = new Browser();
      await send(browser, "/sign-in", { form: { link: await newLink(service) } });
      const page = await send(browser, "");
      return send(browser, "/workspace", { form: { csrf: csrf(page), workspace: await workspaceId("production") } });
    },
    [403, "You have no role in that workspace"],
  ],
  [
    "the form of another session",
    async () => {
      const { page } = await enter("staff");
      const { browser } = await enter("staff");
      return send(browser, "/keys", { form: { csrf: csrf(page), name: "stolen" } });
    },
    [403, "The form was refused"],
  ],
  [
    "a viewer creates a key, and says that they are an admin",
    async () => {
      const { browser, page } = await enter("readers");
      const form = {
        csrf: csrf(page),
        name: "stolen",
        role: "admin",
        groups: "staff",
        workspace: await workspaceId("sandbox"),
      };
      return send(browser, "/keys?role=admin&groups=staff", { form, headers: { "x-role": "admin" } });
    },
    [403, "This needs the role admin"],
  ],
  [
    "a viewer opens a connection of another workspace",
    async () => {
      const { browser } = await enter("readers");
      return send(browser, `/connections/${service.connections.slack}`);
    },
    [404, "Not found"],
  ],
];

describe("attacks on roles", () => {
  const keysOf = async () =>
    Promise.all(
      (await service.store.workspaces.list()).map(async ({ id }) =>
        (await service.store.keys.list(id, { offset: 0, limit: 100 })).map((key) => key.id),
      ),
    );

  it.each(byPeople)("a person gets nothing that their role does not have: %s", async (_, attack, [status, text]) => {
    const before = await keysOf();
    const moved = vi.spyOn(service.store.dashboard, "moveSession");
    const page = await attack(new Browser());
    expect([page.status, page.html]).toEqual([status, expect.stringContaining(text)]);
    expect(moved).not.toHaveBeenCalled();
    moved.mockRestore();
    expect(await keysOf()).toEqual(before);
  });

  it("a session that somebody planted in the browser is not the one that is signed in", async () => {
    const planted = await enter("readers");
    const browser = new Browser();
    browser.cookies.set("plugboard-session", planted.browser.session!);
    await attempt(browser);
    expect(browser.session).not.toBe(planted.browser.session);
    expect((await send(planted.browser, "")).status).toBe(303);
    expect(await service.parts.engine.authenticate(browser.session)).toMatchObject({ scopes: ["*"] });
  });

  it("the token of a person's session is no API key, and the sign-in's cookie no session", async () => {
    const { browser } = await enter("staff");
    for (const path of ["/platform/v1/workspace", "/platform/v1/api-keys"]) {
      const headers = { authorization: `Bearer ${browser.session}` };
      expect((await fetch(`${service.url}${path}`, { headers })).status).toBe(401);
    }
    const other = new Browser();
    await begin(other);
    other.cookies.set("plugboard-session", other.cookies.get("plugboard-sign-in")!);
    expect((await send(other, "")).status).toBe(303);
  });
});

describe("after signing in, nothing leads away from the dashboard", () => {
  it.each([
    "https://evil.example.com",
    "https:evil.example.com",
    "//evil.example.com/dashboard",
    "///evil.example.com/dashboard",
    "/\\evil.example.com/dashboard",
    "\\\\evil.example.com/dashboard",
    "%2f%2fevil.example.com",
    "/%5cevil.example.com",
    "/dashboard/../../evil",
    "/dashboard\r\nlocation: https://evil.example.com",
    "/dashboard\r\nset-cookie: plugboard-session=x",
    "\t//evil.example.com",
    "javascript:alert(1)",
    "data:text/html,x",
    "/dashboardx",
    "/dashboard@evil.example.com",
    "http://dashboard.invalid@evil.example.com/dashboard",
    `/dashboard/${"x".repeat(5_000)}`,
  ])("next=%j", async (next) => {
    const browser = new Browser();
    const answer = await begin(browser, `?next=${encodeURIComponent(next)}`);
    const page = await browser.send(callbackUrl(answer));
    expect(page.status).toBe(303);
    expect(page.headers.get("location")).toMatch(/^\/dashboard([/?]|$)(?!\/)/);
    expect(safeNext(page.headers.get("location"))).toBe(page.headers.get("location"));
    expect(new URL(page.location!).origin).toBe(service.url);
    expect(page.headers.getSetCookie()).toHaveLength(2);
  });
});

it("an issuer with encryption has no endpoint without, not even at its own host", () => {
  const secure = {
    issuer: "https://login.example.com",
    authorization_endpoint: "https://login.example.com/authorize",
    token_endpoint: "https://login.example.com/token",
    jwks_uri: "https://keys.example.com/",
  };
  const check = (change: object) => () => assertSafe(new URL(secure.issuer), { ...secure, ...change });
  expect(check({})).not.toThrow();
  for (const [name, value] of Object.entries({ ...secure, userinfo_endpoint: secure.token_endpoint }).slice(1)) {
    expect(check({ [name]: value.replace("https:", "http:") })).toThrow(`no safe ${name}`);
    expect(check({ [name]: "/relative" })).toThrow(`no safe ${name}`);
  }
  expect(check({ token_endpoint: undefined })).toThrow("no safe token_endpoint");
});
