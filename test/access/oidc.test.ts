// People who sign in to the dashboard at a complete OpenID provider.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { run as dashboardCommand } from "../../src/commands/dashboard.ts";
import { roleScopes } from "../../src/contracts/access.ts";
import { hashToken, SESSION_TTL_MS } from "../../src/surfaces/dashboard/session/session.ts";
import { hiddenValue, newLink } from "../dashboard/support/visitor.ts";
import { testDatabase } from "../support/postgres.ts";
import { startService, type TestService } from "../support/service.ts";
import { Browser, type Page } from "./support/browser.ts";
import { type Account, CLIENT, type Issuer, oidcEnv, signInAs, startIssuer } from "./support/real-issuer.ts";

const ROLES = "staff=admin@sandbox,devs=developer@staging,support=viewer@production,realm-viewer=viewer@sandbox";

const newAccounts = (): Record<string, Account> => ({
  ada: { name: "Ada Lovelace", email: "ada@example.com", email_verified: true, groups: ["staff"] },
  grace: { name: "Grace <b>Hopper</b>", email: "grace@example.com", groups: ["devs", "support", "unknown"] },
  vera: { email: "vera@example.com", email_verified: true, groups: ["support"] },
  nobody: { name: "No Body", email: "nobody@example.com", groups: ["cleaners"] },
  karl: { groups: undefined, realm_access: { roles: ["realm-viewer"] } },
});

/** Everything that a test started. */
let opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  for (const one of opened.reverse()) await one.close();
  opened = [];
});

async function start(issuer: Issuer, env: Record<string, string>): Promise<TestService> {
  const service = await startService({ env });
  opened.push(service);
  issuer.register(service.config.dashboardUrl);
  return service;
}

async function openIssuer(accounts = newAccounts(), options = {}): Promise<Issuer> {
  const issuer = await startIssuer(accounts, options);
  opened.push(issuer);
  return issuer;
}

const visit = (service: TestService, browser: Browser, path = "") =>
  browser.send(`${service.config.dashboardUrl}${path}`);

/** Sends a form of the page. */
const submit = (
  service: TestService,
  browser: Browser,
  page: Page,
  path: string,
  fields: Record<string, string> = {},
) =>
  browser.send(`${service.config.dashboardUrl}${path}`, { form: { csrf: hiddenValue(page.html, "csrf"), ...fields } });

/** Postgres, if there is one: the services below have SQLite. */
const database = await testDatabase();

