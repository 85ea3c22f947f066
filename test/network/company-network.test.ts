// One process as it runs in a company: everything leaves through a proxy, certificates are those of the company's own
// authority, secrets are in files, the encryption key comes from a command, and the databases are encrypted.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Authority, contentsOf, createAuthority } from "../support/certificates.ts";
import { createPlatform, createStrictPlatform, type StrictPlatform } from "../support/platform.ts";
import { type OwnPostgres, ownPostgres, query } from "../support/postgres.ts";
import { newDataDir, type PlugboardProcess, runCommand, startPlugboard } from "../support/process.ts";
import { startProxy } from "../support/recording-proxy.ts";
import { type OwnRedis, ownRedis } from "../support/redis.ts";
import { readText } from "../support/upstream.ts";

const folder = newDataDir();
const file = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, `${content}\n`, { mode: 0o600 });
  return path;
};

let authority: Authority;
let postgres: OwnPostgres;
let redis: OwnRedis;
let outside: Server;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let plugboard: PlugboardProcess;
let platform: StrictPlatform;
let env: Record<string, string>;
let key: string;
/** What arrived outside: `host path`. */
const arrived: string[] = [];

/** Stands for the internet: every host with its certificate of the company's proxy. */
const answers: Record<string, (path: string) => unknown> = {
  "git.corp.test": () => [],
  "gitlab.corp.test": (path) =>
    path === "/oauth/token" ? { access_token: "made-up-2", refresh_token: "made-up-3", expires_in: 7200 } : [],
  "mcp.corp.test": () => ({ jsonrpc: "2.0", id: 1, result: {} }),
  "login.corp.test": () => ({
    issuer: "https://login.corp.test",
    authorization_endpoint: "https://login.corp.test/authorize",
    token_endpoint: "https://login.corp.test/token",
    jwks_uri: "https://login.corp.test/keys",
  }),
  "client.corp.test": () => ({
    client_id: "https://client.corp.test/app.json",
    client_name: "Documented",
    redirect_uris: ["https://client.corp.test/callback"],
  }),
};

beforeAll(async () => {
  authority = createAuthority();
  outside = createServer(contentsOf(authority.issue("DNS:*.corp.test")), async (request, response) => {
    await readText(request);
    const host = request.headers.host!.replace(/:\d+$/, "");
    arrived.push(`${host} ${request.url!.split("?")[0]}`);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(answers[host]?.(request.url!) ?? {}));
  });
  outside.listen(0, "127.0.0.1");
  const internal = authority.issue("IP:127.0.0.1");
  [postgres, redis] = (await Promise.all([
    ownPostgres({ certificate: internal }),
    ownRedis({ certificate: internal }),
    once(outside, "listening"),
  ])) as [OwnPostgres, OwnRedis, unknown];
  proxy = await startProxy((outside.address() as AddressInfo).port);
  const encryptionKey = randomBytes(32).toString("base64");
  env = {
    DATA_DIR: folder,
    SANDBOX: "off",
    LOG_LEVEL: "debug",
    NODE_EXTRA_CA_CERTS: authority.ca,
    DATABASE_URL_FILE: file("database-url", `${postgres.url}?sslmode=verify-full`),
    REDIS_URL_FILE: file("redis-url", redis.url),
    ENCRYPTION_KEY_COMMAND: `cat ${file("kms", encryptionKey)}`,
    https_proxy: proxy.url.replace("//", "//plugboard:made-up@"),
    PROXY_TARGET: "unresolved",
    OIDC_ISSUER: "https://login.corp.test",
    OIDC_CLIENT_ID: "plugboard",
    OIDC_CLIENT_SECRET_FILE: file("oidc-secret", "made-up"),
    OIDC_ROLES: "*=viewer@*",
    OTEL_EXPORTER_OTLP_ENDPOINT: "https://otel.corp.test:4318",
    OTEL_EXPORTER_OTLP_HEADERS_FILE: file("otel-headers", "authorization=made-up"),
    OTEL_BSP_SCHEDULE_DELAY: "10",
  };
  const created = await runCommand(["keys", "create", "--workspace", "Mine", "--json"], env);
  expect(created).toMatchObject({ code: 0, stderr: "" });
  key = JSON.parse(created.stdout).api_key;
  plugboard = await startPlugboard(env);
  platform = createStrictPlatform(plugboard, key);
}, 60_000);

afterAll(async () => {
  await plugboard?.stop();
  await Promise.all([postgres?.drop(), redis?.drop(), proxy?.close()]);
  outside?.closeAllConnections();
  outside?.close();
  authority?.remove();
  rmSync(folder, { recursive: true, force: true });
});

