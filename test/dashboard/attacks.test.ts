// Attacks on the dashboard's sessions, forms and pages: each is tried, and nothing may have changed afterwards.
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { safeNext } from "../../src/surfaces/dashboard/session/sign-in.ts";
import { startService, type TestService } from "../support/service.ts";
import { type Answer, newLink, signIn, Visitor } from "./support/visitor.ts";

const EVIL = "https://evil.example.com";
const SCRIPT = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`;

let service: TestService;
let victim: Visitor;
/** Signed in to another workspace. */
let attacker: Visitor;
let attackerKey: string;
beforeAll(async () => {
  service = await startService();
  attackerKey = await service.createWorkspace("attacker");
  [victim, attacker] = await Promise.all([signIn(service), signIn(service, "attacker")]);
});
afterAll(() => service.close());

const ownId = () => service.connections.slack!;
const token = (visitor: Visitor) => visitor.cookie.split("=")[1]!;

/** What an attack could change. */
async function state(): Promise<unknown> {
  const workspaces = await service.store.workspaces.list();
  return Promise.all(
    workspaces.map(async ({ id, name, redirect_uris }) => {
      const page = { offset: 0, limit: 1000 };
      const [keys, connections, integrations] = await Promise.all([
        service.store.keys.list(id, page),
        service.store.connections.list(id, page, {}),
        service.store.integrations.list(id, page),
      ]);
      const ids = [keys, connections, integrations].map((rows) => rows.map((row: { id: string }) => row.id));
      return { name, redirect_uris, ids, external: connections.map(({ external_id }) => external_id) };
    }),
  );
}

/** Sends the victim's cookie with whatever else the attack consists of. */
const asVictim = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
  const visitor = new Visitor(service);
  visitor.cookie = victim.cookie;
  return visitor.post(path, fields, { headers });
};
const withCookie = (cookie: string, path = "") => {
  const visitor = new Visitor(service);
  visitor.cookie = cookie;
  return visitor.get(path);
};
/** `fetch` does not send some headers as they are given. */
async function raw(path: string, headers: Record<string, string>, method = "POST", body?: string): Promise<Answer> {
  const response = await request(`${service.url}${path}`, {
    method: method as "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const { location } = response.headers;
  const html = await response.body.text();
  return { status: response.statusCode, headers: new Headers(), location: (location as string) ?? null, html };
}
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
const newKey = () => form({ csrf: victim.csrf, name: "stolen" });

const REFUSED = 403;
const SIGNED_OUT = 303;

/** Each attack, and the status that it gets. */
const attacks: [string, () => Promise<{ status: number }>, number][] = [
  // Forms of other sites
  ["a form of another site", () => asVictim("/keys", { csrf: victim.csrf }, { origin: EVIL }), REFUSED],
  ["a form of a frame without an origin", () => asVictim("/keys", { csrf: victim.csrf }, { origin: "null" }), REFUSED],
  [
    "a site whose name begins with ours",
    () => asVictim("/keys", { csrf: victim.csrf }, { origin: `${service.url}.evil.example.com` }),
    REFUSED,
  ],
  [
    "another port of this machine",
    () => asVictim("/keys", { csrf: victim.csrf }, { origin: "http://127.0.0.1:1" }),
    REFUSED,
  ],
  ["an origin with a path", () => asVictim("/keys", { csrf: victim.csrf }, { origin: `${service.url}/` }), REFUSED],
  [
    "a user name in the origin",
    () => asVictim("/keys", { csrf: victim.csrf }, { origin: service.url.replace("//", "//a@") }),
    REFUSED,
  ],
  [
    "Sec-Fetch-Site: cross-site with our origin",
    () => asVictim("/keys", { csrf: victim.csrf }, { "sec-fetch-site": "cross-site" }),
    REFUSED,
  ],
  [
    "Sec-Fetch-Site: same-site",
    () => asVictim("/keys", { csrf: victim.csrf }, { "sec-fetch-site": "same-site" }),
    REFUSED,
  ],
  ["Sec-Fetch-Site: none", () => asVictim("/keys", { csrf: victim.csrf }, { "sec-fetch-site": "none" }), REFUSED],
  ["a form without any origin", () => raw("/dashboard/keys", { cookie: victim.cookie }, "POST", newKey()), REFUSED],
  [
    "signing in from another site",
    () => new Visitor(service).post("/sign-in", { api_key: attackerKey }, { headers: { origin: EVIL } }),
    REFUSED,
  ],
  ["signing out from another site", () => asVictim("/sign-out", { csrf: victim.csrf }, { origin: EVIL }), REFUSED],

  // Tokens of forms
  ["a form without a token", () => asVictim("/keys", { csrf: "" }), REFUSED],
  ["a made-up token", () => asVictim("/keys", { csrf: "A".repeat(43) }), REFUSED],
  ["the token of another session", () => asVictim("/keys", { csrf: attacker.csrf }), REFUSED],
  ["a token that is cut", () => asVictim("/keys", { csrf: victim.csrf.slice(0, -1) }), REFUSED],
  ["the token in the address", () => asVictim(`/keys?csrf=${victim.csrf}`, { csrf: "" }), REFUSED],
  [
    "JSON in place of a form",
    () =>
      raw(
        "/dashboard/keys",
        { cookie: victim.cookie, origin: service.url, "content-type": "application/json" },
        "POST",
        JSON.stringify({ csrf: victim.csrf }),
      ),
    400,
  ],
  [
    "plain text that looks like a form",
    () =>
      raw(
        "/dashboard/keys",
        { cookie: victim.cookie, origin: service.url, "content-type": "text/plain" },
        "POST",
        newKey(),
      ),
    400,
  ],

  // Other methods
  ["a form that is sent with GET", () => victim.get(`/connections/${ownId()}/test?csrf=${victim.csrf}`), 404],
  ["a method in the address", () => victim.get(`/connections/${ownId()}/delete?_method=POST&csrf=${victim.csrf}`), 200],
  [
    "a method in a header",
    () => victim.get(`/connections/${ownId()}/delete`, { headers: { "x-http-method-override": "POST" } }),
    200,
  ],
  [
    "DELETE",
    () => raw(`/dashboard/connections/${ownId()}`, { cookie: victim.cookie, origin: service.url }, "DELETE"),
    404,
  ],

  // Cookies
  ["no cookie", () => withCookie(""), SIGNED_OUT],
  ["a made-up session", () => withCookie(`plugboard-session=pbs_${"a".repeat(48)}`), SIGNED_OUT],
  [
    "a changed session",
    () => withCookie(`${victim.cookie.slice(0, -1)}${victim.cookie.endsWith("a") ? "b" : "a"}`),
    SIGNED_OUT,
  ],
  ["a longer session", () => withCookie(`${victim.cookie}a`), SIGNED_OUT],
  ["an API key as the session", () => withCookie(`plugboard-session=${service.apiKey}`), SIGNED_OUT],
  ["a link as the session", async () => withCookie(`plugboard-session=${await newLink(service)}`), SIGNED_OUT],
  ["the name of the secure cookie", () => withCookie(`__Host-plugboard-session=${token(victim)}`), SIGNED_OUT],
  ["a NUL and a quote in the cookie", () => withCookie(`plugboard-session=pbs_'%00--`), SIGNED_OUT],
  [
    "the session's hash",
    async () => {
      const { hashToken } = await import("../../src/surfaces/dashboard/session/session.ts");
      return withCookie(`plugboard-session=pbs_${hashToken(token(victim)).slice(0, 48)}`);
    },
    SIGNED_OUT,
  ],
  ["a session as the link", () => new Visitor(service).post("/sign-in", { link: token(victim) }), 400],
  ["a session as the API key", () => new Visitor(service).post("/sign-in", { api_key: token(victim) }), 400],

  // Another workspace
  ["another workspace's connection", () => attacker.get(`/connections/${ownId()}`), 404],
  ["a test call over another workspace's connection", () => attacker.post(`/connections/${ownId()}/test`), 404],
  ["a reconnect link of another workspace's connection", () => attacker.post(`/connections/${ownId()}/reconnect`), 404],
  ["deleting another workspace's connection", () => attacker.post(`/connections/${ownId()}/delete`), 404],
  [
    "changing another workspace's connection",
    () => attacker.post(`/connections/${ownId()}`, { external_id: "mine", metadata: "" }),
    404,
  ],
  ["another workspace's integration", () => attacker.get(`/integrations/${service.integrations.slack}`), 404],
  [
    "deleting another workspace's integration",
    () => attacker.post(`/integrations/${service.integrations.slack}/delete`),
    404,
  ],
  ["exploring over another workspace's connection", () => attacker.get(`/explorer?connection=${ownId()}`), 404],
  [
    "sending over another workspace's connection",
    () => attacker.post("/explorer", { connection: ownId(), operation: "identity.getMe", do: "send" }),
    404,
  ],
  [
    "connecting to another workspace's integration",
    () => attacker.post("/connect", { integrations: service.integrations.slack!, external_id: "x" }),
    400,
  ],

  // Paths
  ["dots in an id", () => raw(`/dashboard/connections/..%2f..%2fworkspace`, { cookie: victim.cookie }, "GET"), 404],
  [
    "dots in the id of what is deleted",
    () => asVictim("/connections/..%2Fapi-keys/delete", { csrf: victim.csrf }),
    404,
  ],
  ["a query in an id", () => raw("/dashboard/connections/x%3Flimit=1", { cookie: victim.cookie }, "GET"), 404],
  ["dots in an asset", () => raw("/dashboard/assets/..%2findex.ts", {}, "GET"), 404],
  ["a file next to the assets", () => raw("/dashboard/assets/../assets.ts", {}, "GET"), 404],
  ["a double slash", () => raw("/dashboard//connections", { cookie: victim.cookie }, "GET"), 404],
  ["another case of the path", () => raw("/Dashboard", { cookie: victim.cookie }, "GET"), 404],
  ["a form that never ends in size", () => asVictim("/keys", { csrf: victim.csrf, name: "x".repeat(600_000) }), 400],
];

