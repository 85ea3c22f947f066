import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { startService } from "../support/service.ts";
import { hiddenFields, leftFor } from "./support/agent.ts";
import { agree, REDIRECT_URI, validValues } from "./support/application.ts";
import {
  ask,
  createScene,
  expectErrorAtApplication,
  expectErrorPage,
  expectSafe,
  later,
  MARKUP,
  MINUTE,
  openPage,
  type Scene,
  send,
} from "./support/attack.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await createScene();
});
afterAll(() => scene.service.close());
afterEach(() => vi.useRealTimers());

describe("a connect code works once, for five minutes, for its workspace and redirect_uri", () => {
  const newCode = async () =>
    leftFor(await agree(scene.newAgent(), scene.victim.authorizeUrl())).searchParams.get("code")!;

  const redeem = (code: string, uri?: string) => scene.victim.redeem(code, uri);

  it.each<[string, (code: string) => Promise<{ status: number; body: any }>]>([
    ["that is replayed", (code) => redeem(code).then(() => redeem(code))],
    ["of another workspace", (code) => scene.stranger.redeem(code)],
    ["with another redirect_uri", (code) => redeem(code, "https://app.example/back?kept=1&x")],
    ["with the redirect_uri of another workspace", (code) => redeem(code, "https://stranger.example/back")],
    ["with one character changed", (code) => redeem(`${code.slice(0, -1)}${code.endsWith("A") ? "B" : "A"}`)],
    ["followed by a NUL", (code) => redeem(`${code}\0`)],
    ["that another workspace has tried", (code) => scene.stranger.redeem(code).then(() => redeem(code))],
    ["that was tried with a wrong redirect_uri", (code) => redeem(code, "x").then(() => redeem(code))],
    [
      "that is six minutes old",
      (code) => {
        later(6 * MINUTE);
        return redeem(code);
      },
    ],
  ])("a connect code %s is refused", async (_, attempt) => {
    const { status, body } = await attempt(await newCode());
    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, message: "Invalid request" });
  });

  it("a connect code is refused without an API key", async () => {
    const response = await fetch(`${scene.service.url}/auth/connection`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code: await newCode(), redirect_uri: REDIRECT_URI }),
    });
    expect(response.status).toBe(401);
  });
});