it("every kind of outgoing call takes the proxy, and trusts the company's authority", async () => {
  const connect = async (integration: object, credentials: object) => {
    const { id } = await platform("POST", "/integrations", integration);
    const connection = await platform("POST", "/connections", { integration_id: id, ...credentials });
    return { authorization: `Bearer ${key}`, "SVC-Connection-ID": connection.id };
  };
  const get = async (path: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    (await fetch(`${plugboard.url}${path}`, { headers, redirect: "manual", ...init })).status;

  const git = await connect(
    { identifier: "github", type: "api_key", base_url: "https://git.corp.test", mcp_url: "https://mcp.corp.test/mcp" },
    { auth_token: "made-up" },
  );
  expect(await get("/unified/v1/git/repos", git)).toBe(200);
  expect(await get("/proxy/anything", git)).toBe(200);
  const message = { method: "POST", body: '{"jsonrpc":"2.0","id":1,"method":"ping"}' };
  expect(await get("/mcp", { ...git, "content-type": "application/json" }, message)).toBe(200);
  const client = { client_id: "made-up", client_secret: "made-up" };
  const gitlab = await connect(
    { identifier: "gitlab", type: "oauth2", base_url: "https://gitlab.corp.test", ...client },
    { auth_token: "made-up", refresh_token: "made-up", expires_in: 1 },
  );
  const refreshed = async () => {
    expect(await get("/unified/v1/git/repos", gitlab)).toBe(200);
    return arrived;
  };
  await expect.poll(refreshed, { interval: 200 }).toContain("gitlab.corp.test /oauth/token");
  await platform("POST", "/webhooks", {
    name: "All",
    url: "https://hooks.corp.test/in",
    events: { "connection.*": true },
  });
  await platform("PATCH", `/connections/${git["SVC-Connection-ID"]}`, { external_id: "user" });
  expect(await get("/dashboard/oidc/start")).toBe(303);
  const authorize = new URLSearchParams({
    response_type: "code",
    client_id: "https://client.corp.test/app.json",
    redirect_uri: "https://client.corp.test/callback",
    code_challenge: "x".repeat(43),
    code_challenge_method: "S256",
    resource: `${plugboard.url}/unified/v1/mcp`,
  });
  await get(`/auth/oauth/authorize?${authorize}`);
  await expect
    .poll(() => arrived)
    .toEqual(
      expect.arrayContaining([
        "git.corp.test /api/v3/user/repos",
        "git.corp.test /api/v3/anything",
        "mcp.corp.test /mcp",
        "gitlab.corp.test /oauth/token",
        "hooks.corp.test /in",
        "login.corp.test /.well-known/openid-configuration",
        "client.corp.test /app.json",
        "otel.corp.test /v1/traces",
        "otel.corp.test /v1/logs",
      ]),
    );
  expect(new Set(proxy.asked)).toEqual(
    new Set([
      ...["git", "gitlab", "mcp", "hooks", "login", "client"].map((name) => `${name}.corp.test:443`),
      "otel.corp.test:4318",
    ]),
  );
  expect([...proxy.credentials]).toEqual([`Basic ${Buffer.from("plugboard:made-up").toString("base64")}`]);
});

it("a private address is refused behind the proxy too", async () => {
  const integration = { identifier: "github", type: "api_key", base_url: "https://10.0.0.1" };
  const { body } = await createPlatform(plugboard, key)("POST", "/v1/integrations", integration);
  expect(body.errors.base_url[0]).toMatch(/^Must not be a private address/);
  expect(proxy.asked.join()).not.toContain("10.0.0.1");
});

it("the connections to Postgres and Redis are encrypted", async () => {
  const rows = await query(
    postgres.url,
    "select distinct s.ssl from pg_stat_ssl s join pg_stat_activity a using (pid) where a.application_name = 'plugboard'",
  );
  expect(rows).toEqual([{ ssl: true }]);
  const ready = (await (await fetch(`${plugboard.url}/readyz`)).json()) as object;
  expect(ready).toMatchObject({ store: "ok", coordination: "ok" });
  expect(plugboard.output.stdout).not.toContain("Redis is unavailable");
});

it("without the authority, or with another name, the database is not used", async () => {
  const attempt = (change: Record<string, string>) =>
    runCommand(["keys", "create", "--workspace", "Other"], { ...env, ...change });
  const other = createAuthority();
  const refused = [
    await attempt({ NODE_EXTRA_CA_CERTS: "" }),
    await attempt({
      DATABASE_URL_FILE: file("other-ca", `${postgres.url}?sslmode=verify-full&sslrootcert=${other.ca}`),
    }),
    await attempt({
      DATABASE_URL_FILE: file("other-name", `${postgres.url.replace("127.0.0.1", "localhost")}?sslmode=verify-full`),
    }),
  ];
  other.remove();
  expect(refused.map(({ code }) => code)).toEqual([1, 1, 1]);
  expect(refused.map(({ stderr }) => stderr.trim())).toEqual([
    expect.stringMatching(/certificate/),
    expect.stringMatching(/certificate/),
    expect.stringMatching(/does not match certificate/),
  ]);
  const trusted = file("given-ca", `${postgres.url}?sslmode=verify-full&sslrootcert=${authority.ca}`);
  expect(await attempt({ NODE_EXTRA_CA_CERTS: "", DATABASE_URL_FILE: trusted })).toMatchObject({ code: 0 });
});

it("a command that prints no key, or another one, stops the start, and what it prints is not shown", async () => {
  const other = randomBytes(32).toString("base64");
  const commands = {
    "echo hunter2; exit 3": /^plugboard: ENCRYPTION_KEY_COMMAND: the command ended with status 3, and not with a key$/,
    "echo hunter2": /^plugboard: ENCRYPTION_KEY_COMMAND: what the command prints must be 32 bytes in base64$/,
    [`echo ${other}`]: /^plugboard: ENCRYPTION_KEY_COMMAND: /,
  };
  for (const [ENCRYPTION_KEY_COMMAND, line] of Object.entries(commands)) {
    const { code, stderr } = await runCommand(["keys", "list"], { ...env, ENCRYPTION_KEY_COMMAND });
    expect([code, stderr.trim()]).toEqual([1, expect.stringMatching(line)]);
    expect(stderr).not.toContain(other);
  }
});

it("nothing that is logged has a secret of the files", () => {
  expect(plugboard.output.stdout).not.toMatch(/made-up|proxy-authorization/i);
});
