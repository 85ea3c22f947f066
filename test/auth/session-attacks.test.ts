// Attacks on connect sessions: with links of others, in other browsers, with changed values, and more than once.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService, type TestService } from "../support/service.ts";
import { type Agent, createAgent, hiddenFields, pageOf } from "./support/agent.ts";
import { type Application, agree, createApplication, REDIRECT_URI, validValues } from "./support/application.ts";
import { ask, expectErrorPage, MARKUP, openPage, send } from "./support/attack.ts";
import { createSession, posted, type Session } from "./support/session.ts";
import { ledger, quirk, toyCatalogue, toySettings } from "./support/toy-providers.ts";

const basicValues = validValues(ledger, "basic", toySettings.ledger);
const oauthValues = validValues(quirk, "oauth2", toySettings.quirk);

let service: TestService;
let application: Application;
let stranger: Application;
let users = 0;

beforeAll(async () => {
  service = await startService({ catalogue: toyCatalogue });
  application = await createApplication(service, quirk, "oauth2");
  stranger = await createApplication(service, quirk, "oauth2", { redirectUris: ["https://stranger.example/back"] });
});
afterAll(() => service.close());

const newAgent = () => createAgent(service.url);
const newSession = (fields: object = {}) => createSession(application, { external_id: `user ${++users}`, ...fields });
const connectionsOf = (of = application) => of.platform("GET", "/connections?limit=100");

/** Nothing was connected in any workspace by the attempt. */
async function expectNothingConnected(attempt: () => Promise<unknown>): Promise<void> {
  const count = async () => [await connectionsOf(), await connectionsOf(stranger)].map(({ length }) => length);
  const before = await count();
  await attempt();
  expect(await count()).toEqual(before);
}

/** Submits the first page; returns the provider's consent page. */
async function begin(agent: Agent, { url }: Session): Promise<URL> {
  const page = await openPage(agent, url);
  const sent = await send(agent, page.url, { ...hiddenFields(page.text), ...oauthValues });
  return new URL(sent.headers.get("location")!);
}

const allow = async (agent: Agent, consent: URL) =>
  new URL((await send(agent, consent, { decision: "allow" })).headers.get("location")!);

describe("the link of a connect session", () => {
  it.each<[string, (session: Session, other: Session) => string]>([
    ["without its token", () => ""],
    ["with the id alone", ({ id }) => `?session=${id}`],
    ["with an empty signature", ({ id }) => `?session=${id}.`],
    ["with the signature of another session", ({ id }, { url }) => `?session=${id}.${url.split(".").at(-1)}`],
    ["with one more character", ({ url }) => `${new URL(url).search}A`],
    ["with one character less", ({ url }) => new URL(url).search.slice(0, -1)],
    ["with other unused bits", ({ url }) => `${new URL(url).search.slice(0, -1)}_`],
    ["given twice", ({ url }, other) => `${new URL(url).search}&${new URL(other.url).search.slice(1)}`],
    ["with markup", () => `?session=${encodeURIComponent(MARKUP)}`],
    ["with a NUL character", ({ id }) => `?session=${id}%00.x`],
  ])("does not work %s", async (_, query) => {
    const forged = query(await newSession(), await newSession());
    const agent = newAgent();
    expectErrorPage(await ask(agent, `/auth/connect${forged}`));
    expectErrorPage(await send(agent, `/auth/connect${forged}`, { ticket: "x" }));
    expect((await ask(agent, `/auth/connect/result${forged}`)).status).toBe(404);
  });

  it("the link of a connect session is in no log, neither of requests nor of the service", async () => {
    const session = await newSession();
    await agree(newAgent(), session.url, oauthValues);
    const token = new URL(session.url).searchParams.get("session")!;
    await expect
      .poll(async () => JSON.stringify(await application.platform("GET", "/logs")))
      .toContain("/auth/connect");
    expect(JSON.stringify(await application.platform("GET", "/logs?limit=100"))).not.toContain(token);
    expect(service.logs()).not.toContain(token);
  });
});