describe("injection into pages and headers", () => {
  it.each(["client_id", "integration_id", "redirect_uri", "external_id", "state", "connection_id", "anything"])(
    "nothing is injected through the parameter %s",
    async (name) => {
      for (const value of [MARKUP, `x\r\nInjected: yes\r\n\r\n${MARKUP}`, "x%0d%0aInjected:%20yes", "{{7*7}}"]) {
        const outcome = await ask(scene.newAgent(), scene.victim.authorizeUrl({ [name]: value }));
        if (outcome.status === 302) expectErrorAtApplication(outcome);
        expectSafe(outcome);
      }
    },
  );

  it("nothing is injected through the fields of a form that is shown again", async () => {
    const agent = scene.newAgent();
    const page = await openPage(agent, scene.forms.authorizeUrl());
    for (const key of [MARKUP, "x\r\nInjected: yes", "ключ", "\u0000"]) {
      const outcome = await send(agent, page.url, { ...hiddenFields(page.text), key });
      expectErrorPage(outcome);
      expect(outcome.text).not.toContain("Injected");
    }
  });

  it("nothing is injected through the name of an application or a provider's error", async () => {
    await scene.victim.platform("PATCH", "/workspace", { name: `Shop ${MARKUP}` });
    const agent = scene.newAgent();
    const page = await openPage(agent, scene.victim.authorizeUrl());
    expectSafe(page);
    expect(page.text).toContain("Shop &quot;&#39;&gt;&lt;script&gt;");
    const callback = await scene.consent(agent);
    callback.searchParams.delete("code");
    callback.searchParams.set("error", `${MARKUP}\r\nInjected: yes`);
    callback.searchParams.set("error_description", `${MARKUP}\r\nInjected: yes ${"x".repeat(5000)}`);
    const outcome = await ask(agent, callback);
    const query = expectErrorAtApplication(outcome);
    expect(query.get("error")).toBe("server_error");
    expect(query.get("error_description")!.length).toBeLessThan(300);
    expect(outcome.headers.get("injected")).toBeNull();
  });

  it("nothing is injected through the Host header", async () => {
    const agent = scene.newAgent();
    const evil = { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" };
    const page = await ask(agent, scene.victim.authorizeUrl(), { headers: evil });
    expect(page.text).not.toContain("evil.example");
    const sent = await send(agent, scene.victim.authorizeUrl(), hiddenFields(page.text), evil);
    const consent = new URL(sent.headers.get("location")!);
    expect(consent.searchParams.get("redirect_uri")).toBe(`${scene.service.url}/auth/callback`);
    expect(consent.href).not.toContain("evil.example");
  });
});

describe("the browser's cookie and the logs", () => {
  it("the flow is bound to the browser by a cookie that scripts and other sites cannot read", async () => {
    const response = await scene.newAgent().ask(scene.victim.authorizeUrl());
    const [cookie] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^plugboard-connect=[\w-]{43}; Max-Age=34560000; HttpOnly; SameSite=Lax; Path=\/auth$/);
  });

  it("with https the cookie is Secure and has a __Host- name", async () => {
    const secure = await startService({ env: { AUTH_URL: "https://connect.example" } });
    // As behind a reverse proxy that changes the host: the browser was redirected once already.
    const redirected = "&redirected=true";
    const response = await fetch(`${secure.url}/auth/authorize?client_id=${secure.clientId}${redirected}`);
    // An error page needs no cookie.
    expect(response.headers.getSetCookie()).toEqual([]);
    await secure.parts.store.workspaces.update((await secure.parts.store.workspaces.byClientId(secure.clientId))!.id, {
      redirect_uris: [REDIRECT_URI],
    });
    const query = new URLSearchParams({
      client_id: secure.clientId,
      integration_id: scene.provider.manifest.id,
      redirect_uri: REDIRECT_URI,
    });
    const page = await fetch(`${secure.url}/auth/authorize?${query}${redirected}`);
    expect(page.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-plugboard-connect=[\w-]{43}; Max-Age=34560000; HttpOnly; SameSite=Lax; Path=\/; Secure$/,
      ),
    ]);
    expect(await page.text()).toContain('href="/style.css"');
    await secure.close();
  });

  it("a cookie that was set beforehand to a weak value is replaced", async () => {
    const agent = scene.newAgent();
    agent.cookies.set("plugboard-connect", "known");
    await agent.ask(scene.victim.authorizeUrl());
    expect(agent.cookies.get("plugboard-connect")).toMatch(/^[\w-]{43}$/);
  });

  it("the Auth API refuses other methods and requests of other sites", async () => {
    const url = `${scene.service.url}/auth`;
    expect((await fetch(`${url}/callback`, { method: "POST" })).status).toBe(404);
    expect((await fetch(`${url}/connection?code=a`)).status).toBe(404);
    const preflight = await fetch(`${url}/connection`, {
      method: "OPTIONS",
      headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
    });
    expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("the logs contain no code, state, ticket, key or cookie of the connect flow", async () => {
    const agent = scene.newAgent();
    const callback = await scene.consent(agent, scene.victim.authorizeUrl({ state: "state-of-the-client" }));
    const end = new URL((await ask(agent, callback)).headers.get("location")!);
    const page = await openPage(agent, scene.forms.authorizeUrl());
    await send(agent, page.url, { ...hiddenFields(page.text), ...validValues(scene.keyed, "api_key") });
    await scene.victim.redeem(end.searchParams.get("code")!);
    await scene.service.parts.requestLog.flush();
    const logged = scene.service.logs() + JSON.stringify(await scene.victim.platform("GET", "/logs?limit=100"));
    for (const secret of [
      callback.searchParams.get("code")!,
      callback.searchParams.get("state")!,
      end.searchParams.get("code")!,
      "state-of-the-client",
      hiddenFields(page.text).ticket!,
      validValues(scene.keyed, "api_key").key!,
      [...agent.cookies.values()][0]!,
    ])
      expect(logged.includes(secret)).toBe(false);
  });
});
