// A link to /authorize can be written by anybody, with any external_id: what comes of it exists only once the application's
// server has redeemed the code.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createPlatform } from "../support/platform.ts";
import { requestsDuring } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";
import { type Agent, createAgent, hiddenFields, leftFor, pageOf } from "./support/agent.ts";
import { type Application, agree, createApplication, REDIRECT_URI, validValues } from "./support/application.ts";
import { expectErrorPage, openPage } from "./support/attack.ts";
import { createSession } from "./support/session.ts";
import { ledger, quirk, toyCatalogue, toySettings } from "./support/toy-providers.ts";

const basicValues = validValues(ledger, "basic", toySettings.ledger);
const oauthValues = validValues(quirk, "oauth2", toySettings.quirk);

let service: TestService;
beforeAll(async () => {
  service = await startService({ catalogue: toyCatalogue });
});
afterAll(() => service.close());
afterEach(() => vi.restoreAllMocks());

const newAgent = () => createAgent(service.url);
const withForm = () => createApplication(service, ledger, "basic");
const withConsent = () => createApplication(service, quirk, "oauth2");

describe.each<{ way: string; create(): Promise<Application>; values: Record<string, string>; session: boolean }>([
  { way: "a form at /authorize", create: withForm, values: basicValues, session: false },
  { way: "consent from /authorize", create: withConsent, values: oauthValues, session: false },
  { way: "a connect session with a redirect", create: withForm, values: basicValues, session: true },
])("an account that is connected by $way", ({ way, create, values, session }) => {
  it(`an account that is connected by ${way} is found, announced and usable only after its code was redeemed`, async () => {
    const application = await create();
    const link = async () =>
      session
        ? (await createSession(application, { external_id: "boss", redirect_uri: REDIRECT_URI })).url
        : application.authorizeUrl({ external_id: "boss" });
    const issued = vi.spyOn(service.store.connectFlows, "issue");
    const completed: string[] = [];
    const { change } = service.store;
    vi.spyOn(service.store, "change").mockImplementation((workspaceId, work, entry) =>
      change(
        workspaceId,
        (store) => {
          const complete: typeof store.connectSessions.complete = (id, attempt, connection) => {
            completed.push(connection.id);
            return store.connectSessions.complete(id, attempt, connection);
          };
          return work({ ...store, connectSessions: { ...store.connectSessions, complete } });
        },
        entry,
      ),
    );
    const codeOf = async () => leftFor(await agree(newAgent(), await link(), values)).searchParams.get("code")!;
    const [, code] = [await codeOf(), await codeOf()];
    const ids = session ? completed : issued.mock.calls.map(([{ connection_id }]) => connection_id);
    expect(new Set(ids).size).toBe(2);

    for (const query of ["", "?external_id=boss", "?is_valid=true", `?integration_id=${application.integrationId}`])
      expect([query, await application.platform("GET", `/connections${query}`)]).toEqual([query, []]);
    const platform = createPlatform(service, application.apiKey);
    for (const id of ids) {
      expect((await platform("GET", `/v1/connections/${id}`)).status).toBe(404);
      expect((await platform("PATCH", `/v1/connections/${id}`, { external_id: "x" })).status).toBe(404);
      expect((await platform("DELETE", `/v1/connections/${id}`)).status).toBe(404);
      const watched = { connection_id: id, operation: "crm.listContacts" };
      expect((await platform("POST", "/v1/subscriptions", watched)).status).toBe(400);
      expect((await application.call(id)).status).toBe(404);
      const headers = { authorization: `Bearer ${application.apiKey}`, "svc-connection-id": id };
      for (const path of ["/proxy/me", "/mcp", "/unified/mcp"])
        expect([path, (await fetch(service.url + path, { method: "POST", headers })).ok]).toEqual([path, false]);
    }

    const { body } = await application.redeem(code);
    expect(body).toMatchObject({ connection_id: ids[1], external_id: "boss" });
    expect(await application.platform("GET", "/connections?external_id=boss")).toMatchObject([
      { id: ids[1], is_valid: true },
    ]);
    expect((await application.call(ids[1]!)).status).toBe(200);
    await expect
      .poll(async () =>
        (await application.platform("GET", "/events")).data.map((event: any) => [event.type, event.data.id]),
      )
      .toEqual([["connection.created", ids[1]]]);
  });
});

