import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { newApiKey, newId } from "../../src/runtime/ids.ts";
import { hashToken, SESSION_TTL_MS } from "../../src/surfaces/dashboard/session/session.ts";
import { startService, type TestService } from "../support/service.ts";
import { newLink, signIn, Visitor } from "./support/visitor.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const overviewStatus = async (visitor: Visitor) => (await visitor.get("")).status;

describe("signing in to the dashboard", () => {
  it("a browser at / is sent to the dashboard, and from there to the sign-in page; a program gets the same 404 as before", async () => {
    const visitor = new Visitor(service);
    expect(await visitor.send("/")).toMatchObject({ status: 302, location: "/dashboard" });
    expect(await visitor.get("")).toMatchObject({ status: 303, location: "/dashboard/sign-in" });
    const program = await fetch(service.url, { headers: { accept: "*/*" } });
    expect([program.status, await program.json()]).toEqual([404, expect.objectContaining({ success: false })]);
  });

  it("a link signs in once, and looking at it does not use it up", async () => {
    const link = await newLink(service);
    const visitor = new Visitor(service);
    for (const method of ["HEAD", "GET", "GET"])
      expect((await visitor.get(`/sign-in?link=${link}`, { method })).status).toBe(200);
    expect((await visitor.get(`/sign-in?link=${link}`)).html).toContain('<strong class="anywhere">sandbox</strong>');
    expect(await visitor.post("/sign-in", { link })).toMatchObject({ status: 303, location: "/dashboard" });
    expect(await overviewStatus(visitor)).toBe(200);

    const late = new Visitor(service);
    const again = await late.post("/sign-in", { link });
    expect([again.status, late.cookie]).toEqual([400, ""]);
    expect(again.html).toContain("This link no longer works");
  });

  it("of two browsers that use the same link at the same time, one is signed in", async () => {
    const link = await newLink(service);
    const answers = await Promise.all(Array.from({ length: 5 }, () => new Visitor(service).post("/sign-in", { link })));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 400, 400, 400, 400]);
  });

  it("an API key signs in, and the session ends with the key", async () => {
    const key = await service.createWorkspace("keyed");
    const visitor = new Visitor(service);
    expect((await visitor.post("/sign-in", { api_key: ` ${key} ` })).status).toBe(303);
    const page = await visitor.get("");
    expect([page.status, page.html.includes("keyed")]).toEqual([200, true]);
    const headers = { authorization: `Bearer ${key}` };
    const [{ id, last_used_at }] = (await (await fetch(`${service.url}/platform/v1/api-keys`, { headers })).json()) as [
      { id: string; last_used_at: string | null },
    ];
    expect(last_used_at).not.toBeNull();
    await fetch(`${service.url}/platform/v1/api-keys/${id}`, { method: "DELETE", headers });
    expect(await visitor.get("")).toMatchObject({ status: 303, location: "/dashboard/sign-in" });
  });

  it.each([
    ["", "This field is required"],
    ["sk_unknown", "This key is unknown"],
  ])("the key %j is refused next to its field", async (api_key, problem) => {
    const visitor = new Visitor(service);
    const { status, html } = await visitor.post("/sign-in", { api_key });
    expect([status, visitor.cookie]).toEqual([400, ""]);
    expect(html).toContain(`id="api_key-problem">${problem}`);
    expect(html).not.toContain("sk_unknown");
  });

  it.each<[string, object, string]>([
    [
      "lacks scopes",
      { scopes: ["unified:write", "connections:write", "logs:read"] },
      "it lacks integrations:read, events:read, keys:read, workspace:read, providers:read",
    ],
    ["is bound to a user", { external_id: "customer-1" }, "This key is for the user customer-1 only"],
    ["is bound to connections", { connection_ids: ["conn_1"] }, "This key is for some connections only"],
    ["has expired", { expires_at: "2020-01-31T00:00:00.000Z" }, "This key expired 2020-01-31"],
  ])("a key that %s is refused at sign-in, with the reason next to its field", async (_, permissions, reason) => {
    const { id } = (await service.store.workspaces.byName("sandbox"))!;
    const { key, hash, prefix } = newApiKey();
    await service.store.keys.create({ id: newId("key"), workspace_id: id, name: null, prefix, hash, ...permissions });
    const visitor = new Visitor(service);
    const { status, html } = await visitor.post("/sign-in", { api_key: key });
    expect([status, visitor.cookie]).toEqual([400, ""]);
    expect(/id="api_key-problem">([^<]*)</.exec(html)?.[1]).toContain(reason);
    expect(html).not.toContain(key);
  });

  it("after signing in, the page that was asked for is shown", async () => {
    const visitor = new Visitor(service);
    const { location } = await visitor.get("/?external_id=a%26b");
    const signInPage = await visitor.send(location!);
    expect(signInPage.html).toContain('name="next" value="/dashboard/?external_id=a%26b"');
    const next = new URL(location!, service.url).searchParams.get("next")!;
    expect((await visitor.post("/sign-in", { api_key: service.apiKey, next })).location).toBe(next);
  });

  it("signing out ends the session everywhere, and signing in again ends the session before", async () => {
    const visitor = await signIn(service);
    const { cookie } = visitor;
    expect(await visitor.post("/sign-out")).toMatchObject({ status: 303, location: "/dashboard/sign-in" });
    expect(visitor.cookie).toBe("");
    visitor.cookie = cookie;
    expect(await overviewStatus(visitor)).toBe(303);

    const second = await signIn(service);
    const earlier = second.cookie;
    await second.post("/sign-in", { link: await newLink(service) });
    expect(await overviewStatus(second)).toBe(200);
    second.cookie = earlier;
    expect(await overviewStatus(second)).toBe(303);
  });

  it("a session ends after twelve hours, also while it is cached", async () => {
    const visitor = await signIn(service);
    expect(await overviewStatus(visitor)).toBe(200);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + SESSION_TTL_MS + 1000 });
    try {
      expect(await overviewStatus(visitor)).toBe(303);
    } finally {
      vi.useRealTimers();
    }
  });

  it("a link expires after fifteen minutes", async () => {
    const link = await newLink(service);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 15 * 60_000 + 1000 });
    try {
      expect((await new Visitor(service).get(`/sign-in?link=${link}`)).status).toBe(400);
      expect((await new Visitor(service).post("/sign-in", { link })).status).toBe(400);
    } finally {
      vi.useRealTimers();
    }
  });

  it("neither links nor session tokens are stored or logged", async () => {
    const link = await newLink(service);
    const visitor = new Visitor(service);
    await visitor.get(`/sign-in?link=${link}`);
    await visitor.post("/sign-in", { link });
    await visitor.get("");
    const token = visitor.cookie.split("=")[1]!;
    expect(token).toMatch(/^pbs_\w{48}$/);
    for (const secret of [link, token]) expect(service.logs()).not.toContain(secret);
    expect(await service.store.dashboard.session(token)).toBeUndefined();
    expect(await service.store.dashboard.session(hashToken(token))).toBeDefined();
  });

  it("what the dashboard reads is not in the request log", async () => {
    const visitor = await signIn(service);
    await visitor.get("");
    await service.parts.requestLog.flush();
    const headers = { authorization: `Bearer ${service.apiKey}` };
    const logs = (await (await fetch(`${service.url}/platform/v1/logs`, { headers })).json()) as { path: string }[];
    expect(logs.filter(({ path }) => path === "/platform/v1/connections")).toEqual([]);
  });
});

