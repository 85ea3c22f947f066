import { randomBytes } from "node:crypto";
import http from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { serveToy, type ToyServer, toyEmulator, toyManifest } from "../../test/support/toy-provider.ts";
import { createSandbox, type Exchange } from "./index.ts";
import { createInjectedFaults } from "./injected-faults.ts";

const servers: ToyServer[] = [];
async function toy(options: Parameters<typeof serveToy>[0] = {}) {
  const server = await serveToy(options);
  servers.push(server);
  return { ...server, token: server.sandbox.credentials("toy", "oauth2").credentials.token! };
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

describe("routes", () => {
  test("an emulated provider replies at its real paths with its own headers", async () => {
    const { call, token } = await toy();
    const response = await call("/v2/me", token);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(response.headers.get("x-toy-remaining")).toBe("42");
    expect(await response.json()).toEqual({ account: "sandbox" });
  });

  test("an encoded slash belongs to the path parameter's value, and the path is kept as sent", async () => {
    const { call, token } = await toy();
    expect(await (await call("/v2/notes/a%2Fb%20c", token)).json()).toEqual({
      id: "a/b c",
      path: "/v2/notes/a%2Fb%20c",
    });
    expect(await (await call("/v2/files/top/a/b%2Fc", token)).json()).toEqual({ folder: "top", rest: "a/b/c" });
  });

  test("a route without path parameters matches first, and a colon inside a segment is a plain colon", async () => {
    const { call, token } = await toy();
    expect(await (await call("/v2/notes/first", token)).json()).toEqual({ found: "exact" });
    expect(await (await call("/v2/notes:count", token)).json()).toEqual({ count: 3 });
  });

  test("the paths of a self-hosted server lead to the same routes", async () => {
    const { call, token } = await toy();
    expect(await (await call("/self/v2/me", token)).json()).toEqual({ account: "sandbox" });
    expect((await call("/self/v2x/me", token)).status).toBe(404);
  });

  test("an emulator knows its own address", async () => {
    const { call, token, url } = await toy();
    expect(await (await call("/v2/links", token)).json()).toEqual({ next: url("/toy/v2/links?page=2") });
  });

  test("an unknown path or method gets the provider's own 404", async () => {
    const { call, token } = await toy();
    for (const response of [await call("/nowhere", token), await call("/v2/me", token, { method: "PUT" })]) {
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ toy_error: 404 });
    }
  });

  test("a request to an unknown provider gets a 404 that names it", async () => {
    const { url } = await toy();
    const response = await fetch(url("/other/v2/me"));
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("other");
  });

  test("a HEAD request gets the headers of GET and no body", async () => {
    const { call, token } = await toy();
    const response = await call("/v2/me", token, { method: "HEAD" });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
  });

  test("bodies are parsed as JSON or form by their content type, and also kept unparsed", async () => {
    const { call, token } = await toy();
    const send = (body: string, type: string) =>
      call("/v2/notes", token, { method: "POST", body, headers: { "content-type": type } });
    const json = await send('{ "text": "grüße" }', "application/json; charset=utf-8");
    expect(json.status).toBe(201);
    expect(json.headers.get("location")).toBe("/v2/notes/0");
    expect(await json.json()).toEqual({ body: { text: "grüße" }, text: '{ "text": "grüße" }' });
    const form = await send("text=a+b%26c&__proto__=x", "application/x-www-form-urlencoded");
    expect((await form.json()) as object).toMatchObject({ body: { text: "a b&c" }, text: "text=a+b%26c&__proto__=x" });
    const broken = await send("{", "application/json");
    expect([broken.status, await broken.json()]).toEqual([400, { toy_error: 400 }]);
  });

  test("a write changes what later reads return", async () => {
    const { call, token } = await toy();
    await call("/v2/notes", token, {
      method: "POST",
      body: JSON.stringify({ text: "new" }),
      headers: { "content-type": "application/json" },
    });
    expect(await (await call("/v2/notes", token)).json()).toEqual(["new", "note 0", "note 1", "note 2"]);
  });

  test("a bug in an emulator is a 500 with the error's message", async () => {
    const { call, token } = await toy();
    const response = await call("/v2/broken", token);
    expect([response.status, await response.json()]).toEqual([500, { message: "a bug in the emulator" }]);
  });

  test("creating a sandbox fails for an emulator without a provider and for an open path without a route", () => {
    const providers = [{ manifest: toyManifest(), categories: [] }];
    const secret = randomBytes(32);
    expect(() => createSandbox({ providers, emulators: { other: toyEmulator }, secret })).toThrow("other");
    const wrong = { ...toyEmulator, open: ["GET /typo"] };
    expect(() => createSandbox({ providers, emulators: { toy: wrong }, secret })).toThrow("GET /typo");
  });
});

