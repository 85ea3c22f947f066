import { hash } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { serveToy, type ToyServer, toyEmulator } from "../../test/support/toy-provider.ts";
import type { OAuth2 } from "../contracts/authentication.ts";
import { reply } from "../emulator-kit/emulator.ts";

const servers: ToyServer[] = [];
async function toy(options: Parameters<typeof serveToy>[0] = {}) {
  const server = await serveToy(options);
  servers.push(server);
  return server;
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const redirectUri = "http://127.0.0.1:9/callback?keep=me";
const verifier = "v".repeat(43);
const consent = {
  client_id: "app",
  redirect_uri: redirectUri,
  response_type: "code",
  state: "s t&1",
  scope: "read write",
};
const pkce = { code_challenge: hash("sha256", verifier, "base64url"), code_challenge_method: "S256" };
const client = { client_id: "app", client_secret: "secret" };

const authorizePath = (parameters: Record<string, string>) => `/oauth/authorize?${new URLSearchParams(parameters)}`;

const decide = (server: ToyServer, decision: string, parameters: Record<string, string> = consent) =>
  server.call(authorizePath(parameters), undefined, { method: "POST", body: new URLSearchParams({ decision }) });

async function code(server: ToyServer, parameters: Record<string, string> = consent): Promise<string> {
  const response = await decide(server, "allow", parameters);
  return new URL(response.headers.get("location")!).searchParams.get("code")!;
}

const post = (server: ToyServer, path: string, body: Record<string, string>, headers: Record<string, string> = {}) =>
  server.call(path, undefined, { method: "POST", body: new URLSearchParams(body), headers });

async function token(server: ToyServer, body: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await post(server, "/oauth/acme/token", body, headers);
  return { status: response.status, body: (await response.json()) as any };
}

const exchange = (code: string, extra: Record<string, string> = {}) => ({
  grant_type: "authorization_code",
  code,
  redirect_uri: redirectUri,
  ...client,
  ...extra,
});
const refresh = (refresh_token: string, extra: Record<string, string> = {}) => ({
  grant_type: "refresh_token",
  refresh_token,
  ...client,
  ...extra,
});

describe("consent", () => {
  test("the consent page shows provider, application, scopes and account, escaped, and runs no script", async () => {
    const server = await toy();
    const response = await server.call(authorizePath({ ...consent, client_id: '<img src=x onerror="x">' }));
    const html = await response.text();
    expect(response.status).toBe(200);
    for (const shown of ["Toy &amp; Sons", "<li>read</li><li>write</li>", "sandbox", "http://127.0.0.1:9"])
      expect(html).toContain(shown);
    expect(html).toContain("&lt;img src=x onerror=&quot;x&quot;&gt;");
    expect(html).not.toContain("<img");
    expect(html).not.toContain("<script");
    const policy = response.headers.get("content-security-policy")!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    const style = /<style>(.*)<\/style>/s.exec(html)![1]!;
    expect(policy).toContain(`'sha256-${hash("sha256", style, "base64")}'`);
    expect(response.headers.get("x-frame-options")).toBe("DENY");
  });

  test("Allow redirects back with a code and the state, Deny with an error", async () => {
    const server = await toy();
    const allowed = await decide(server, "allow");
    expect(allowed.status).toBe(302);
    const target = new URL(allowed.headers.get("location")!);
    expect(target.origin + target.pathname).toBe("http://127.0.0.1:9/callback");
    expect(Object.fromEntries(target.searchParams)).toEqual({ keep: "me", code: expect.any(String), state: "s t&1" });
    const denied = new URL((await decide(server, "deny")).headers.get("location")!);
    expect(denied.searchParams.get("error")).toBe("access_denied");
    expect(denied.searchParams.get("state")).toBe("s t&1");
    expect(denied.searchParams.has("code")).toBe(false);
  });

  test.each([
    ["no client_id", { client_id: "" }, undefined],
    ["no redirect_uri", { redirect_uri: "" }, undefined],
    ["a script as redirect_uri", { redirect_uri: "javascript:alert(1)" }, undefined],
    ["a relative redirect_uri", { redirect_uri: "/callback" }, undefined],
    ["a fragment in redirect_uri", { redirect_uri: "http://127.0.0.1:9/#x" }, undefined],
    ["another response_type", { response_type: "token" }, undefined],
    ["another challenge method", { ...pkce, code_challenge_method: "S512" }, undefined],
    ["a challenge for a provider without PKCE", pkce, { pkce: false }],
  ] satisfies [string, Record<string, string>, Partial<OAuth2> | undefined][])(
    "an authorization request with %s gets an error page, never a redirect",
    async (_, change, oauth2) => {
      const server = await toy({ oauth2 });
      const parameters = { ...consent, ...change };
      for (const response of [
        await server.call(authorizePath(parameters)),
        await decide(server, "allow", parameters),
      ]) {
        expect(response.status).toBe(400);
        expect(response.headers.get("location")).toBeNull();
        expect(response.headers.get("content-type")).toContain("text/html");
      }
    },
  );

  test("scopes are sent with the parameter name and delimiter of the manifest", async () => {
    const server = await toy({ oauth2: { scopeParameter: "bot_scope", scopeDelimiter: "," } });
    const html = await (await server.call(authorizePath({ ...consent, bot_scope: "a:x,b:y" }))).text();
    expect(html).toContain("<li>a:x</li><li>b:y</li>");
    expect(html).not.toContain("<li>read");
  });
});

describe("tokens by code", () => {
  test("a code gives a working token, but only once", async () => {
    const server = await toy();
    const given = await code(server);
    const { status, body } = await token(server, exchange(given));
    expect([status, body]).toEqual([
      200,
      {
        access_token: expect.any(String),
        token_type: "Bearer",
        expires_in: 3600,
        refresh_token: expect.any(String),
        scope: "read write",
        tenant: "acme",
      },
    ]);
    expect((await server.call("/v2/me", body.access_token)).status).toBe(200);
    expect(await token(server, exchange(given))).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  test.each([
    ["another redirect_uri", { redirect_uri: "http://127.0.0.1:9/callback" }, "invalid_grant", 400],
    ["another client", { client_id: "other" }, "invalid_grant", 400],
    ["no code", { code: "" }, "invalid_request", 400],
    ["a code that was never issued", { code: "made-up" }, "invalid_grant", 400],
    ["another grant type", { grant_type: "password" }, "unsupported_grant_type", 400],
    ["a grant type from the prototype", { grant_type: "constructor" }, "unsupported_grant_type", 400],
    ["no client_id", { client_id: "" }, "invalid_client", 401],
    ["no secret", { client_secret: "" }, "invalid_client", 401],
    ["a wrong secret", { client_secret: "this-is-wrong" }, "invalid_client", 401],
  ])("a token request with %s is refused", async (_, change, error, status) => {
    const server = await toy();
    const refused = await token(server, exchange(await code(server), change));
    expect(refused).toEqual({ status, body: { error, error_description: expect.any(String) } });
  });

  test("a code requested with a challenge needs its verifier", async () => {
    const server = await toy();
    const withChallenge = () => code(server, { ...consent, ...pkce });
    expect((await token(server, exchange(await withChallenge()))).body.error).toBe("invalid_grant");
    const wrong = exchange(await withChallenge(), { code_verifier: "w".repeat(43) });
    expect((await token(server, wrong)).body.error).toBe("invalid_grant");
    const right = exchange(await withChallenge(), { code_verifier: verifier });
    expect((await token(server, right)).status).toBe(200);
    const plain = await code(server, { ...consent, code_challenge: verifier });
    expect((await token(server, exchange(plain, { code_verifier: verifier }))).status).toBe(200);
  });

  test("the client must authenticate exactly in the way the manifest says", async () => {
    const authorization = (id: string, secret: string) => ({
      authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`,
    });
    const inBody = await toy();
    expect((await token(inBody, exchange(await code(inBody)), authorization("app", "secret"))).status).toBe(401);
    const inHeader = await toy({ oauth2: { tokenRequestAuth: "basic" } });
    expect((await token(inHeader, exchange(await code(inHeader)))).status).toBe(401);
    const {
      client_id: _,
      client_secret: __,
      ...bare
    } = exchange(await code(inHeader, { ...consent, client_id: "a:b c" }));
    expect((await token(inHeader, bare, authorization("a:b c", "wrong one"))).status).toBe(401);
    expect((await token(inHeader, bare, authorization("a:b c", "s&c+r t"))).status).toBe(200);
  });

  test("the token request's body must have exactly the format the manifest says", async () => {
    const asJson = async (server: ToyServer) =>
      server.call("/oauth/acme/token", undefined, {
        method: "POST",
        body: JSON.stringify(exchange(await code(server))),
        headers: { "content-type": "application/json" },
      });
    const json = await toy({ oauth2: { tokenRequestBody: "json" } });
    expect((await asJson(json)).status).toBe(200);
    expect((await token(json, exchange(await code(json)))).body.error).toBe("invalid_request");
    expect((await asJson(await toy())).status).toBe(400);
    expect((await (await toy()).call("/oauth/acme/token", undefined, { method: "POST" })).status).toBe(400);
  });

  test("an emulator can replace the standard token response and error", async () => {
    const server = await toy({
      emulators: {
        toy: {
          ...toyEmulator,
          tokenAnswer: (standard) => reply(200, { ok: true, bearer: standard.access_token }),
          tokenFailure: (error) => reply(200, { ok: false, error }),
        },
      },
    });
    expect(await token(server, exchange(await code(server)))).toEqual({
      status: 200,
      body: { ok: true, bearer: expect.any(String) },
    });
    expect(await token(server, exchange("made-up"))).toEqual({
      status: 200,
      body: { ok: false, error: "invalid_grant" },
    });
  });
});

describe("refresh", () => {
  test("without rotation, a refresh token works repeatedly", async () => {
    const server = await toy();
    const { refresh_token } = server.sandbox.credentials("toy", "oauth2").credentials;
    for (let round = 0; round < 2; round++) {
      const { status, body } = await token(server, refresh(refresh_token!));
      expect(status).toBe(200);
      expect(body).not.toHaveProperty("refresh_token");
      expect((await server.call("/v2/me", body.access_token)).status).toBe(200);
    }
  });

  test("with rotation, each refresh token works once and its successor works next", async () => {
    const server = await toy({ oauth2: { rotates: true } });
    const { body: first } = await token(server, exchange(await code(server)));
    const { body: second } = await token(server, refresh(first.refresh_token));
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await token(server, refresh(first.refresh_token))).body.error).toBe("invalid_grant");
    expect((await token(server, refresh(second.refresh_token))).status).toBe(200);
    expect((await server.call("/v2/me", second.access_token)).status).toBe(200);
  });

  test("a refresh token works only for its client, and an access token does not work as one", async () => {
    const server = await toy();
    const { body } = await token(server, exchange(await code(server)));
    expect((await token(server, refresh(body.refresh_token, { client_id: "other" }))).body.error).toBe("invalid_grant");
    expect((await token(server, refresh(body.access_token))).body.error).toBe("invalid_grant");
    expect((await token(server, refresh(""))).body.error).toBe("invalid_request");
  });

  test("a refresh that needs the redirect_uri is refused without it", async () => {
    const server = await toy({ oauth2: { refreshWithRedirectUri: true } });
    const { refresh_token } = server.sandbox.credentials("toy", "oauth2").credentials;
    expect((await token(server, refresh(refresh_token!))).body.error).toBe("invalid_request");
    expect((await token(server, refresh(refresh_token!, { redirect_uri: redirectUri }))).status).toBe(200);
  });

  test("an injected token_lifetime applies to new tokens until the injected faults are cleared", async () => {
    const server = await toy();
    const { refresh_token } = server.sandbox.credentials("toy", "oauth2").credentials;
    await server.injectFault({ token_lifetime: 1 });
    const { body } = await token(server, refresh(refresh_token!));
    expect(body.expires_in).toBe(1);
    const status = async () => (await server.call("/v2/me", body.access_token)).status;
    await expect.poll(status).toBe(401);
    await fetch(server.url("/_faults"), { method: "DELETE" });
    expect((await token(server, refresh(refresh_token!))).body.expires_in).toBe(3600);
  });

  test("token requests are subject to injected faults and are recorded like all others", async () => {
    const server = await toy();
    const { refresh_token } = server.sandbox.credentials("toy", "oauth2").credentials;
    await server.injectFault({ path: "/token", status: 500 });
    expect(await token(server, refresh(refresh_token!))).toEqual({ status: 500, body: { toy_error: 500 } });
    expect((await token(server, refresh(refresh_token!))).status).toBe(200);
    expect((await server.recordedRequests()).map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /oauth/acme/token",
      "POST /oauth/acme/token",
    ]);
  });
});

describe("revocation", () => {
  test("revoking a token revokes all tokens from its consent, and an unknown token is not an error", async () => {
    const server = await toy();
    const { body } = await token(server, exchange(await code(server)));
    expect((await post(server, "/oauth/revoke", { token: body.refresh_token, ...client })).status).toBe(200);
    expect((await server.call("/v2/me", body.access_token)).status).toBe(401);
    expect((await token(server, refresh(body.refresh_token))).body.error).toBe("invalid_grant");
    expect((await post(server, "/oauth/revoke", { token: "made-up", ...client })).status).toBe(200);
  });

  test("a revocation without a token or with a wrong secret is refused", async () => {
    const server = await toy();
    expect((await post(server, "/oauth/revoke", client)).status).toBe(400);
    const refused = await post(server, "/oauth/revoke", { ...client, token: "x", client_secret: "wrong" });
    expect(refused.status).toBe(401);
  });
});