describe("attacks on the dashboard", () => {
  it.each(attacks)("an attack on the dashboard is refused and changes nothing: %s", async (_, attack, expected) => {
    const before = await state();
    const { status } = await attack();
    expect(status).toBe(expected);
    expect(await state()).toEqual(before);
    // The victim is still signed in.
    expect((await victim.get("/settings")).status).toBe(200);
  });

  it("a page of one workspace contains nothing of another", async () => {
    await service.createWorkspace("bystander");
    const bystander = await signIn(service, "bystander");
    const pages = [
      "",
      "/connections",
      "/integrations",
      "/explorer",
      "/requests",
      "/events",
      "/keys",
      "/settings",
      "/connect",
    ];
    for (const path of pages) {
      const { html, status } = await bystander.get(path);
      expect(status).toBe(200);
      for (const id of [
        ...Object.values(service.connections),
        ...Object.values(service.integrations),
        service.clientId,
      ])
        expect(html).not.toContain(id);
    }
  });

  it.each([
    EVIL,
    "//evil.example.com/dashboard",
    "/\\evil.example.com/dashboard",
    "\\\\evil.example.com",
    "/dashboard/../docs",
    "/dashboardx",
    "javascript:alert(1)",
    "http:/dashboard",
    "/dashboard@evil.example.com",
    "\t//evil.example.com",
    " //evil.example.com",
    "/%5cevil.example.com",
    `${EVIL}/dashboard`,
  ])("after signing in, %j does not lead away", async (next) => {
    const { location } = await new Visitor(service).post("/sign-in", { api_key: service.apiKey, next });
    expect(location).toMatch(/^\/dashboard(\/[^/\\]|$)/);
    expect(safeNext(next)).toBe(location);
  });

  it("every text that is stored is escaped on every page that shows it", async () => {
    const visitor = await signIn(service);
    await visitor.post(`/connections/${service.connections.github}`, {
      external_id: SCRIPT,
      metadata: JSON.stringify({ a: SCRIPT }),
    });
    await visitor.post("/keys", { name: SCRIPT });
    await visitor.post("/settings", { name: SCRIPT, redirect_uris: "" });
    await visitor.post(`/integrations/${service.integrations.github}`, {
      type: "oauth2",
      name: SCRIPT,
      base_url: "sandbox",
    });
    await service.store.connections.update(service.connections.github!, { is_valid: false, invalid_reason: SCRIPT });
    await fetch(`${service.url}/unified/v1/${encodeURIComponent(SCRIPT)}`, {
      headers: { authorization: `Bearer ${service.apiKey}`, "x-request-id": "a" },
    });
    await fetch(`${service.url}/sandbox/github/user?${SCRIPT}`);
    await service.parts.requestLog.flush();
    const id = service.connections.github;
    const integration = service.integrations.github;
    const query = encodeURIComponent(SCRIPT);
    const paths = [
      "",
      "/connections",
      `/connections/${id}`,
      `/connections/${id}/delete`,
      "/connect",
      "/integrations",
      `/integrations/${integration}`,
      `/integrations/${integration}/delete`,
      `/explorer?connection=${id}`,
      "/requests",
      "/events",
      "/keys",
      `/keys/${query}/delete`,
      "/settings",
      "/sandbox",
      `/connections?external_id=${query}`,
      `/requests?request_id=${query}`,
      `/events?type=${query}`,
      `/integrations/new?q=${query}`,
      `/new-provider?template=${query}`,
      `/new-provider?from=${query}`,
      `/providers/${query}`,
      `/sign-in?next=${query}`,
      `/?done=${query}`,
    ];
    for (const path of paths) {
      const { html } = await visitor.get(path);
      expect(html, path).not.toContain("<script>alert");
      expect(html, path).not.toContain("<img src=x");
    }
    expect((await visitor.get(`/connections/${id}`)).html).toContain("&lt;script&gt;alert(1)");
    await visitor.post("/settings", { name: "sandbox", redirect_uris: "" });
  });

  it("no page can be framed, cached, sniffed or run inline scripts, and the cookie is out of reach", async () => {
    const visitor = new Visitor(service);
    const signedIn = await visitor.post("/sign-in", { link: await newLink(service, "attacker") });
    expect(signedIn.headers.get("set-cookie")).toMatch(
      /^plugboard-session=pbs_\w{48}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    for (const path of ["", "/sign-in", "/connections", "/nowhere"]) {
      const { headers, html } = await visitor.get(path);
      expect(headers.get("content-security-policy")).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      );
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("x-frame-options")).toBe("DENY");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("access-control-allow-origin")).toBeNull();
      expect(html).not.toMatch(/<script(?! src=)|<style|\sstyle=|\son[a-z]+=/);
    }
  });

  it("with https the cookie is secure and bound to its host, and behind a proxy that ends https it is secure", async () => {
    const forwarded = await new Visitor(service).post(
      "/sign-in",
      { link: await newLink(service) },
      { headers: { "x-forwarded-proto": "https" } },
    );
    expect(forwarded.headers.get("set-cookie")).toContain("; Secure");
    const secure = await startService({ env: { DASHBOARD_URL: "https://plugboard.example.com/dashboard" } });
    try {
      const link = await newLink(secure);
      const headers = { origin: "https://plugboard.example.com" };
      const { headers: answered } = await new Visitor(secure).post("/sign-in", { link }, { headers });
      expect(answered.get("set-cookie")).toMatch(
        /^__Host-plugboard-session=pbs_\w{48}; .*Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      );
    } finally {
      await secure.close();
    }
  });
});