describe("values that a browser changes", () => {
  it("the user, the metadata and the address come from the server, whatever the browser sends", async () => {
    const session = await newSession({ external_id: "the right user", metadata: { right: true } });
    const agent = newAgent();
    const changed = new URLSearchParams({
      external_id: "another user",
      metadata: '{"right":false}',
      redirect_uri: "https://evil.example/",
      connection_id: "conn_evil",
      client_id: stranger.clientId,
      state: "evil",
    });
    const page = await openPage(agent, `${session.url}&${changed}`);
    const consent = pageOf(
      await agent.submit(page, { decision: "continue", ...Object.fromEntries(changed), ...oauthValues }),
    );
    const end = pageOf(await agent.submit(consent, { decision: "allow" }));
    const { connection_id } = posted(end.text)!.result;
    expect(await application.platform("GET", `/connections/${connection_id}`)).toMatchObject({
      external_id: "the right user",
      metadata: { right: true },
    });
    expect(end.text).not.toContain("evil");
  });

  it("an integration that is not allowed, or of another workspace, cannot be chosen", async () => {
    const { id: other } = await application.platform("POST", "/integrations", {
      identifier: "ledger",
      type: "basic",
      base_url: "sandbox",
    });
    const { id: third } = await application.platform("POST", "/integrations", {
      identifier: "ledger",
      type: "basic",
      base_url: "sandbox",
      name: "Third",
    });
    const one = await newSession({ integrations: [application.integrationId] });
    const two = await newSession({ integrations: [application.integrationId, third] });
    for (const id of [other, stranger.integrationId, MARKUP, "", "quirk"]) {
      const query = `&integration=${encodeURIComponent(id)}`;
      expect((await openPage(newAgent(), one.url + query)).text).toContain("<h1>Connect Quirk</h1>");
      expect((await openPage(newAgent(), two.url + query)).text).toContain("<h1>Connect an account</h1>");
    }
    // A valid form for one integration, sent for another.
    const agent = newAgent();
    const form = await openPage(agent, `${two.url}&integration=${application.integrationId}`);
    await expectNothingConnected(async () =>
      expectErrorPage(
        await send(agent, `${two.url}&integration=${third}`, { ...hiddenFields(form.text), ...basicValues }),
      ),
    );
    for (const id of [other, third]) await application.platform("DELETE", `/integrations/${id}`);
  });

  it("the form of one session, or of /authorize, is refused by another", async () => {
    // For the same user, integration and address: they differ in nothing but the session.
    const same = { external_id: "one user", redirect_uri: REDIRECT_URI };
    const [one, two] = [await newSession(same), await newSession(same)];
    const agent = newAgent();
    const tickets = [
      await openPage(agent, one.url),
      await openPage(agent, application.authorizeUrl({ external_id: "one user" })),
    ].map(({ text }) => hiddenFields(text));
    for (const ticket of tickets) expectErrorPage(await send(agent, two.url, { ...ticket, ...oauthValues }));
    const form = await openPage(agent, two.url);
    const link = application.authorizeUrl({ external_id: "one user" });
    expectErrorPage(await send(agent, link, { ...hiddenFields(form.text), ...oauthValues }));
  });

  it("markup in the workspace's and the integrations' names is shown as text", async () => {
    const own = await createApplication(service, quirk, "oauth2", { integration: { name: MARKUP } });
    await own.platform("POST", "/integrations", {
      identifier: "ledger",
      type: "basic",
      name: MARKUP,
      base_url: "sandbox",
    });
    await own.platform("PATCH", "/workspace", { name: MARKUP });
    const { url } = await createSession(own);
    for (const address of [url, `${url}&integration=${own.integrationId}`, `${url}&cancel=true`]) {
      const { text } = await openPage(newAgent(), address);
      expect(text).not.toMatch(/<script>|<img/);
    }
  });
});

describe("a session in another browser", () => {
  it("a link that was begun cannot be used elsewhere, on any page", async () => {
    const session = await newSession();
    const victim = newAgent();
    const early = newAgent();
    // Opened before it was begun, and sent after.
    const form = await openPage(early, session.url);
    await begin(victim, session);
    for (const thief of [early, newAgent()])
      for (const address of [session.url, `${session.url}&cancel=true`, `${session.url}&integration=x`])
        expectErrorPage(await ask(thief, address));
    await expectNothingConnected(async () =>
      expectErrorPage(await send(early, session.url, { ...hiddenFields(form.text), ...oauthValues })),
    );
    expect((await openPage(victim, session.url)).text).toContain("<h1>Connect Quirk</h1>");
  });

  it("opening a link does not begin it, so that a program that looks at links does not use it up", async () => {
    const session = await newSession();
    await openPage(newAgent(), session.url);
    await ask(newAgent(), session.url, { method: "HEAD" });
    expect(pageOf(await agree(newAgent(), session.url, oauthValues)).text).toContain("Quirk is connected");
  });

  it("a consent that was begun in one browser cannot be finished in another", async () => {
    const session = await newSession();
    const victim = newAgent();
    const callback = await allow(victim, await begin(victim, session));
    const thief = newAgent();
    await openPage(thief, (await newSession()).url);
    await expectNothingConnected(async () => {
      expectErrorPage(await ask(thief, callback));
      expectErrorPage(await ask(newAgent(), callback));
    });
    const end = await ask(victim, callback);
    expect(end.headers.get("location")).toBe(session.url);
  });

  it("the result of a session is shown only in the browser that completed it", async () => {
    const session = await newSession();
    await agree(newAgent(), session.url, oauthValues);
    const outcome = await ask(newAgent(), session.url);
    expectErrorPage(outcome);
    expect(posted(outcome.text)).toBeUndefined();
  });
});