describe("signing in with OpenID Connect", () => {
  const accounts = newAccounts();
  let issuer: Issuer;
  let service: TestService;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    issuer = await startIssuer(accounts);
    service = await startService({
      env: { ...oidcEnv(issuer, ROLES), ...(database ? { DATABASE_URL: database.url } : {}) },
    });
    issuer.register(service.config.dashboardUrl);
    for (const name of ["staging", "production"]) await service.createWorkspace(name);
    for (const { id, name } of await service.store.workspaces.list()) ids[name] = id;
  });
  afterAll(async () => {
    await service?.close();
    await issuer?.close();
    await database?.drop();
  });

  const callerOf = (browser: Browser) => service.parts.engine.authenticate(browser.session);

  it("the browser is sent to the issuer with PKCE, state and nonce, and nothing of that is used twice", async () => {
    const asked = await Promise.all(
      [1, 2].map(async () => {
        const { status, location } = await new Browser().send(`${service.config.dashboardUrl}/oidc/start`);
        expect(status).toBe(303);
        return new URL(location!);
      }),
    );
    const [first, second] = asked.map(({ searchParams }) => Object.fromEntries(searchParams));
    expect(asked[0]!.origin).toBe(issuer.url);
    expect(first).toMatchObject({
      response_type: "code",
      client_id: CLIENT.id,
      redirect_uri: `${service.config.dashboardUrl}/oidc/callback`,
      scope: "openid profile email groups",
      code_challenge_method: "S256",
    });
    for (const name of ["state", "nonce", "code_challenge"]) {
      expect(first![name]).toMatch(/^[\w-]{43}$/);
      expect(first![name]).not.toBe(second![name]);
    }
    expect(new Set([first!.state, first!.nonce, first!.code_challenge]).size).toBe(3);
  });

  it("a person is signed in with the role of their group, and continues with the page that they wanted", async () => {
    const { page, browser } = await signInAs(service, "ada", { next: "/dashboard/requests?path=%2Fa%26b" });
    expect([page.status, page.url]).toEqual([200, `${service.url}/dashboard/requests?path=%2Fa%26b`]);
    expect(page.html).toMatch(/<p class="who">.*Ada Lovelace.*<small>admin<\/small>/);
    expect(page.html).not.toContain('name="workspace"');
    expect(await callerOf(browser)).toMatchObject({
      workspace: { name: "sandbox" },
      actor: { kind: "person", id: `${issuer.url}#ada`, name: "Ada Lovelace" },
      scopes: roleScopes.admin,
      external_id: null,
      connection_ids: null,
    });
  });

  it("signing in, signing out and a sign-in without a role are in the audit log", async () => {
    const { browser, page } = await signInAs(service, "ada");
    await browser.send(`${service.config.dashboardUrl}/sign-out`, { form: { csrf: hiddenValue(page.html, "csrf") } });
    const { id } = (await service.store.workspaces.byName("sandbox"))!;
    const actor = { kind: "person", id: `${issuer.url}#ada`, name: "Ada Lovelace" };
    const entries = await service.store.audit.list(id, { limit: 2 }, { actor: actor.id });
    expect(entries).toMatchObject([
      { action: "dashboard.sign_out", actor, ip: "127.0.0.1", outcome: "success" },
      { action: "dashboard.sign_in", actor, ip: "127.0.0.1", outcome: "success" },
    ]);
    await signInAs(service, "nobody");
    const [refused] = await service.store.audit.list(null, { limit: 1 }, {});
    expect(refused).toMatchObject({
      action: "dashboard.sign_in",
      actor: { kind: "person", id: `${issuer.url}#nobody`, name: "No Body" },
      outcome: "refused",
    });
  });

  it("a session keeps who somebody is and their groups, and no tokens", async () => {
    const { browser } = await signInAs(service, "ada");
    const found = await service.store.dashboard.session(hashToken(browser.session!));
    expect(found?.person).toEqual({
      issuer: issuer.url,
      subject: "ada",
      name: "Ada Lovelace",
      email: "ada@example.com",
      verified_domain: "example.com",
      groups: ["staff"],
    });
    expect(service.logs()).not.toContain(browser.session);
    expect(service.logs()).not.toContain(CLIENT.secret);
  });

  it("a session of a person ends after twelve hours, also while it is cached", async () => {
    const { browser } = await signInAs(service, "ada");
    expect((await visit(service, browser)).status).toBe(200);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + SESSION_TTL_MS - 60_000 });
    expect((await visit(service, browser)).status).toBe(200);
    vi.setSystemTime(Date.now() + 61_000);
    expect(await visit(service, browser)).toMatchObject({ status: 303, location: `${service.url}/dashboard/sign-in` });
  });

  it("a viewer reads, and changes nothing", async () => {
    const { page, browser } = await signInAs(service, "vera");
    expect(page.html).toMatch(/vera@example\.com.*<small>viewer<\/small>/);
    expect(page.html).toContain("production");
    const refused = await submit(service, browser, page, "/keys", { name: "stolen" });
    expect([refused.status, refused.html]).toEqual([403, expect.stringContaining("This needs the role admin")]);
    expect(await service.store.keys.list(ids.production!, { offset: 0, limit: 10 })).toHaveLength(1);
  });

  it("a name is shown as text", async () => {
    const { page } = await signInAs(service, "grace");
    expect(page.html).toContain("Grace &lt;b&gt;Hopper&lt;/b&gt;");
    expect(page.html).not.toContain("<b>Hopper");
  });

  it("somebody with roles in two workspaces begins with the stronger one, and switches between exactly those", async () => {
    const { page, browser } = await signInAs(service, "grace");
    expect(await callerOf(browser)).toMatchObject({ workspace: { name: "staging" }, scopes: roleScopes.developer });
    const options = [...page.html.matchAll(/<option value="(ws_\w+)"( selected)?>([^<]*)/g)].map((found) =>
      found.slice(1),
    );
    expect(options).toEqual([
      [ids.production, undefined, "production (viewer)"],
      [ids.staging, " selected", "staging (developer)"],
    ]);
    const switched = await submit(service, browser, page, "/workspace", { workspace: ids.production! });
    expect(switched).toMatchObject({ status: 303, location: `${service.url}/dashboard` });
    expect(await callerOf(browser)).toMatchObject({ workspace: { name: "production" }, scopes: roleScopes.viewer });
    expect((await visit(service, browser)).html).toMatch(/<option value="\w+" selected>production \(viewer\)/);

    // A page of the workspace before cannot change this one.
    const viewed = await visit(service, browser);
    await submit(service, browser, viewed, "/workspace", { workspace: ids.staging! });
    const late = await submit(service, browser, viewed, "/connect", { external_id: "x", integrations: "y" });
    expect([late.status, late.html]).toEqual([403, expect.stringContaining("The form was refused")]);
  });

  it("nobody switches to a workspace in which they have no role", async () => {
    const { page, browser } = await signInAs(service, "grace");
    for (const workspace of [ids.sandbox!, "ws_unknown", "", "*"]) {
      const { status, html } = await submit(service, browser, page, "/workspace", { workspace });
      expect([status, html]).toEqual([403, expect.stringContaining("You have no role in that workspace")]);
    }
    expect(await callerOf(browser)).toMatchObject({ workspace: { name: "staging" } });
  });

  it("a group that was removed at the issuer counts from the next sign-in on, which also ends the earlier session", async () => {
    accounts.mover = { name: "Mover", groups: ["staff"] };
    const { browser } = await signInAs(service, "mover");
    expect(await callerOf(browser)).toMatchObject({ workspace: { name: "sandbox" } });
    accounts.mover = { name: "Mover", groups: ["support"] };
    await signInAs(service, "mover", { browser });
    expect(await callerOf(browser)).toMatchObject({ workspace: { name: "production" }, scopes: roleScopes.viewer });
    const earlier = browser.session!;
    accounts.mover = { name: "Mover", groups: [] };
    const { page } = await signInAs(service, "mover", { browser });
    expect([page.status, browser.session]).toEqual([403, undefined]);
    await expect(service.parts.engine.authenticate(earlier)).rejects.toThrow("the session has ended");
  });

  it("somebody without a role is told who they are and what to do, and is not signed in", async () => {
    const { page, browser } = await signInAs(service, "nobody");
    expect([page.status, browser.session]).toEqual([403, undefined]);
    expect(page.html).toContain("You have no role here");
    expect(page.html).toContain("No Body (nobody@example.com)</strong>, but have no role in any workspace");
    expect(page.html).toContain("/oidc/start?next=%2Fdashboard&amp;prompt=login");
    const again = await browser.open(`${service.config.dashboardUrl}/oidc/start?prompt=login`);
    expect(again.url).toContain("/interaction/");
  });

  it("signing in again ends the session before", async () => {
    const { browser } = await signInAs(service, "ada");
    const earlier = browser.session!;
    await signInAs(service, "ada", { browser });
    expect(browser.session).not.toBe(earlier);
    await expect(service.parts.engine.authenticate(earlier)).rejects.toThrow("the session has ended");
  });

  it("signing out ends the session, and offers to sign out at the issuer", async () => {
    const { page, browser } = await signInAs(service, "ada");
    const token = browser.session!;
    const out = await submit(service, browser, page, "/sign-out");
    expect(out).toMatchObject({ status: 303, location: `${service.url}/dashboard/sign-in?left=account` });
    await expect(service.parts.engine.authenticate(token)).rejects.toThrow("the session has ended");
    expect((await browser.send(out.location!)).html).toContain('href="/dashboard/oidc/sign-out"');
    const { location } = await visit(service, browser, "/oidc/sign-out");
    const { origin, searchParams } = new URL(location!);
    const returnTo = `${service.config.dashboardUrl}/sign-in`;
    expect([origin, Object.fromEntries(searchParams)]).toEqual([
      issuer.url,
      { client_id: CLIENT.id, post_logout_redirect_uri: returnTo },
    ]);
    const question = await browser.send(location!);
    const form = { xsrf: /name="xsrf" value="([^"]+)"/.exec(question.html)![1]!, logout: "yes" };
    const left = await browser.open(/action="([^"]+)"/.exec(question.html)![1]!, { form });
    expect(left.url).toBe(returnTo);
    // The issuer does not know them any more either.
    expect((await browser.open(`${service.config.dashboardUrl}/oidc/start`)).url).toContain("/interaction/");
  });

  it("after a rotation of the issuer's keys, people sign in as before", async () => {
    await signInAs(service, "ada");
    issuer.rotateKeys();
    const loaded = issuer.requests.filter((path) => path === "/jwks").length;
    for (let count = 0; count < 2; count++) expect((await signInAs(service, "ada")).page.status).toBe(200);
    expect(issuer.requests.filter((path) => path === "/jwks").length).toBe(loaded + 1);
  });

  it("somebody who does not want to sign in is told so", async () => {
    const browser = new Browser();
    const asked = await browser.open(`${service.config.dashboardUrl}/oidc/start`);
    const page = await browser.open(`${asked.url}/abort`);
    expect([page.status, browser.session]).toEqual([403, undefined]);
    expect(page.html).toContain("or you canceled it (access_denied: End-User aborted interaction)");
  });
});

