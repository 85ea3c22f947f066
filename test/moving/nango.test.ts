// Nango's API and database are written here after its source (August 2026): the routes of its public API, and its tables
// with secrets in three columns, each value, nonce and tag in base64.
import { createCipheriv, hash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import names from "../../src/moving/nango/provider-names.json" with { type: "json" };
import { loadRegistry } from "../../src/registry.ts";
import { callCommand } from "../support/command.ts";
import { createStrictPlatform, type StrictPlatform } from "../support/platform.ts";
import { query, testDatabase } from "../support/postgres.ts";
import { newDataDir } from "../support/process.ts";
import { startProxy } from "../support/recording-proxy.ts";
import { startService, type TestService } from "../support/service.ts";

const NANGO_SECRET_KEY = "nango-secret-key";
const UUID = "0b8e6f0e-4f5a-4d51-9c1e-0a54a5b4b0a1";

interface Data {
  integrations: { unique_key: string; provider: string; client_id?: string; client_secret?: string; scopes?: string }[];
  connections: {
    connection_id: string;
    provider_config_key: string;
    end_user?: string;
    metadata?: object;
    connection_config?: object;
    credentials: Record<string, unknown>;
  }[];
}

/** What both have. The token is one that the emulated provider accepts. */
const nangoData = (token: string): Data => ({
  integrations: [
    { unique_key: "github-prod", provider: "github", client_id: "gh", client_secret: "gh-secret", scopes: "repo,user" },
    { unique_key: "github-key", provider: "github-pat" },
    { unique_key: "jira", provider: "jira", client_id: "ji", client_secret: "ji-secret" },
    { unique_key: "freshdesk", provider: "freshdesk" },
    { unique_key: "chat", provider: "mattermost" },
    { unique_key: "unknown", provider: "never-heard-of" },
    { unique_key: "shared", provider: "slack" },
    { unique_key: "linear-unused", provider: "linear", client_id: "li", client_secret: "li-secret" },
  ],
  connections: [
    {
      connection_id: UUID,
      provider_config_key: "github-prod",
      end_user: "user-1",
      metadata: { plan: "pro" },
      credentials: {
        type: "OAUTH2",
        access_token: token,
        refresh_token: "refresh-1",
        expires_at: "2030-01-02T03:04:05.000Z",
        raw: { access_token: token },
      },
    },
    { connection_id: "with.dot", provider_config_key: "github-key", credentials: { type: "API_KEY", apiKey: "ghp_1" } },
    {
      connection_id: "jira-1",
      provider_config_key: "jira",
      connection_config: { cloudId: "11111111-2222-3333-4444-555555555555", baseUrl: "https://acme.atlassian.net" },
      credentials: { type: "OAUTH2", access_token: "jira-token" },
    },
    { connection_id: "jira-2", provider_config_key: "jira", credentials: { type: "OAUTH2", access_token: "x" } },
    {
      connection_id: "desk",
      provider_config_key: "freshdesk",
      connection_config: { subdomain: "acme" },
      credentials: { type: "BASIC", username: "desk-key", password: "X" },
    },
    {
      connection_id: "chat-1",
      provider_config_key: "chat",
      connection_config: { hostname: "chat.acme.example" },
      credentials: { type: "API_KEY", apiKey: "chat-key" },
    },
    { connection_id: "strange", provider_config_key: "unknown", credentials: { type: "API_KEY", apiKey: "u" } },
    { connection_id: "app", provider_config_key: "github-prod", credentials: { type: "APP", access_token: "a" } },
    { connection_id: "theirs", provider_config_key: "shared", credentials: { type: "OAUTH2", access_token: "s" } },
  ],
});

const AT = "2025-05-06T07:08:09.000Z";

/** The connection that Nango cannot give at the moment. */
let failing: string | undefined;

/** The public API of Nango, as far as it is used. One connection cannot be refreshed any more. */
function emulateApi({ integrations, connections }: Data): Server {
  const requests = (path: string, search: URLSearchParams): [number, unknown] => {
    const [, kind, id] = path.split("/").map(decodeURIComponent);
    const listed = integrations.map(({ unique_key, provider }) => ({
      unique_key,
      provider,
      display_name: unique_key,
      created_at: AT,
      updated_at: AT,
    }));
    if (kind === "integrations" && !id) return [200, { data: listed }];
    if (kind === "integrations") {
      const { client_id, client_secret, scopes } = integrations.find(({ unique_key }) => unique_key === id)!;
      const credentials = { type: "OAUTH2", client_id, client_secret, scopes: scopes ?? null, webhook_secret: null };
      return [
        200,
        { data: { ...listed.find((one) => one.unique_key === id), credentials: client_id ? credentials : null } },
      ];
    }
    const toApi = ({
      credentials: _,
      connection_config: __,
      end_user,
      ...connection
    }: Data["connections"][number]) => ({
      ...connection,
      metadata: connection.metadata ?? null,
      end_user: end_user ? { id: end_user, display_name: null, email: null, tags: null, organization: null } : null,
      created: AT,
    });
    if (!id) {
      const [limit, page] = [Number(search.get("limit")), Number(search.get("page"))];
      return [200, { connections: connections.slice(page * limit, (page + 1) * limit).map(toApi) }];
    }
    const found = connections.find(
      ({ connection_id, provider_config_key }) =>
        connection_id === id && provider_config_key === search.get("provider_config_key"),
    )!;
    if (id === failing) return [503, { error: { code: "server_error" } }];
    if (id === "theirs") return [424, { error: { code: "invalid_credentials" } }];
    const { refresh_token, ...credentials } = found.credentials;
    const shown = search.get("refresh_token") === "true" ? { ...credentials, refresh_token } : credentials;
    const config = { connection_config: found.connection_config ?? {}, created_at: AT, updated_at: AT };
    return [200, { ...toApi(found), ...config, credentials: shown }];
  };
  return createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, "http://nango.invalid");
    const isKnown = request.headers.authorization === `Bearer ${NANGO_SECRET_KEY}`;
    const [status, body] = isKnown ? requests(pathname, searchParams) : [401, {}];
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
}