describe("a service without a dashboard", () => {
  it("DASHBOARD=off: a browser gets the same 404 everywhere", async () => {
    const without = await startService({ env: { DASHBOARD: "off" } });
    try {
      for (const path of ["/", "/dashboard", "/dashboard/sign-in", "/dashboard/assets/style.css"])
        expect((await new Visitor(without).send(path)).status).toBe(404);
    } finally {
      await without.close();
    }
  });

  it("a host of a single surface does not serve it", async () => {
    const split = await startService({ env: { PROXY_URL: "http://proxy.example.com" } });
    try {
      const { host, port } = split.config;
      const { statusCode } = await rawGet(host, port, "/dashboard", "proxy.example.com");
      expect(statusCode).not.toBe(303);
      expect((await rawGet(host, port, "/", "proxy.example.com")).location).toBeUndefined();
      // Its own calls are not rewritten by any host.
      expect(await overviewStatus(await signIn(split))).toBe(200);
    } finally {
      await split.close();
    }
  });
});

/** `fetch` cannot send another `Host`. */
async function rawGet(host: string, port: number, path: string, name: string) {
  const { request } = await import("undici");
  const { statusCode, headers, body } = await request(`http://${host}:${port}${path}`, {
    headers: { host: name, accept: "text/html" },
  });
  await body.dump();
  return { statusCode, location: headers.location };
}