describe("a session that is used again", () => {
  it("a second consent of the same session does not connect a second account", async () => {
    const session = await newSession();
    const agent = newAgent();
    const callbacks = [
      await allow(agent, await begin(agent, session)),
      await allow(agent, await begin(agent, session)),
    ];
    const ends = await Promise.all(callbacks.map((callback) => ask(agent, callback)));
    expect(ends.map(({ status }) => status).sort()).toEqual([302, 400]);
    expectErrorPage(ends.find(({ status }) => status === 400)!);
    const listed = await application.platform("GET", `/connections?external_id=${encodeURIComponent(`user ${users}`)}`);
    expect(listed).toHaveLength(1);
  });

  it("a consent that returns after the end of its session does not use up the provider's code", async () => {
    const session = await newSession();
    const agent = newAgent();
    const late = await allow(agent, await begin(agent, session));
    await ask(agent, await allow(agent, await begin(agent, session)));
    const asked = async () => (await fetch(`${service.url}/sandbox/_requests?provider=quirk`)).json();
    const before = await asked();
    const outcome = await ask(agent, late);
    expectErrorPage(outcome);
    expect(outcome.text).toContain("already been used");
    expect(await asked()).toEqual(before);
  });

  it("a form that was open before the end connects nothing after it", async () => {
    const own = await createApplication(service, ledger, "basic");
    const session = await createSession(own);
    const agent = newAgent();
    const [first, second] = [await openPage(agent, session.url), await openPage(agent, session.url)];
    await agent.submit(first, { decision: "continue", ...basicValues });
    for (const form of [first, second]) {
      const outcome = await send(agent, session.url, { ...hiddenFields(form.text), ...basicValues });
      expect([outcome.status, outcome.headers.get("location")]).toEqual([302, session.url]);
    }
    expect(await own.platform("GET", "/connections")).toHaveLength(1);
  });

  it("with a redirect, only the form that was sent first gives a code", async () => {
    const own = await createApplication(service, ledger, "basic");
    const session = await createSession(own, { redirect_uri: REDIRECT_URI });
    const agent = newAgent();
    const [first, second] = [await openPage(agent, session.url), await openPage(agent, session.url)];
    const submit = (form: { text: string }) => send(agent, session.url, { ...hiddenFields(form.text), ...basicValues });
    // A double click: the browser shows the second answer, which needs a code too.
    const codes = [await submit(first), await submit(first)].map((outcome) =>
      new URL(outcome.headers.get("location")!).searchParams.get("code"),
    );
    for (const outcome of [await submit(second), await ask(agent, session.url)]) {
      expectErrorPage(outcome);
      expect(outcome.text).toContain("already been used");
    }
    const redeemed = [];
    for (const code of codes) redeemed.push((await own.redeem(code!)).body.connection_id);
    const [{ id }] = await own.platform("GET", "/connections");
    expect(redeemed).toEqual([id, id]);
  });

  it("a code of a session is worth nothing to another workspace", async () => {
    const session = await newSession({ redirect_uri: REDIRECT_URI });
    const agent = newAgent();
    const end = await agree(agent, session.url, oauthValues);
    const code = end.left!.searchParams.get("code")!;
    expect((await stranger.redeem(code)).status).toBe(400);
  });
});

describe("what a session tells other pages", () => {
  it("the result names exact origins, each once, and never those of an app's own scheme", async () => {
    const own = await createApplication(service, ledger, "basic", {
      redirectUris: ["https://a.example/x", "https://a.example/y", "http://127.0.0.1:3000/", "com.example.app:/back"],
    });
    const session = await createSession(own);
    const end = pageOf(await agree(newAgent(), session.url, basicValues));
    expect(posted(end.text)!.origins).toEqual(["https://a.example", "http://127.0.0.1:3000"]);
  });

  it("the pages of a session cannot be framed, and only the last one has a script, of this host", async () => {
    const own = await createApplication(service, ledger, "basic");
    const session = await createSession(own);
    const agent = newAgent();
    const policyOf = ({ headers }: { headers: Headers }) => headers.get("content-security-policy")!;
    expect(policyOf(await openPage(agent, session.url))).not.toContain("script-src");
    const end = pageOf(await agree(agent, session.url, basicValues));
    expect(policyOf(end)).toBe(
      "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; script-src 'self'; form-action 'none'",
    );
    expect(end.headers.get("x-frame-options")).toBe("DENY");
    expect(end.headers.get("cache-control")).toBe("no-store");
    expect(end.headers.get("referrer-policy")).toBe("no-referrer");
  });
});