test("an emulator is loaded once, with the first request to it", async () => {
  let loaded = 0;
  const load = async () => {
    loaded++;
    return toyEmulator;
  };
  const { call, token } = await toy({ emulators: { toy: { settings: toyEmulator.settings ?? {}, load } } });
  expect(loaded).toBe(0);
  const responses = await Promise.all([call("/v2/me", token), call("/v2/me", token)]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200]);
  expect(loaded).toBe(1);
});

describe("tokens", () => {
  const reason = async (response: Response) => [response.status, ((await response.json()) as any).reason];

  test("without a valid token every route but the open ones replies with the provider's own 401", async () => {
    const { call, token, sandbox } = await toy();
    expect(await (await call("/v2/status")).text()).toBe("fine");
    expect(await reason(await call("/v2/me"))).toEqual([401, "missing"]);
    expect(await reason(await call("/v2/me", "anything"))).toEqual([401, "unknown"]);
    expect(await reason(await call("/v2/me", `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`))).toEqual([
      401,
      "unknown",
    ]);
    const { refresh_token } = sandbox.credentials("toy", "oauth2").credentials;
    expect(await reason(await call("/v2/me", refresh_token))).toEqual([401, "unknown"]);
  });

  test("a sandbox accepts another sandbox's tokens only if both have the same secret", async () => {
    const secret = randomBytes(32);
    const { token } = await toy({ secret });
    expect((await (await toy({ secret })).call("/v2/me", token)).status).toBe(200);
    expect((await (await toy()).call("/v2/me", token)).status).toBe(401);
  });

  test("a token is valid only for its own provider", async () => {
    const secret = randomBytes(32);
    const { token } = await toy({ secret });
    const other = await toy({
      secret,
      providers: [
        { manifest: { ...toyManifest(), id: "other" }, categories: [] },
        { manifest: toyManifest(), categories: [] },
      ],
      emulators: { other: toyEmulator, toy: toyEmulator },
    });
    const response = await fetch(other.url("/other/v2/me"), { headers: { authorization: `Bearer ${token}` } });
    expect(response.status).toBe(401);
  });

  test("only the sandbox's own API keys and made-up ones that start with sandbox- are accepted", async () => {
    const { call, sandbox } = await toy();
    expect((await call("/v2/me", sandbox.credentials("toy", "api_key").credentials.token)).status).toBe(200);
    expect((await call("/v2/me", "sandbox-anything")).status).toBe(200);
    expect((await call("/v2/me", "sandbox-")).status).toBe(401);
    expect((await call("/v2/me", "my-key")).status).toBe(401);
  });

  test("made-up keys are refused by a provider without API keys", async () => {
    const manifest = toyManifest();
    const { call } = await toy({
      providers: [{ manifest: { ...manifest, auth: { oauth2: manifest.auth.oauth2 } }, categories: [] }],
    });
    expect((await call("/v2/me", "sandbox-anything")).status).toBe(401);
  });

  test("with HTTP Basic authentication the key may be the password or the user name", async () => {
    const { call, sandbox } = await toy();
    const { username, password } = sandbox.credentials("toy", "basic").credentials;
    const basic = (user: string, pass: string) => ({
      headers: { authorization: `Basic ${Buffer.from(`${user}:${pass}`).toString("base64")}` },
    });
    expect((await call("/v2/me", undefined, basic(username!, password!))).status).toBe(200);
    expect((await call("/v2/me", undefined, basic(password!, "X"))).status).toBe(200);
    expect((await call("/v2/me", undefined, basic(username!, "wrong"))).status).toBe(401);
  });

  test("ready-made credentials include their lifetime and settings", async () => {
    const { sandbox } = await toy();
    expect(sandbox.credentials("toy", "oauth2")).toEqual({
      credentials: { token: expect.any(String), refresh_token: expect.any(String) },
      settings: { tenant: "acme" },
      expires_in: 3600,
    });
    expect(sandbox.credentials("toy", "api_key")).not.toHaveProperty("expires_in");
    expect((await toy({ tokenLifetime: 5 })).sandbox.credentials("toy", "oauth2").expires_in).toBe(5);
    expect((await toy({ oauth2: { lifetime: undefined } })).sandbox.credentials("toy", "oauth2")).not.toHaveProperty(
      "expires_in",
    );
    expect(() => sandbox.credentials("nobody", "oauth2")).toThrow("nobody");
  });

  test("revoke_tokens revokes every token and key issued so far", async () => {
    const { call, token, injectFault, sandbox } = await toy();
    const key = sandbox.credentials("toy", "api_key").credentials.token;
    expect((await injectFault({ revoke_tokens: true })).status).toBe(201);
    expect(await reason(await call("/v2/me", token))).toEqual([401, "revoked"]);
    expect(await reason(await call("/v2/me", key))).toEqual([401, "revoked"]);
    expect((await call("/v2/me", sandbox.credentials("toy", "oauth2").credentials.token)).status).toBe(200);
  });

  test("expire_tokens expires every access token issued so far, and no API key", async () => {
    const { call, token, injectFault, sandbox } = await toy();
    const key = sandbox.credentials("toy", "api_key").credentials.token;
    expect((await injectFault({ expire_tokens: true })).status).toBe(201);
    expect(await reason(await call("/v2/me", token))).toEqual([401, "expired"]);
    expect(await reason(await call("/v2/me", token))).toEqual([401, "expired"]);
    expect((await call("/v2/me", key)).status).toBe(200);
    expect((await call("/v2/me", sandbox.credentials("toy", "oauth2").credentials.token)).status).toBe(200);
  });

  test("a route can inspect a token and revoke it together with all tokens from the same consent", async () => {
    const { call, sandbox } = await toy();
    const { token, refresh_token } = sandbox.credentials("toy", "oauth2").credentials;
    const other = sandbox.credentials("toy", "oauth2").credentials.token;
    const inspect = async (text?: string) => (await call(`/v2/token?token=${text}`, other)).json();
    expect(await inspect(token)).toEqual({ kind: "access", account: "sandbox", expires_in: 3600 });
    expect(await inspect(refresh_token)).toEqual({ kind: "refresh", account: "sandbox" });
    expect((await call(`/v2/token?token=${refresh_token}`, token, { method: "DELETE" })).status).toBe(204);
    expect(await reason(await call("/v2/me", token))).toEqual([401, "revoked"]);
    expect(await inspect(refresh_token)).toBeNull();
    expect((await call(`/v2/token?token=${refresh_token}`, other, { method: "DELETE" })).status).toBe(404);
  });
});