describe("what the issuer says about people", () => {
  const meRequests = (issuer: Issuer) => issuer.requests.filter((path) => path === "/me").length;

  it("the userinfo endpoint is asked for groups only if the ID token lacks them", async () => {
    const complete = await openIssuer();
    const service = await start(complete, oidcEnv(complete, ROLES));
    expect((await signInAs(service, "ada")).page.html).toContain("Ada Lovelace");
    expect(meRequests(complete)).toBe(0);

    const thin = await openIssuer(newAccounts(), { userinfoOnly: true });
    const other = await start(thin, oidcEnv(thin, ROLES));
    expect((await signInAs(other, "ada")).page.html).toMatch(/Ada Lovelace.*admin/);
    expect(meRequests(thin)).toBe(1);
  });

  it("a groups claim may have another name, and be inside another", async () => {
    const issuer = await openIssuer();
    const service = await start(issuer, { ...oidcEnv(issuer, ROLES), OIDC_GROUPS_CLAIM: "realm_access.roles" });
    expect((await signInAs(service, "karl")).page.html).toMatch(/karl.*viewer/);
    expect((await signInAs(service, "ada")).page.status).toBe(403);
  });

  it.each([[{}], [{ userinfoOnly: true }]])(
    "OIDC_ALLOWED_DOMAINS admits verified addresses only, with %j",
    async (options) => {
      const accounts = {
        ...newAccounts(),
        unverified: { email: "eve@example.com", email_verified: false, groups: ["staff"] },
        silent: { email: "eve@example.com", groups: ["staff"] },
        other: { email: "eve@example.org", email_verified: true, groups: ["staff"] },
      };
      const issuer = await openIssuer(accounts, options);
      const service = await start(issuer, { ...oidcEnv(issuer, ROLES), OIDC_ALLOWED_DOMAINS: "example.com" });
      expect((await signInAs(service, "ada")).page.status).toBe(200);
      for (const login of ["unverified", "silent", "other"]) {
        const { page, browser } = await signInAs(service, login);
        expect([login, page.status, browser.session]).toEqual([login, 403, undefined]);
        expect(page.html).toContain("only people with a verified email address of example.com");
      }
    },
  );

  it("* is any group and any workspace, also for somebody without groups", async () => {
    const issuer = await openIssuer({ ada: { name: "Ada" } });
    const service = await start(issuer, oidcEnv(issuer, "*=viewer@*"));
    expect((await signInAs(service, "ada")).page.html).toMatch(/Ada.*viewer/);
  });

  it("an issuer that cannot be reached, or does not answer in time, is named on a page", async () => {
    const issuer = await openIssuer();
    const service = await start(issuer, { ...oidcEnv(issuer, ROLES), UPSTREAM_TIMEOUT_MS: "300" });
    const { hang, stop } = issuer;
    hang();
    for (const state of ["hanging", "stopped"]) {
      const { page, browser } = await signInAs(service, "ada");
      expect([state, page.status, browser.session]).toEqual([state, 503, undefined]);
      expect(page.html).toContain(`${new URL(issuer.url).host} did not answer`);
      await stop();
    }
  });
});