/** The tables of Nango that matter here, with secrets encrypted as it does. */
async function createNangoDatabase(url: string, key: Buffer, { integrations, connections }: Data): Promise<void> {
  const encrypt = (text: string) => {
    const iv = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", key, iv);
    const value = cipher.update(text, "utf8", "base64") + cipher.final("base64");
    return [value, iv.toString("base64"), cipher.getAuthTag().toString("base64")];
  };
  const quote = (value: unknown) =>
    value === undefined || value === null ? "null" : `'${String(value).replaceAll("'", "''")}'`;
  const values = (...list: unknown[]) => `(${list.map(quote).join(", ")})`;
  await query(
    url,
    `create table _nango_environments (id serial primary key, name text, account_id int, deleted bool default false);
     create table end_users (id serial primary key, end_user_id text, environment_id int, email text);
     create table _nango_configs (id serial primary key, unique_key text, provider text, display_name text,
       oauth_client_id text, oauth_client_secret text, oauth_client_secret_iv text, oauth_client_secret_tag text,
       oauth_scopes text, environment_id int, deleted bool default false, created_at timestamptz default now());
     create table _nango_connections (id serial primary key, config_id int, end_user_id int, provider_config_key text,
       connection_id text, connection_config json, environment_id int, metadata json, credentials json,
       credentials_iv text, credentials_tag text, deleted bool default false,
       created_at timestamptz default '${AT}', updated_at timestamptz default '${AT}');
     insert into _nango_environments (name, account_id) values ('prod', 1), ('dev', 1);
     insert into _nango_configs (unique_key, provider, environment_id) values ('of-dev', 'github', 2);`,
  );
  for (const { unique_key, provider, client_id, client_secret, scopes } of integrations) {
    const [secret, iv, tag] = client_secret ? encrypt(client_secret) : [null, null, null];
    await query(
      url,
      `insert into _nango_configs (unique_key, provider, oauth_client_id, oauth_client_secret, oauth_client_secret_iv,
         oauth_client_secret_tag, oauth_scopes, environment_id)
       values ${values(unique_key, provider, client_id, secret, iv, tag, scopes, 1)}`,
    );
  }
  for (const connection of [...connections, { ...connections[0]!, connection_id: "deleted", isDeleted: true }]) {
    const [encrypted_credentials, iv, tag] = encrypt(JSON.stringify(connection.credentials));
    if (connection.end_user)
      await query(url, `insert into end_users (end_user_id, environment_id) values ${values(connection.end_user, 1)}`);
    const { connection_id, metadata, connection_config, provider_config_key } = connection;
    const json = [metadata, connection_config, { encrypted_credentials }].map((one) => one && JSON.stringify(one));
    await query(
      url,
      `insert into _nango_connections (connection_id, provider_config_key, metadata, connection_config, credentials,
         credentials_iv, credentials_tag, environment_id, deleted, config_id, end_user_id)
       select ${[connection_id, provider_config_key, ...json, iv, tag, 1, "isDeleted" in connection].map(quote).join()},
         id, ${connection.end_user ? "(select max(id) from end_users)" : "null"}
       from _nango_configs where unique_key = ${quote(provider_config_key)}`,
    );
  }
}