describe("the token of a session", () => {
  it("the token of a session opens no API from outside, however it is sent", async () => {
    const session = token(victim);
    const bearer = { authorization: `Bearer ${session}` };
    const over = { "svc-connection-id": ownId() };
    const combined = { authorization: `Bearer ${session}.${ownId()}` };
    const attempts: [string, Record<string, string>, string?][] = [
      ["/platform/v1/connections", bearer],
      ["/platform/v1/api-keys", { authorization: `Basic ${btoa(`${session}:`)}` }],
      ["/platform/v1/workspace", { ...bearer, "plugboard-in-process": "true" }],
      ["/platform/v1/workspace", { ...bearer, host: "dashboard.invalid" }],
      ["/platform/v1/connect-sessions", bearer, "{}"],
      ["/unified/v1/me", { ...bearer, ...over }],
      ["/unified/v1/me?fields=id", { ...bearer, ...over }],
      ["/unified/mcp", { ...bearer, ...over }, "{}"],
      ["/proxy/auth.test", { ...bearer, ...over }],
      ["/proxy/auth.test", combined],
      ["/proxy/auth.test", { ...over, authorization: `token ${session}` }],
      ["/mcp", combined, "{}"],
      ["/auth/connection", bearer, "{}"],
    ];
    for (const [path, headers, body] of attempts) {
      const { status } = await raw(
        path,
        { ...headers, "content-type": "application/json" },
        body === undefined ? "GET" : "POST",
        body,
      );
      expect([path, headers, status]).toEqual([path, headers, 401]);
    }
    expect((await victim.get("")).status).toBe(200);
  });
});
