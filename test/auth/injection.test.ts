import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { startService } from "../support/service.ts";
import { hiddenFields, leftFor } from "./support/agent.ts";
import { agree, goodValues, REDIRECT_URI } from "./support/application.ts";
import {
  ask,
  expectErrorAtApplication,
  expectPage,
  expectSafe,
  later,
  MARKUP,
  MINUTE,
  type Scene,
  send,
  setScene,
  start,
} from "./support/attack.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await setScene();
});
afterAll(() => scene.service.close());
afterEach(() => vi.useRealTimers());

describe("a code is good once, for five minutes, for its workspace and address", () => {
  const newCode = async () =>
    leftFor(await agree(scene.newAgent(), scene.victim.authorizeUrl())).searchParams.get("code")!;

  const redeem = (code: string, uri?: string) => scene.victim.redeem(code, uri);

  it.each<[string, (code: string) => Promise<{ status: number; body: any }>]>([
    ["replayed", (code) => redeem(code).then(() => redeem(code))],
    ["by another workspace", (code) => scene.stranger.redeem(code)],
    ["with another address", (code) => redeem(code, "https://app.example/back?kept=1&x")],
    ["with a stranger's address", (code) => redeem(code, "https://stranger.example/back")],
    ["with a character changed", (code) => redeem(`${code.slice(0, -1)}${code.endsWith("A") ? "B" : "A"}`)],
    ["with a NUL behind it", (code) => redeem(`${code}\0`)],
    ["after a stranger has tried it", (code) => scene.stranger.redeem(code).then(() => redeem(code))],
    ["after a try with a wrong address", (code) => redeem(code, "x").then(() => redeem(code))],
    [
      "six minutes later",
      (code) => {
        later(6 * MINUTE);
        return redeem(code);
      },
    ],
  ])("%s", async (_, attempt) => {
    const { status, body } = await attempt(await newCode());
    expect(status).toBe(400);
    expect(body).toMatchObject({ success: false, message: "Invalid request" });
  });

  it("and not at all without a key", async () => {
    const response = await fetch(`${scene.service.url}/auth/connection`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code: await newCode(), redirect_uri: REDIRECT_URI }),
    });
    expect(response.status).toBe(401);
  });
});

describe("nothing is put into a page or a header", () => {
  it.each(["client_id", "integration_id", "redirect_uri", "external_id", "state", "connection_id", "anything"])(
    "through %s",
    async (name) => {
      for (const value of [MARKUP, `x\r\nInjected: yes\r\n\r\n${MARKUP}`, "x%0d%0aInjected:%20yes", "{{7*7}}"]) {
        const outcome = await ask(scene.newAgent(), scene.victim.authorizeUrl({ [name]: value }));
        if (outcome.status === 302) expectErrorAtApplication(outcome);
        expectSafe(outcome);
      }
    },
  );

  it("through what a form is sent with, which comes back where it is shown", async () => {
    const agent = scene.newAgent();
    const page = await start(agent, scene.forms.authorizeUrl());
    for (const key of [MARKUP, "x\r\nInjected: yes", "ключ", "\u0000"]) {
      const outcome = await send(agent, page.url, { ...hiddenFields(page.text), key });
      expectPage(outcome);
      expect(outcome.text).not.toContain("Injected");
    }
  });

  it("through the name of an application or the words of a provider", async () => {
    await scene.victim.platform("PATCH", "/workspace", { name: `Shop ${MARKUP}` });
    const agent = scene.newAgent();
    const page = await start(agent, scene.victim.authorizeUrl());
    expectSafe(page);
    expect(page.text).toContain("Shop &quot;&#39;&gt;&lt;script&gt;");
    const callback = await scene.consent(agent);
    callback.searchParams.delete("code");
    callback.searchParams.set("error", `${MARKUP}\r\nInjected: yes`);
    callback.searchParams.set("error_description", `${MARKUP}\r\nInjected: yes ${"x".repeat(5000)}`);
    const outcome = await ask(agent, callback);
    const told = expectErrorAtApplication(outcome);
    expect(told.get("error")).toBe("server_error");
    expect(told.get("error_description")!.length).toBeLessThan(300);
    expect(outcome.headers.get("injected")).toBeNull();
  });

  it("through the Host of a request", async () => {
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

describe("the browser's part", () => {
  it("is held by a cookie that scripts and other sites do not get", async () => {
    const response = await scene.newAgent().ask(scene.victim.authorizeUrl());
    const [cookie] = response.headers.getSetCookie();
    expect(cookie).toMatch(/^plugboard-connect=[\w-]{43}; Max-Age=3600; HttpOnly; SameSite=Lax; Path=\/auth$/);
  });

  it("is held to https where the service is, under a name that only this host can set", async () => {
    const secure = await startService({ env: { AUTH_URL: "https://connect.example" } });
    const response = await fetch(`${secure.url}/auth/authorize?client_id=${secure.clientId}`);
    // A page alone needs no cookie.
    expect(response.headers.getSetCookie()).toEqual([]);
    await secure.parts.store.workspaces.update((await secure.parts.store.workspaces.byClientId(secure.clientId))!.id, {
      redirect_uris: [REDIRECT_URI],
    });
    const query = new URLSearchParams({
      client_id: secure.clientId,
      integration_id: scene.provider.manifest.id,
      redirect_uri: REDIRECT_URI,
    });
    const page = await fetch(`${secure.url}/auth/authorize?${query}`);
    expect(page.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-plugboard-connect=[\w-]{43}; Max-Age=3600; HttpOnly; SameSite=Lax; Path=\/; Secure$/,
      ),
    ]);
    expect(await page.text()).toContain('href="/style.css"');
    await secure.close();
  });

  it("cannot be fixed beforehand to something weak", async () => {
    const agent = scene.newAgent();
    agent.cookies.set("plugboard-connect", "known");
    await agent.ask(scene.victim.authorizeUrl());
    expect(agent.cookies.get("plugboard-connect")).toMatch(/^[\w-]{43}$/);
  });

  it("is not open to other methods or other sites", async () => {
    const url = `${scene.service.url}/auth`;
    expect((await fetch(`${url}/callback`, { method: "POST" })).status).toBe(404);
    expect((await fetch(`${url}/connection?code=a`)).status).toBe(404);
    const preflight = await fetch(`${url}/connection`, {
      method: "OPTIONS",
      headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
    });
    expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("leaves no code, state, ticket or key in a log", async () => {
    const agent = scene.newAgent();
    const callback = await scene.consent(agent, scene.victim.authorizeUrl({ state: "state-of-the-client" }));
    const end = new URL((await ask(agent, callback)).headers.get("location")!);
    const page = await start(agent, scene.forms.authorizeUrl());
    await send(agent, page.url, { ...hiddenFields(page.text), ...goodValues(scene.keyed, "api_key") });
    await scene.victim.redeem(end.searchParams.get("code")!);
    await scene.service.parts.requestLog.flush();
    const logged = scene.service.logs() + JSON.stringify(await scene.victim.platform("GET", "/logs?limit=100"));
    for (const secret of [
      callback.searchParams.get("code")!,
      callback.searchParams.get("state")!,
      end.searchParams.get("code")!,
      "state-of-the-client",
      hiddenFields(page.text).ticket!,
      goodValues(scene.keyed, "api_key").key!,
      [...agent.cookies.values()][0]!,
    ])
      expect(logged.includes(secret)).toBe(false);
  });
});