it("every name that Nango has for a provider leads to a provider here, with these settings", async () => {
  const { providers } = await loadRegistry({ providersDir: undefined });
  for (const [name, { id, settings = {} }] of Object.entries<{ id: string; settings?: object }>(names)) {
    const manifest = providers.find((provider) => provider.manifest.id === id)?.manifest;
    expect(manifest, name).toBeDefined();
    expect(Object.keys(manifest!.settings ?? {}), name).toEqual(expect.arrayContaining(Object.keys(settings)));
  }
});

describe("an import from Nango", () => {
  const DATA_DIR = newDataDir();
  const encryptionKey = randomBytes(32);
  let service: TestService;
  let nango: Server;
  let url: string;
  let data: Data;
  let database: Awaited<ReturnType<typeof testDatabase>>;
  const platforms: Record<string, StrictPlatform> = {};
  const keys: Record<string, string> = {};

  const run = (workspace: string, args: string[], env: Record<string, string> = { NANGO_SECRET_KEY }) =>
    callCommand(["import", "--from", "nango", "--workspace", workspace, ...args], { DATA_DIR, ...env });

  beforeAll(async () => {
    service = await startService({ env: { DATA_DIR } });
    for (const name of ["api", "kept", "tables"]) {
      keys[name] = await service.createWorkspace(name);
      platforms[name] = createStrictPlatform(service, keys[name]);
    }
    data = nangoData(service.sandbox.credentials("github", "oauth2").credentials.token!);
    nango = emulateApi(data).listen(0, "127.0.0.1");
    await once(nango, "listening");
    url = `http://127.0.0.1:${(nango.address() as AddressInfo).port}/`;
    database = await testDatabase();
    if (database) await createNangoDatabase(database.url, encryptionKey, data);
  });
  afterAll(async () => {
    await service?.close();
    nango?.close();
    await database?.drop();
    rmSync(DATA_DIR, { recursive: true, force: true });
  });

  const list = async (workspace: string) => {
    const [connections, integrations] = await Promise.all(
      ["/connections", "/integrations"].map((path) => platforms[workspace]!("GET", `${path}?limit=100`)),
    );
    return { connections, integrations };
  };

  it("a dry run says what would come and what is left out, and writes nothing", async () => {
    const { code, stdout, stderr } = await run("api", ["--url", url, "--dry-run"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^integrations +6 +0 +0$/m);
    expect(stdout).toMatch(/^connections +5 +0 +0$/m);
    expect(stdout).toContain(
      "Left out: strange: Plugboard has no provider never-heard-of: describe it with a document",
    );
    expect(stdout).toContain("Left out: app: Plugboard connects github by oauth2, github_app, api_key, and not by APP");
    expect(stdout).toContain("Left out: theirs: Nango answers 424 for it; its user has to connect again");
    expect(stdout).toMatch(/Left out: jira-2: jira needs ".+", which Nango does not have/);
    expect((await list("api")).connections).toEqual([]);
  });

  it("a connection that Nango fails to give is to be imported again, not connected again", async () => {
    failing = "desk";
    onTestFinished(() => {
      failing = undefined;
    });
    const { code, stdout } = await run("api", ["--url", url, "--dry-run"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^connections +4 +0 +0$/m);
    expect(stdout).toContain("Left out: desk: Nango answers 503 for it; import again when it works");
  });

  it("Nango is called through the proxy of the company", async () => {
    const proxy = await startProxy(Number(new URL(url).port));
    onTestFinished(() => proxy.close());
    const env = { NANGO_SECRET_KEY, HTTP_PROXY: proxy.url };
    const { code, stderr } = await run("api", ["--url", "http://nango.test", "--dry-run"], env);
    expect([code, stderr]).toEqual([0, ""]);
    expect(new Set(proxy.asked)).toEqual(new Set(["nango.test:80"]));
    proxy.refuse(403);
    expect((await run("api", ["--url", "http://nango.test", "--dry-run"], env)).stderr).toBe(
      "plugboard: Nango at http://nango.test cannot be reached: the proxy answered 403 to CONNECT nango.test:80\n",
    );
  });

  it("connections come with their credentials and settings, and keep Nango's ids as external_id", async () => {
    expect((await run("api", ["--url", url])).code).toBe(0);
    const { connections, integrations } = await list("api");
    const byExternalId = Object.fromEntries(connections.map((one: any) => [one.external_id, one]));
    expect(Object.keys(byExternalId).toSorted()).toEqual([UUID, "chat-1", "desk", "jira-1", "with.dot"].toSorted());
    expect(byExternalId[UUID]).toMatchObject({
      id: expect.stringMatching(/^conn_[0-9a-f]{24}$/),
      integration_identifier: "github",
      metadata: { plan: "pro", nango_end_user_id: "user-1" },
      expires_at: "2030-01-02T03:04:05.000Z",
      created_at: AT,
      is_valid: true,
    });
    expect(byExternalId["jira-1"].settings).toEqual({
      cloud_id: "11111111-2222-3333-4444-555555555555",
      site_url: "https://acme.atlassian.net",
    });
    const named = Object.fromEntries(integrations.map((one: any) => [one.name, one]));
    expect(named["github-prod"]).toMatchObject({
      identifier: "github",
      type: "oauth2",
      client_id: "gh",
      has_client_secret: true,
      scopes: ["repo", "user"],
    });
    expect(named["github-key"]).toMatchObject({ identifier: "github", type: "api_key" });
    expect(named.chat).toMatchObject({ identifier: "mattermost", base_url: "https://chat.acme.example" });
    expect(named["linear-unused"]).toMatchObject({ identifier: "linear", client_id: "li" });
    const { workspace } = (await service.store.keys.byHash(hash("sha256", keys.api!)))!;
    const stored = async (id: string) => (await service.store.connections.get(workspace.id, byExternalId[id].id))!;
    expect((await stored(UUID)).credentials).toEqual({
      token: data.connections[0]!.credentials.access_token,
      refresh_token: "refresh-1",
    });
    expect((await stored("desk")).credentials).toEqual({ token: "desk-key" });
    expect((await stored("with.dot")).credentials).toEqual({ token: "ghp_1" });
    const client = await service.store.integrations.get(workspace.id, named["github-prod"].id);
    expect(client?.client_secret).toBe("gh-secret");
  });

  it("an imported connection works", async () => {
    const { connections } = await list("api");
    const { id, integration_id } = connections.find((one: any) => one.external_id === UUID);
    // The emulated provider instead of the real one.
    await platforms.api!("PATCH", `/integrations/${integration_id}`, { base_url: "sandbox" });
    const response = await fetch(`${service.url}/unified/v1/git/repos?limit=1`, {
      headers: { authorization: `Bearer ${keys.api}`, "SVC-Connection-ID": id },
    });
    expect(response.status).toBe(200);
  });

  it("a second import leaves everything as it is here", async () => {
    const before = await list("api");
    const { code, stdout } = await run("api", ["--url", url]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^connections +0 +5 +0$/m);
    expect(stdout).toMatch(/^integrations +0 +5 +1$/m);
    expect(await list("api")).toEqual(before);
  });

  it("with --keep-ids, Nango's ids are the connections' own where they can be", async () => {
    expect((await run("kept", ["--url", url, "--keep-ids"])).code).toBe(0);
    const { connections } = await list("kept");
    const ids = connections.map((one: any) => one.id);
    expect(ids).toEqual(expect.arrayContaining([UUID, "jira-1", "desk", "chat-1"]));
    expect(connections.find((one: any) => one.id === UUID).external_id).toBe("user-1");
    const dotted = connections.find((one: any) => one.external_id === "with.dot");
    expect(dotted.id).toMatch(/^conn_/);
  });

  it("the database of Nango gives the same, with its encryption key and for one environment", async () => {
    if (!database) return;
    const NANGO_ENCRYPTION_KEY = encryptionKey.toString("base64");
    const args = ["--database", database.url, "--environment", "prod"];
    const unchosen = await run("tables", ["--database", database.url], { NANGO_ENCRYPTION_KEY });
    expect(unchosen.stderr).toContain("--environment NAME, or its number: prod (1), dev (2)");
    expect((await run("tables", args, {})).stderr).toContain("set NANGO_ENCRYPTION_KEY");
    const other = randomBytes(32).toString("base64");
    expect((await run("tables", args, { NANGO_ENCRYPTION_KEY: other })).stderr).toContain(
      "NANGO_ENCRYPTION_KEY is not the key of Nango's database",
    );
    const { code, stdout, stderr } = await run("tables", args, { NANGO_ENCRYPTION_KEY });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("Left out: theirs: Nango has no client ID and secret for it");
    const [fromTables, fromApi] = [await list("tables"), await list("api")];
    const comparable = ({ connections }: Awaited<ReturnType<typeof list>>) =>
      connections
        .map(({ external_id, settings, metadata, expires_at, integration_identifier, created_at }: any) => ({
          external_id,
          settings,
          metadata,
          expires_at,
          integration_identifier,
          created_at,
        }))
        .toSorted((one: any, other: any) => (one.external_id < other.external_id ? -1 : 1));
    expect(comparable(fromTables)).toEqual(comparable(fromApi));
    expect(stdout + stderr).not.toContain("gh-secret");
  });

  it("what is missing or wrong on the command line is named, and no secret is printed", async () => {
    expect((await run("nowhere", ["--url", url])).stderr).toContain('there is no workspace "nowhere"');
    expect((await run("api", ["--url", url], {})).stderr).toContain("NANGO_SECRET_KEY: required with --url");
    expect((await run("api", [])).stderr).toContain("needs --url with the address of its API, or --database");
    const wrong = await run("api", ["--url", url], { NANGO_SECRET_KEY: "another-secret" });
    expect(wrong.stderr).toContain("Nango answered GET /integrations with 401: check NANGO_SECRET_KEY");
    expect(wrong.stderr).not.toContain("another-secret");
    const closed = await run("api", ["--url", "http://127.0.0.1:9"]);
    expect(closed.stderr).toMatch(/Nango at http:\/\/127\.0\.0\.1:9 cannot be reached: /);
    const { code, stderr } = await run("api", ["--url", `${service.url}/docs/guides/moving?`]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/ is not the API of Nango: give its address, such as /)]);
    const mixed = await callCommand(["import", "file", "--from", "nango"], { DATA_DIR });
    expect(mixed).toMatchObject({ code: 2, stderr: expect.stringContaining("one export, or --from nango") });
  });
});