describe("injected faults", () => {
  const statuses = async (count: number, once: () => Promise<Response>) => {
    const seen: number[] = [];
    for (let index = 0; index < count; index++) seen.push((await once()).status);
    return seen;
  };

  test("an injected status has the provider's own error body, as many times and in the order requested", async () => {
    const { call, token, injectFault } = await toy();
    await injectFault({ status: 503 });
    await injectFault({ status: 429, retry_after: 7, times: 2 });
    const first = await call("/v2/me", token);
    expect([first.status, await first.json(), first.headers.get("retry-after")]).toEqual([
      503,
      { toy_error: 503 },
      null,
    ]);
    const second = await call("/v2/me", token);
    expect([second.status, second.headers.get("retry-after")]).toEqual([429, "7"]);
    expect(await statuses(2, () => call("/v2/me", token))).toEqual([429, 200]);
  });

  test("an injected fault with a path waits for a matching request", async () => {
    const { call, token, injectFault } = await toy();
    await injectFault({ path: "/notes/*/x", status: 500 });
    await injectFault({ path: "me", status: 502 });
    expect(await statuses(1, () => call("/v2/notes/1", token))).toEqual([200]);
    expect(await statuses(2, () => call("/v2/me", token))).toEqual([502, 200]);
    expect(await statuses(1, () => call("/v2/notes/1/x", token))).toEqual([500]);
  });

  test("a dot in an injected fault's path matches only a dot", async () => {
    const { call, token, injectFault } = await toy();
    await injectFault({ path: "v2.me", status: 500 });
    expect(await statuses(1, () => call("/v2/me", token))).toEqual([200]);
  });

  test("an injected delay does not block other requests, and can be combined with a status", async () => {
    const { call, token, injectFault } = await toy();
    await injectFault({ path: "/me", delay_ms: 300 });
    await injectFault({ path: "/notes", delay_ms: 10, status: 504 });
    const order: string[] = [];
    const track = async (path: string) => {
      const { status } = await call(path, token);
      order.push(`${path} ${status}`);
    };
    await Promise.all([track("/v2/me"), track("/v2/status")]);
    expect(order).toEqual(["/v2/status 200", "/v2/me 200"]);
    expect(await statuses(2, () => call("/v2/notes", token))).toEqual([504, 200]);
  });

  test("closing the server ends a long injected delay", async () => {
    const { call, token, injectFault, close } = await toy();
    await injectFault({ delay_ms: 600_000 });
    const pending = call("/v2/me", token).then(
      () => "completed",
      () => "closed",
    );
    const { recordedRequests } = servers[0]!;
    while ((await recordedRequests()).length === 0);
    await close();
    expect(await pending).toBe("closed");
  });

  test("drop closes the connection without a response", async () => {
    const { call, token, injectFault, recordedRequests } = await toy();
    await injectFault({ drop: true });
    await expect(call("/v2/me", token)).rejects.toThrow();
    expect((await call("/v2/me", token)).status).toBe(200);
    expect(await recordedRequests()).toHaveLength(2);
  });

  test("truncate announces the whole body and sends half of it", async () => {
    const { token, injectFault, url } = await toy();
    await injectFault({ truncate: true });
    const { length, text, complete } = await new Promise<{ length?: string; text: string; complete: boolean }>(
      (resolve, reject) => {
        const request = http.get(url("/toy/v2/me"), { headers: { authorization: `Bearer ${token}` } }, (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (chunk) => {
            text += chunk;
          });
          response.on("error", () => {});
          response.on("close", () =>
            resolve({ length: response.headers["content-length"], text, complete: response.complete }),
          );
        });
        request.on("error", reject);
      },
    );
    const whole = JSON.stringify({ account: "sandbox" });
    expect({ length, text, complete }).toEqual({
      length: String(whole.length),
      text: whole.slice(0, whole.length / 2),
      complete: false,
    });
  });

  test("a pattern with stars takes linear time, and matches what its parts match in order", async () => {
    const faults = createInjectedFaults();
    const matches = (pattern: string, path: string) => {
      faults.clear();
      faults.add({ provider: "toy", path: pattern, status: 500 });
      return faults.take(path) !== undefined;
    };
    for (const [pattern, path] of [
      ["/v2/*/notes", "/v2/me/notes"],
      ["b*", "/a/b"],
      ["*", "/"],
      ["a*a", "/aa"],
      ["a.c", "/a.c"],
    ] as const)
      expect([pattern, matches(pattern, path)]).toEqual([pattern, true]);
    for (const [pattern, path] of [
      ["a*a", "/a"],
      ["b*a", "/a/b"],
      ["a.c", "/abc"],
    ] as const)
      expect([pattern, matches(pattern, path)]).toEqual([pattern, false]);
    // As a regular expression this takes longer than the test may.
    expect(matches("a*a*a*Z", "a".repeat(30_000))).toBe(false);
  });

  test("a web page of another origin cannot inject faults", async () => {
    const { url } = await toy({ allowsOrigin: (origin) => origin === "http://own.example" });
    const inject = (origin: string) =>
      fetch(url("/_faults"), {
        method: "POST",
        headers: { origin, "content-type": "text/plain" },
        body: '{"provider":"toy","status":500}',
      });
    expect((await inject("https://evil.example")).status).toBe(403);
    expect((await inject("http://own.example")).status).toBe(201);
    for (const path of ["/_faults", "/_requests"]) {
      const response = await fetch(url(path), { method: "DELETE", headers: { origin: "null" } });
      expect(response.status).toBe(403);
    }
  });

  test("faults are refused if too many are waiting, and patterns and bodies if they are too long", async () => {
    const faults = createInjectedFaults();
    for (let count = 0; count < 1_000; count++) expect(faults.add({ provider: "toy", status: 500 })).toBe(true);
    expect(faults.add({ provider: "toy", status: 500 })).toBe(false);
    const { url } = await toy();
    const inject = (body: object) => fetch(url("/_faults"), { method: "POST", body: JSON.stringify(body) });
    expect((await inject({ provider: "toy", status: 500, path: "x".repeat(501) })).status).toBe(400);
    expect((await inject({ provider: "toy", status: 500, x: "x".repeat(10_000) })).status).toBe(413);
  });

  test("DELETE /_faults removes all injected faults", async () => {
    const { call, token, injectFault, url } = await toy();
    await injectFault({ status: 500, times: 9 });
    expect((await fetch(url("/_faults"), { method: "DELETE" })).status).toBe(204);
    expect((await call("/v2/me", token)).status).toBe(200);
  });

  test("retry_after alone gives a 429, and a fault that only affects tokens leaves requests alone", async () => {
    const { call, injectFault, sandbox } = await toy();
    await injectFault({ retry_after: 1 });
    await injectFault({ token_lifetime: 1 });
    const { credentials, expires_in } = sandbox.credentials("toy", "oauth2");
    expect(expires_in).toBe(1);
    expect(await statuses(1, () => call("/v2/me", credentials.token))).toEqual([429]);
    expect(await statuses(1, () => call("/v2/status"))).toEqual([200]);
  });

  test.each([
    ["no body", undefined, "the body must be object"],
    ["text", "not json", "the body must be object"],
    ["no provider", '{"status":500}', "provider"],
    ["an unknown provider", '{"provider":"nobody","status":500}', "provider must be one of toy"],
    ["no effect", '{"provider":"toy","times":2}', "at least one of status, delay_ms"],
    ["an invalid status", '{"provider":"toy","status":99}', "status must be >= 400"],
    ["a status as text", '{"provider":"toy","status":"500"}', "status must be integer"],
    ["zero times", '{"provider":"toy","status":500,"times":0}', "times must be >= 1"],
    ["a typo", '{"provider":"toy","status":500,"delay":5}', "delay is not a known field"],
  ])("an injected fault with %s is refused with the reason", async (_, body, message) => {
    const { url } = await toy();
    const response = await fetch(url("/_faults"), { method: "POST", body });
    expect(response.status).toBe(400);
    expect(((await response.json()) as any).message).toContain(message);
  });
});