describe("codes that nobody redeems", () => {
  const full = (...counts: number[]) => {
    const spy = vi.spyOn(service.store.connectFlows, "unredeemed");
    for (const count of counts) spy.mockResolvedValueOnce(count);
    return spy.mockResolvedValue(1_000);
  };

  it("a visitor is asked to try again later while too many codes wait, and the provider is not called", async () => {
    const application = await withForm();
    const agent = newAgent();
    const form = await openPage(agent, application.authorizeUrl());
    full();
    const seen = await requestsDuring(service, "ledger", async () => {
      const end = pageOf(await agent.submit(form, { decision: "continue", ...basicValues }));
      expectErrorPage(end);
      expect(end.status).toBe(429);
      expect(end.text).toContain("start again in five minutes");
    });
    expect(seen).toEqual([]);
  });

  it("a visitor who returns from the provider is asked to try again later too, and gets no code", async () => {
    const application = await withConsent();
    full(999);
    const end = pageOf(await agree(newAgent(), application.authorizeUrl(), oauthValues));
    expectErrorPage(end);
    expect(end.text).toContain("start again in five minutes");
  });

  it("the links of an application's server work while too many codes of others wait", async () => {
    const application = await withForm();
    full();
    const { url } = await createSession(application, { redirect_uri: REDIRECT_URI });
    const code = leftFor(await agree(newAgent(), url, basicValues)).searchParams.get("code")!;
    expect((await application.redeem(code)).status).toBe(200);
  });
});

describe("wrong keys and passwords", () => {
  const wrong = { decision: "continue", ...basicValues, password: "mistyped" };

  /** Submits the form from an address until it is refused without a call, at most `most` times. */
  async function submitUntilRefused(agent: Agent, application: Application, address: string, most: number) {
    const form = await openPage(agent, application.authorizeUrl());
    const body = new URLSearchParams({ ...hiddenFields(form.text), ...wrong });
    for (let tried = 0; tried < most; tried += 1) {
      const init = { method: "POST", body, headers: { "x-forwarded-for": `203.0.113.1, ${address}` } };
      const answer = await agent.ask(form.url, init);
      const text = await answer.text();
      if (answer.status !== 429) continue;
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(text).toMatch(/Too many attempts\. Please try again in \d+ seconds?\./);
      expect(text).toContain("<h1>Connect Ledger &amp; Sons</h1>");
      return tried;
    }
    return most;
  }

  it("after 20 attempts from one address in a minute the form says when to try again, and other addresses can continue", async () => {
    const [application, other] = [await withForm(), await withForm()];
    const seen = await requestsDuring(service, "ledger", async () => {
      expect(await submitUntilRefused(newAgent(), application, "198.51.100.1", 30)).toBe(20);
      // Another browser at the same address.
      expect(await submitUntilRefused(newAgent(), application, "198.51.100.1", 1)).toBe(0);
    });
    expect(seen).toHaveLength(20);
    expect(await submitUntilRefused(newAgent(), application, "198.51.100.2", 1)).toBe(1);
    expect(await submitUntilRefused(newAgent(), other, "198.51.100.1", 1)).toBe(1);
  });

  it("from however many addresses, an integration's form makes 100 attempts per minute at most", async () => {
    const application = await withForm();
    let made = 0;
    for (let address = 0; address < 7; address += 1)
      made += await submitUntilRefused(newAgent(), application, `198.51.100.${address}`, 20);
    expect(made).toBe(100);
  });
});