describe("what is configured counts, and not what was", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "plugboard-people-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** The status of the overview with a session, in a service of the same data with other settings. */
  async function statusWith(issuer: Issuer, env: Record<string, string>, browser: Browser, look?: RegExp) {
    const service = await startService({ env: { ...oidcEnv(issuer, ROLES), ...env, DATA_DIR: folder } });
    const other = new Browser();
    for (const [name, value] of browser.cookies) other.cookies.set(name, value);
    const { status, html } = await visit(service, other);
    await service.close();
    if (look) expect(html).toMatch(look);
    return status;
  }

  it("a session is encrypted, has the role of today, and ends with its role, its issuer or its domain", async () => {
    const issuer = await openIssuer();
    const service = await startService({ env: { ...oidcEnv(issuer, ROLES), DATA_DIR: folder } });
    issuer.register(service.config.dashboardUrl);
    const { browser } = await signInAs(service, "ada");
    await service.close();
    const written = readdirSync(folder).map((name) => readFileSync(join(folder, name), "latin1"));
    expect(written.join()).toContain("person_sessions");
    // The name is in the audit log, and nothing else.
    for (const secret of ["ada@example.com", browser.session!]) expect(written.join()).not.toContain(secret);
    expect(await statusWith(issuer, {}, browser, /<small>admin</)).toBe(200);
    expect(await statusWith(issuer, { OIDC_ROLES: "staff=viewer@sandbox" }, browser, /<small>viewer</)).toBe(200);
    expect(await statusWith(issuer, { OIDC_ROLES: "staff=admin@elsewhere" }, browser)).toBe(303);
    expect(await statusWith(issuer, { OIDC_ROLES: "others=admin@*" }, browser)).toBe(303);
    expect(await statusWith(issuer, { OIDC_ISSUER: "https://login.example.com" }, browser)).toBe(303);
    expect(await statusWith(issuer, { OIDC_ALLOWED_DOMAINS: "example.org" }, browser)).toBe(303);
    expect(await statusWith(issuer, { OIDC_ALLOWED_DOMAINS: "example.org,example.com" }, browser)).toBe(200);
    const none = { OIDC_ISSUER: "", OIDC_CLIENT_ID: "", OIDC_CLIENT_SECRET: "", OIDC_ROLES: "" };
    expect(await statusWith(issuer, none, browser)).toBe(303);
  });

  it("DASHBOARD_SIGN_IN=oidc: links and keys are neither offered nor accepted, and their sessions end", async () => {
    const issuer = await openIssuer();
    const before = await startService({ env: { DATA_DIR: folder } });
    const sessions = await Promise.all(
      Object.entries({ link: await newLink(before), api_key: before.apiKey }).map(async ([name, value]) => {
        const browser = new Browser();
        await browser.send(`${before.config.dashboardUrl}/sign-in`, { form: { [name]: value } });
        expect((await visit(before, browser)).status).toBe(200);
        return browser;
      }),
    );
    const link = await newLink(before);
    await before.close();

    const env = { ...oidcEnv(issuer, ROLES), DASHBOARD_SIGN_IN: "oidc", DATA_DIR: folder };
    const service = await start(issuer, env);
    for (const browser of sessions)
      expect(await visit(service, browser)).toMatchObject({
        status: 303,
        location: `${service.url}/dashboard/sign-in`,
      });
    const { html } = await visit(service, new Browser(), "/sign-in");
    expect(html).toContain(`Sign in with ${new URL(issuer.url).host}`);
    expect(html).not.toMatch(/api_key|npx plugboard dashboard/);
    const attempts = [
      (browser: Browser) => visit(service, browser, `/sign-in?link=${link}`),
      (browser: Browser) => browser.send(`${service.config.dashboardUrl}/sign-in`, { form: { link } }),
      (browser: Browser) =>
        browser.send(`${service.config.dashboardUrl}/sign-in`, { form: { api_key: service.apiKey } }),
    ];
    for (const attempt of attempts) {
      const browser = new Browser();
      const page = await attempt(browser);
      expect([page.status, browser.session]).toEqual([403, undefined]);
      expect(page.html).toContain("Links and API keys do not sign in here.");
    }
    expect((await signInAs(service, "ada")).page.status).toBe(200);

    for (const [name, value] of Object.entries({ ...env, PORT: "1" })) vi.stubEnv(name, value);
    await expect(dashboardCommand([])).rejects.toThrow("DASHBOARD_SIGN_IN: must be all, not oidc");
  });

  it("without OIDC_ISSUER, there is no button and no route for it", async () => {
    const service = await startService();
    opened.push(service);
    expect((await visit(service, new Browser(), "/sign-in")).html).not.toContain("Sign in with ");
    for (const path of ["/oidc/start", "/oidc/callback", "/oidc/sign-out"])
      expect((await visit(service, new Browser(), path)).status).toBe(404);
  });
});