describe("recorded requests", () => {
  test("every request is recorded, newest last, with its query and with its credentials masked", async () => {
    const { call, sandbox, recordedRequests, url } = await toy();
    const [one, two] = [1, 2].map(() => sandbox.credentials("toy", "oauth2").credentials.token!);
    const started = new Date().toISOString();
    await call("/v2/me?limit=1", one);
    await call(`/v2/notes/${two}?api_key=abcdefghijklmnopqrst&page_token=p2&code=short`, two, {
      headers: { "x-api-key": "abcdefghijklmnopqrst", cookie: "a=b" },
    });
    const [first, second] = await recordedRequests();
    expect(first).toEqual({
      provider: "toy",
      method: "GET",
      path: "/v2/me?limit=1",
      headers: expect.any(Object),
      at: expect.any(String),
      status: 200,
    });
    expect(first.at >= started).toBe(true);
    expect(first.headers.authorization).toBe(`Bearer ***${one!.slice(-4)}`);
    expect(second.headers).toMatchObject({
      authorization: `Bearer ***${two!.slice(-4)}`,
      "x-api-key": "***qrst",
      cookie: "***",
    });
    expect(second.path).toBe(`/v2/notes/***${two!.slice(-4)}?api_key=***qrst&page_token=p2&code=***`);
    expect(JSON.stringify(await recordedRequests())).not.toContain("sbxa_");
    expect((await fetch(url("/_requests"), { method: "DELETE" })).status).toBe(204);
    expect(await recordedRequests()).toEqual([]);
  });

  test("GET /_requests lists all providers' requests, and refuses an unknown provider", async () => {
    const { call, url } = await toy();
    await call("/v2/status");
    expect(await (await fetch(url("/_requests"))).json()).toHaveLength(1);
    expect((await fetch(url("/_requests?provider=nobody"))).status).toBe(400);
  });

  test("only the newest 5,000 requests are kept", async () => {
    const { recordedRequests, address } = await toy();
    const agent = new http.Agent({ keepAlive: true, maxSockets: 10 });
    const hit = (index: number) =>
      new Promise<void>((resolve, reject) => {
        http
          .get(`${address}/sandbox/toy/v2/status?n=${index}`, { agent }, (response) =>
            response.resume().on("end", resolve),
          )
          .on("error", reject);
      });
    for (let index = 0; index < 5100; index += 100)
      await Promise.all(Array.from({ length: 100 }, (_, offset) => hit(index + offset)));
    agent.destroy();
    const kept = await recordedRequests();
    expect(kept).toHaveLength(5000);
    expect(Number(kept.at(-1).path.split("n=")[1])).toBeGreaterThan(4980);
  });

  test("a listener receives complete exchanges until it is removed", async () => {
    const { call, token, sandbox, injectFault } = await toy();
    const received: Exchange[] = [];
    const stop = sandbox.onExchange((exchange) => received.push(exchange));
    await call("/v2/notes?x=1", token, {
      method: "POST",
      body: JSON.stringify({ text: "hi" }),
      headers: { "content-type": "application/json" },
    });
    await injectFault({ drop: true });
    await call("/v2/me", token).catch(() => {});
    stop();
    await call("/v2/me", token);
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      provider: "toy",
      request: { method: "POST", path: "/v2/notes", body: { text: "hi" } },
      reply: {
        status: 201,
        headers: {
          "x-toy-remaining": "42",
          location: "/v2/notes/0",
          "content-type": "application/json; charset=utf-8",
        },
        body: { body: { text: "hi" }, text: '{"text":"hi"}' },
      },
    });
    expect(received[0]!.request.query.get("x")).toBe("1");
  });
});
