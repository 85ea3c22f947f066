// Sends known secrets through every path, then searches the database, logs, answers and metrics for them.
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import type { FullLogEntry } from "../../src/contracts/entities.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { newConnection } from "../support/entities.ts";
import { type Answer, createPlatform } from "../support/platform.ts";
import { query, type TestDatabase, testDatabase } from "../support/postgres.ts";
import { startService, type TestService } from "../support/service.ts";
import { connectTo, startUpstream, type Upstream } from "../support/upstream.ts";

const postgres = await testDatabase();
const databases: [string, TestDatabase | undefined][] = [["SQLite", undefined]];
if (postgres) databases.push(["Postgres", postgres]);

/** A provider that takes OAuth and API keys, and has no settings. */
const { manifest, categories } = providers.find(
  ({ manifest, categories }) =>
    manifest.auth.oauth2 && manifest.auth.api_key && !manifest.settings && categories.length > 0,
)!;
const list = operations.find(
  ({ kind, parameters, category, name }) =>
    kind === "list" &&
    parameters.length === 0 &&
    categories.some((implemented) => implemented.category === category && implemented.operations[name]),
)!;

describe.each(databases)("secrets on %s", (name, database) => {
  let service: TestService;
  let echo: Upstream;
  /** What the request log keeps of requests that failed. */
  const failures: FullLogEntry["failure"][] = [];
  const secrets = new Map<string, string>();
  const answers: Answer[] = [];

  /** A unique secret, remembered to be searched for. */
  function secret(name: string): string {
    const value = `made-up-${randomBytes(18).toString("base64url")}`;
    secrets.set(name, value);
    return value;
  }

  beforeAll(async () => {
    // A provider that quotes the whole request in its error.
    echo = await startUpstream(({ headers, url }, response) =>
      response.writeHead(403, { "content-type": "application/json" }).end(JSON.stringify({ url, headers })),
    );
    service = await startService({
      env: {
        LOG_LEVEL: "trace",
        ALLOW_PRIVATE_UPSTREAMS: "true",
        ...(database ? { DATABASE_URL: database.url } : {}),
      },
    });
    const key = await service.createWorkspace("owner");
    secrets.set("API key", key);
    const client = createPlatform(service, key);
    const call = async (...request: Parameters<typeof client>) => {
      const answer = await client(...request);
      answers.push(answer);
      return answer;
    };

    const created = await client("POST", "/v1/api-keys", { name: "second" });
    secrets.set("second API key", created.body.api_key);

    const integration = await call("POST", "/v1/integrations", {
      identifier: manifest.id,
      type: "oauth2",
      client_id: "client",
      client_secret: secret("client secret"),
      base_url: "sandbox",
    });
    await call("PATCH", `/v1/integrations/${integration.body.id}`, { client_secret: secret("changed client secret") });
    // No key, and refused with a message that does not quote it.
    await call("PATCH", `/v1/integrations/${integration.body.id}`, {
      type: "github_app",
      private_key: secret("no key"),
    });
    await call("PATCH", `/v1/integrations/${integration.body.id}`, { private_key: secret("private key") });
    const connection = await call("POST", "/v1/connections", {
      integration_id: integration.body.id,
      auth_token: secret("access token"),
      refresh_token: secret("refresh token"),
      expires_in: 1,
    });
    const kept = await call("POST", "/v1/connections", {
      integration_id: integration.body.id,
      auth_token: secret("kept access token"),
    });
    await service.store.connections.create(
      newConnection({
        workspace_id: (await client("GET", "/v1/workspace")).body.id,
        integration_id: integration.body.id,
        integration_identifier: manifest.id,
        credentials: { username: secret("user name"), password: secret("password"), secret: secret("issuing secret") },
      }),
    );

    // In use: the provider refuses one token, and the refresh of the other.
    for (const id of [connection.body.id, kept.body.id]) {
      const response = await fetch(`${service.url}/unified${list.route}`, {
        headers: { authorization: `Bearer ${key}`, "SVC-Connection-ID": id },
      });
      answers.push({
        status: response.status,
        headers: response.headers,
        text: await response.text(),
        body: undefined,
      });
    }
    for (const path of [
      "/v1/integrations",
      "/v1/connections",
      "/v1/api-keys",
      "/v1/audit",
      "/v1/workspace",
      `/v1/connections/${kept.body.id}`,
    ])
      await call("GET", path);
    await call("DELETE", `/v1/connections/${connection.body.id}`);

    // By mistake: in the wrong field, in a malformed body, in the address.
    await call("POST", "/v1/integrations", {
      identifier: manifest.id,
      type: "oauth2",
      clientSecret: secret("misnamed"),
    });
    await call("POST", "/v1/connections", { integration_id: integration.body.id, auth_token: [secret("in a list")] });
    await call("POST", "/v1/connections", `{"auth_token": "${secret("in malformed JSON")}"`);
    await call("POST", "/v1/connections", secret("as the whole body"), { "content-type": "text/plain" });
    await call("GET", `/v1/integrations?api_key=${secret("in the query")}&limit=x`);
    await call("GET", "/v1/workspace", undefined, { authorization: `Bearer ${secret("unknown bearer")}` });
    await call("GET", "/v1/workspace", undefined, {
      authorization: `Basic ${Buffer.from(`${secret("unknown user")}:`).toString("base64")}`,
    });
    await call("GET", "/v1/workspace", undefined, { cookie: `session=${secret("cookie")}` });
    await failWithEcho();
    await service.parts.requestLog.flush();
    const { body: entries } = await call("GET", "/v1/logs?limit=100");
    for (const { id } of entries) failures.push((await call("GET", `/v1/logs/${id}`)).body.failure);

    /** Calls whose errors quote the credentials that were sent, on each surface. */
    async function failWithEcho(): Promise<void> {
      const { key, token, headers } = await connectTo(service, echo.url);
      secrets.set("quoted token", token);
      secrets.set("key of the quoted token", key);
      const owner = createPlatform(service, key);
      const inQuery = `api_key=${secret("parameter of the Proxy")}&page=2`;
      const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "git_list_repositories" } };
      const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
      for (const [path, options] of [
        ["/unified/v1/git/repos?limit=7", { headers }],
        [
          `/unified/v1/git/repos?params=${encodeURIComponent(JSON.stringify({ token: secret("in params") }))}`,
          { headers },
        ],
        ["/unified/v1/git/repos", { headers: { ...headers, accept: "application/x-ndjson" } }],
        [`/proxy/user?${inQuery}`, { headers }],
        ["/unified/v1/mcp", { method: "POST", headers: { ...headers, ...json }, body: JSON.stringify(message) }],
      ] as [string, RequestInit][])
        await (await fetch(`${service.url}${path}`, options)).text();
      await service.parts.requestLog.flush();
      for (const { id } of (await owner("GET", "/v1/logs?error_source=provider")).body) {
        const answer = await owner("GET", `/v1/logs/${id}`);
        answers.push(answer);
        failures.push(answer.body.failure);
      }
    }
  });
  afterAll(async () => {
    await service?.close();
    await echo?.close();
    await database?.drop();
  });

  /** The value itself and its usual encodings. */
  const encodings = (value: string) => [
    value,
    Buffer.from(value).toString("base64").replace(/=+$/, ""),
    Buffer.from(value).toString("hex"),
    encodeURIComponent(value),
  ];

  const found = (text: string) =>
    [...secrets].filter(([, value]) => encodings(value).some((form) => text.includes(form))).map(([name]) => name);

  async function stored(): Promise<string> {
    if (database) {
      const tables = await query(database.url, "select tablename from pg_tables where schemaname = current_schema()");
      const rows = await Promise.all(tables.map(({ tablename }) => query(database.url, `select * from ${tablename}`)));
      return JSON.stringify(rows);
    }
    const files = readdirSync(service.config.dataDir).filter((name) => name.startsWith("plugboard.db"));
    expect(files.length).toBeGreaterThan(0);
    return files.map((name) => readFileSync(join(service.config.dataDir, name), "latin1")).join("\n");
  }

  it(`the secrets were written to ${name}, and requests were logged`, async () => {
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(secrets.size).toBeGreaterThan(12);
    const text = await stored();
    expect(text).toContain("owner");
    expect(service.logs()).toContain("/platform/v1/connections");
  });

  it(`requests that failed are kept with what the provider quoted, without the secrets in it (${name})`, () => {
    const quoted = failures.filter((failure) => failure?.provider_body?.includes('"user-agent"'));
    expect(quoted).toHaveLength(5);
    for (const { provider_body } of quoted as any) expect(provider_body).toContain("***");
    expect(quoted.map((failure) => failure!.query)).toContain("api_key=***&page=2");
    expect(found(JSON.stringify(failures))).toEqual([]);
  });

  it(`no secret is in ${name} in clear text`, async () => {
    expect(found(await stored())).toEqual([]);
  });

  it(`no secret is in the logs at trace level (${name})`, () => {
    expect(found(service.logs())).toEqual([]);
  });

  it(`no secret is in an answer, except the one that returns a new key (${name})`, () => {
    for (const { text, headers } of answers) expect(found(text + JSON.stringify([...headers]))).toEqual([]);
  });

  it(`no secret is in the metrics (${name})`, async () => {
    expect(found(await (await fetch(`${service.url}/metrics`)).text())).toEqual([]);
  });
});
