import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Provider } from "../../src/contracts/provider.ts";
import { readCatalogue } from "../../src/provider-document/catalogue.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { type Answer, createPlatform, type Platform } from "../support/platform.ts";
import { type TestDatabase, testDatabase } from "../support/postgres.ts";
import { startService, type TestService } from "../support/service.ts";

const postgres = await testDatabase();
const databases: [string, TestDatabase | undefined][] = [["SQLite", undefined]];
if (postgres) databases.push(["Postgres", postgres]);

/** A provider that takes OAuth and API keys, and has no settings. */
const flexible = providers.find(
  ({ manifest }: Provider) =>
    manifest.auth.oauth2 && manifest.auth.api_key && !manifest.settings && !manifest.selfHostedOnly,
)!.manifest;

const invalid = (errors: Record<string, unknown>) => ({
  status: 400,
  body: { success: false, message: "Invalid request", errors: expect.objectContaining(errors) },
});
const notFound = { status: 404, body: { success: false, message: "Not found" } };
const notAuthorized = { status: 401, body: { success: false, message: "Not authorized" } };

describe.each(databases)("Platform API on %s", (_, database) => {
  let service: TestService;
  let call: Platform;
  let stranger: Platform;

  beforeAll(async () => {
    service = await startService({ env: database ? { DATABASE_URL: database.url } : {} });
    call = createPlatform(service, await service.createWorkspace("mine"));
    stranger = createPlatform(service, await service.createWorkspace("theirs"));
  });
  afterAll(async () => {
    await service?.close();
    await database?.drop();
  });

  const newIntegration = (change: object = {}) => ({
    identifier: flexible.id,
    type: "oauth2",
    client_id: "client",
    client_secret: "made up",
    base_url: "sandbox",
    ...change,
  });

  describe("authentication", () => {
    const routes: [string, string][] = [
      ["GET", "/v1/integrations"],
      ["POST", "/v1/integrations"],
      ["GET", "/v1/integrations/x"],
      ["PATCH", "/v1/integrations/x"],
      ["DELETE", "/v1/integrations/x"],
      ["GET", "/v1/connections"],
      ["POST", "/v1/connections"],
      ["GET", "/v1/connections/x"],
      ["PATCH", "/v1/connections/x"],
      ["DELETE", "/v1/connections/x"],
      ["GET", "/v1/api-keys"],
      ["POST", "/v1/api-keys"],
      ["DELETE", "/v1/api-keys/x"],
      ["GET", "/v1/workspace"],
      ["PATCH", "/v1/workspace"],
      ["GET", "/v1/providers"],
      ["GET", "/v1/logs"],
      ["GET", "/v1/logs/x"],
      ["GET", "/v1/usage"],
    ];
    it.each(routes)("%s %s requires a key before anything else is checked", async (method, path) => {
      const body = ["POST", "PATCH"].includes(method) ? "{not json" : undefined;
      expect(await createPlatform(service, undefined)(method, `${path}?limit=x`, body)).toMatchObject(notAuthorized);
      expect(await createPlatform(service, "sk_unknown")(method, path, body)).toMatchObject(notAuthorized);
    });

    const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
    it("the key is accepted as Bearer and as Basic, with the scheme in any case", async () => {
      const { apiKey } = service;
      for (const authorization of [
        `Bearer ${apiKey}`,
        `bearer ${apiKey}`,
        `BEARER ${apiKey}`,
        basic(`${apiKey}:`),
        basic(`${apiKey}:`).replace("Basic", "bAsIc"),
      ])
        expect(await call("GET", "/v1/workspace", undefined, { authorization })).toMatchObject({
          status: 200,
          body: { name: "sandbox" },
        });
    });

    it("any other Authorization header gets 401", async () => {
      const { apiKey } = service;
      for (const authorization of [
        "",
        "Bearer",
        "Bearer ",
        apiKey,
        `Token ${apiKey}`,
        `Bearer ${apiKey}x`,
        basic(apiKey),
        basic(`${apiKey}:password`),
        basic(`:${apiKey}`),
        "Basic !!!",
        `Bearer ${"a".repeat(10_000)}`,
      ]) {
        const answer = await call("GET", "/v1/workspace", undefined, { authorization });
        expect(answer, authorization).toMatchObject(notAuthorized);
        expect(answer.headers.get("www-authenticate")).toBe("Bearer");
      }
    });
  });

  describe("integrations", () => {
    let created: Answer;
    let id: string;
    beforeAll(async () => {
      created = await call("POST", "/v1/integrations", newIntegration({ scopes: ["one", "two"] }));
      id = created.body.id;
    });
    // The next tests use the same identifier.
    afterAll(() => call("DELETE", `/v1/integrations/${id}`));

    it("integrations are created, listed, read and changed, and write-only fields are not returned", async () => {
      expect(created.status).toBe(201);
      expect(id).toMatch(/^int_[A-Za-z0-9]{24}$/);
      const record = {
        id,
        identifier: flexible.id,
        type: "oauth2",
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        name: null,
        base_url: "sandbox",
        mcp_url: null,
        scopes: ["one", "two"],
        has_client_secret: true,
        has_private_key: false,
        has_hook_secret: false,
        hook_url: null,
        settings: {},
        proxy_base_url: expect.stringContaining(`${service.url}/sandbox/${flexible.id}`),
        callback_url: `${service.url}/auth/callback`,
        client_id: "client",
      };
      expect(created.body).toEqual(record);
      expect((await call("GET", "/v1/integrations")).body).toEqual([record]);
      expect((await call("GET", `/v1/integrations/${id}`)).body).toEqual(record);
      expect((await call("GET", `/v1/integrations/${id}/`)).body).toEqual(record);

      const changed = await call("PATCH", `/v1/integrations/${id}`, { type: "api_key", scopes: null, client_id: null });
      expect(changed).toMatchObject({
        status: 200,
        body: { id, type: "api_key", scopes: null, has_client_secret: true, callback_url: null },
      });
      expect(Date.parse(changed.body.updated_at)).toBeGreaterThanOrEqual(Date.parse(created.body.updated_at));
      expect(await service.store.integrations.get(await workspaceId(), id)).toMatchObject({
        scopes: null,
        client_id: null,
        client_secret: "made up",
      });
      expect((await call("PATCH", `/v1/integrations/${id}`, {})).body).toEqual(changed.body);
    });

    const workspaceId = async () => (await call("GET", "/v1/workspace")).body.id as string;

    it("a workspace may have several integrations of one provider, which names tell apart", async () => {
      const again = await call("POST", "/v1/integrations", newIntegration({ name: "Europe" }));
      expect(again).toMatchObject({ status: 201, body: { identifier: flexible.id, name: "Europe" } });
      expect((await call("GET", "/v1/integrations")).body.map((one: { id: string }) => one.id)).toEqual([
        id,
        again.body.id,
      ]);
      const path = `/v1/integrations/${again.body.id}`;
      expect((await call("PATCH", path, { name: "EU" })).body).toMatchObject({ name: "EU", identifier: flexible.id });
      expect((await call("PATCH", path, { name: null })).body.name).toBeNull();
      expect(await call("PATCH", path, { name: "" })).toMatchObject(invalid({ name: [expect.any(String)] }));
      expect((await call("DELETE", path)).status).toBe(200);
    });

    it("an integration is not found by another workspace", async () => {
      expect(await stranger("GET", `/v1/integrations/${id}`)).toMatchObject(notFound);
      expect(await stranger("PATCH", `/v1/integrations/${id}`, { type: "oauth2" })).toMatchObject(notFound);
      expect(await stranger("DELETE", `/v1/integrations/${id}`)).toMatchObject(notFound);
      expect((await stranger("GET", "/v1/integrations")).body).toEqual([]);
    });

    it.each(["int_doesnotexist", "%00", "%2e%2e", "a%2Fb", "💥", "x".repeat(1_500), "'; drop table integrations"])(
      "an integration with the unknown id %s gets 404",
      async (unknown) => {
        const path = `/v1/integrations/${unknown.startsWith("%") ? unknown : encodeURI(unknown)}`;
        expect(await call("GET", path)).toMatchObject(notFound);
        expect(await call("PATCH", path, {})).toMatchObject(notFound);
        expect(await call("DELETE", path)).toMatchObject(notFound);
      },
    );

    const invalidIntegrations: [string, object, Record<string, unknown>][] = [
      ["no fields", {}, { identifier: [expect.any(String)], type: [expect.any(String)] }],
      [
        "an unknown provider",
        newIntegration({ identifier: "nope" }),
        {
          identifier: ["Unknown provider: nope; GET /platform/v1/providers lists all"],
        },
      ],
      [
        "wrong types",
        { identifier: 1, type: [], client_id: {}, scopes: "a b", base_url: 5, mcp_url: false },
        {
          identifier: [expect.stringContaining("a string")],
          type: ["Must be one of oauth2, api_key, basic, client_credentials, two_step, jwt, github_app, none"],
          client_id: [expect.any(String)],
          scopes: [expect.stringContaining("an array")],
          base_url: [expect.any(String)],
          mcp_url: [expect.any(String)],
        },
      ],
      [
        "null for required fields",
        { identifier: null, type: null },
        {
          identifier: [expect.any(String)],
          type: [expect.any(String)],
        },
      ],
      [
        "wrong items",
        newIntegration({ scopes: ["a", 1, ""] }),
        {
          scopes: [expect.stringMatching(/^1: /), expect.stringMatching(/^2: /)],
        },
      ],
      [
        "a type that the provider does not support",
        newIntegration({ type: "basic" }),
        {
          type: [expect.stringMatching(/supports .*oauth2/)],
        },
      ],
      [
        "oauth2 without a client",
        { identifier: flexible.id, type: "oauth2" },
        {
          client_id: ["Required for type oauth2"],
          client_secret: ["Required for type oauth2"],
        },
      ],
      [
        "unknown fields",
        newIntegration({ clientId: "x", extra: 1 }),
        {
          clientId: [expect.stringContaining("Unknown field; did you mean client_id? Known fields: identifier, type")],
          extra: [expect.stringContaining("Unknown field")],
        },
      ],
      ["a NUL character", newIntegration({ client_id: "a\0b" }), { client_id: [expect.any(String)] }],
      ["text that is too long", newIntegration({ client_id: "x".repeat(2_001) }), { client_id: [expect.any(String)] }],
      [
        "several errors at once",
        { identifier: "nope", type: "x", base_url: "http://10.0.0.1", foo: 1 },
        {
          identifier: [expect.any(String)],
          type: [expect.any(String)],
          base_url: [expect.any(String)],
          foo: [expect.any(String)],
        },
      ],
    ];
    it.each(invalidIntegrations)("an integration with %s is refused", async (_what, body, errors) => {
      expect(await stranger("POST", "/v1/integrations", body)).toMatchObject(invalid(errors));
      expect((await stranger("GET", "/v1/integrations")).body).toEqual([]);
    });

    it.each([
      "http://127.0.0.1",
      "http://localhost:8080/path",
      "http://[::1]/",
      "http://169.254.169.254/latest",
      "https://10.1.2.3",
      "http://[::ffff:127.0.0.1]/",
      "http://0x7f.1/",
      "ftp://example.com",
      "file:///etc/passwd",
      "https://user:pass@example.com",
      "not an address",
      "sandbox2",
    ])("%s is refused as base_url and mcp_url", async (address) => {
      const errors = { base_url: [expect.stringMatching(/^Must /)], mcp_url: [expect.stringMatching(/^Must /)] };
      const body = newIntegration({ base_url: address, mcp_url: address });
      expect(await stranger("POST", "/v1/integrations", body)).toMatchObject(invalid(errors));
      expect(await call("PATCH", `/v1/integrations/${id}`, { base_url: address, mcp_url: address })).toMatchObject(
        invalid(errors),
      );
    });

    it("a change that would make an integration invalid is refused", async () => {
      await call("PATCH", `/v1/integrations/${id}`, { type: "api_key", client_id: null });
      expect(await call("PATCH", `/v1/integrations/${id}`, { type: "oauth2" })).toMatchObject(
        invalid({ client_id: ["Required for type oauth2"] }),
      );
      expect(await call("PATCH", `/v1/integrations/${id}`, { identifier: "other", type: 5 })).toMatchObject(
        invalid({ identifier: [expect.stringContaining("Unknown field")], type: [expect.any(String)] }),
      );
      expect((await call("GET", `/v1/integrations/${id}`)).body.type).toBe("api_key");
    });

    it("integrations are paged by offset and limit, and `status` and unknown parameters are ignored", async () => {
      const paths = [
        "?offset=0&limit=1",
        "?offset=1000&limit=100",
        "?status=whatever&status=twice&unknown=1",
        "?limit=50",
      ];
      const lengths = await Promise.all(
        paths.map(async (path) => (await call("GET", `/v1/integrations${path}`)).body.length),
      );
      expect(lengths).toEqual([1, 0, 1, 1]);
    });

    it("an integration can be deleted once", async () => {
      const deleted = await call("DELETE", `/v1/integrations/${id}`, undefined, { "content-type": "application/json" });
      expect(deleted).toMatchObject({ status: 200, body: { success: true } });
      expect(await call("DELETE", `/v1/integrations/${id}`)).toMatchObject(notFound);
    });
  });

  describe("lists", () => {
    const wrong: [string, string[]][] = [
      ["offset=-1", ["offset"]],
      ["offset=1001", ["offset"]],
      ["offset=1.5", ["offset"]],
      ["offset=", ["offset"]],
      ["limit=0", ["limit"]],
      ["limit=101", ["limit"]],
      ["limit=ten", ["limit"]],
      ["limit=1&limit=2", ["limit"]],
      ["limit=1e999", ["limit"]],
      ["offset=x&limit=y", ["offset", "limit"]],
    ];
    const lists = ["/v1/integrations", "/v1/connections", "/v1/api-keys", "/v1/logs"];
    it.each(lists.flatMap((path) => wrong.map(([query, fields]) => [path, query, fields] as const)))(
      "GET %s?%s is refused",
      async (path, query, fields) => {
        const answer = await call("GET", `${path}?${query}`);
        expect(answer.status).toBe(400);
        expect(Object.keys(answer.body.errors)).toEqual(fields);
        expect(Object.values(answer.body.errors).flat().join()).toMatch(/whole number from [01] to 1000?/);
      },
    );
  });

  describe("connections", () => {
    let oauth: string;
    let key: string;
    let created: Answer;
    let id: string;

    beforeAll(async () => {
      oauth = (await call("POST", "/v1/integrations", newIntegration())).body.id;
      const second = newIntegration({ type: "api_key" });
      key = (await stranger("POST", "/v1/integrations", second)).body.id;
      created = await call("POST", "/v1/connections", {
        integration_id: oauth,
        auth_token: "made-up-access",
        refresh_token: "made-up-refresh",
        expires_in: 3600,
        external_id: "user 1 ✓",
        metadata: { plan: "free", deep: { list: [1, null, "x"] } },
      });
      id = created.body.id;
    });

    it("connections are imported, listed, filtered and read", async () => {
      expect(created.status).toBe(201);
      expect(created.body).toEqual({
        id: expect.stringMatching(/^conn_[A-Za-z0-9]{24}$/),
        external_id: "user 1 ✓",
        integration_id: oauth,
        integration_identifier: flexible.id,
        is_valid: true,
        expires_at: expect.stringMatching(/Z$/),
        refreshed_at: null,
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
        invalid_reason: null,
        metadata: { plan: "free", deep: { list: [1, null, "x"] } },
        settings: {},
        account: null,
      });
      const other = await call("POST", "/v1/connections", {
        integration_id: oauth,
        auth_token: "x",
        external_id: null,
      });
      expect(other.body).toMatchObject({ external_id: null, expires_at: null });

      expect((await call("GET", `/v1/connections/${id}`)).body).toEqual(created.body);
      const ids = async (query: string) =>
        (await call("GET", `/v1/connections?${query}`)).body.map((connection: { id: string }) => connection.id);
      expect(await ids("")).toEqual([id, other.body.id]);
      expect(await ids("limit=1&offset=1")).toEqual([other.body.id]);
      expect(await ids(`external_id=${encodeURIComponent("user 1 ✓")}`)).toEqual([id]);
      expect(await ids(`integration_id=${oauth}&integration_identifier=${flexible.id}`)).toHaveLength(2);
      expect(await ids("integration_identifier=nope")).toEqual([]);
      expect(await ids("integration_id=%27")).toEqual([]);
    });

    it("connection filters that can match nothing are refused", async () => {
      expect(await call("GET", "/v1/connections?external_id=%00&integration_id=")).toMatchObject(
        invalid({ external_id: [expect.any(String)], integration_id: [expect.any(String)] }),
      );
      expect(await call("GET", `/v1/connections?external_id=${"x".repeat(256)}`)).toMatchObject(
        invalid({ external_id: [expect.any(String)] }),
      );
    });

    it("a connection is not found by another workspace", async () => {
      expect(await stranger("GET", `/v1/connections/${id}`)).toMatchObject(notFound);
      expect(await stranger("DELETE", `/v1/connections/${id}`)).toMatchObject(notFound);
      expect((await stranger("GET", `/v1/connections?integration_id=${oauth}`)).body).toEqual([]);
      expect(await stranger("POST", "/v1/connections", { integration_id: oauth, auth_token: "x" })).toMatchObject(
        invalid({ integration_id: [expect.stringContaining("Unknown integration")] }),
      );
    });

    const invalidConnections: [string, object, string[]][] = [
      ["no fields", {}, ["integration_id"]],
      ["an unknown integration", { integration_id: "int_nope", auth_token: "x" }, ["integration_id"]],
      [
        "wrong types",
        {
          integration_id: 1,
          auth_token: 2,
          username: [],
          password: {},
          metadata: "x",
          settings: 1,
          expires_in: "3600",
          external_id: 5,
        },
        ["integration_id", "auth_token", "username", "password", "metadata", "settings", "expires_in", "external_id"],
      ],
      ["no token", { integration_id: "OAUTH" }, ["auth_token"]],
      [
        "a user name instead of a token",
        { integration_id: "OAUTH", username: "a", password: "b" },
        ["auth_token", "username", "password"],
      ],
      ["an empty token", { integration_id: "OAUTH", auth_token: "" }, ["auth_token"]],
      ["a token with a line break", { integration_id: "OAUTH", auth_token: "abc\n" }, ["auth_token"]],
      ["a token that fits in no header", { integration_id: "OAUTH", auth_token: "tök€n" }, ["auth_token"]],
      ["a negative lifetime", { integration_id: "OAUTH", auth_token: "x", expires_in: -1 }, ["expires_in"]],
      ["a lifetime that is too long", { integration_id: "OAUTH", auth_token: "x", expires_in: 1e12 }, ["expires_in"]],
      ["a lifetime of half a second", { integration_id: "OAUTH", auth_token: "x", expires_in: 0.5 }, ["expires_in"]],
      ["an empty external id", { integration_id: "OAUTH", auth_token: "x", external_id: "" }, ["external_id"]],
      ["NUL in the external id", { integration_id: "OAUTH", auth_token: "x", external_id: "a\0" }, ["external_id"]],
      ["a list as metadata", { integration_id: "OAUTH", auth_token: "x", metadata: [1] }, ["metadata"]],
      [
        "large metadata",
        { integration_id: "OAUTH", auth_token: "x", metadata: { a: "x".repeat(17_000) } },
        ["metadata"],
      ],
      ["an unknown setting", { integration_id: "OAUTH", auth_token: "x", settings: { nope: "x" } }, ["settings"]],
      ["settings that are not text", { integration_id: "OAUTH", auth_token: "x", settings: { nope: 5 } }, ["settings"]],
      ["unknown fields", { integration_id: "OAUTH", auth_token: "x", token: "x" }, ["token"]],
    ];
    it.each(invalidConnections)("a connection with %s is refused", async (_what, body, fields) => {
      const before = (await call("GET", "/v1/connections?limit=100")).body.length;
      const answer = await call("POST", "/v1/connections", JSON.stringify(body).replace("OAUTH", oauth));
      expect(answer.status).toBe(400);
      expect(answer.body.message).toBe("Invalid request");
      expect(Object.keys(answer.body.errors).sort()).toEqual(fields.toSorted());
      expect((await call("GET", "/v1/connections?limit=100")).body).toHaveLength(before);
    });

    it("a refresh token is refused for an integration with API keys", async () => {
      const answer = await stranger("POST", "/v1/connections", {
        integration_id: key,
        auth_token: "x",
        refresh_token: "y",
        expires_in: 5,
      });
      expect(answer).toMatchObject(
        invalid({
          refresh_token: [expect.stringContaining("api_key")],
          expires_in: [expect.stringContaining("Not used")],
        }),
      );
    });

    it("metadata that is nested 100,000 levels deep is refused", async () => {
      const deep = `{"integration_id":"${oauth}","auth_token":"x","metadata":{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`;
      expect(await call("POST", "/v1/connections", deep)).toMatchObject(
        invalid({ body: ["Must be at most 10,000 values, nested at most 64 levels deep"] }),
      );
    });

    it("many unknown settings are refused with a short answer", async () => {
      const settings = Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`s${index}`, "x"]));
      const answer = await call("POST", "/v1/connections", { integration_id: oauth, auth_token: "x", settings });
      expect(answer).toMatchObject(invalid({ settings: ["Must be an object of at most 50 fields"] }));
      const few = Object.fromEntries(Object.entries(settings).slice(0, 50));
      const each = await call("POST", "/v1/connections", { integration_id: oauth, auth_token: "x", settings: few });
      expect(each.body.errors.settings).toHaveLength(50);
    });

    it("a connection can be deleted once, and the request log has the result of its revocation", async () => {
      expect((await call("DELETE", `/v1/connections/${id}`)).body).toEqual({ success: true });
      expect(await call("GET", `/v1/connections/${id}`)).toMatchObject(notFound);
      expect(await call("DELETE", `/v1/connections/${id}`)).toMatchObject(notFound);
      await service.parts.requestLog.flush();
      const [entry] = (await call("GET", `/v1/logs?connection_id=${id}&limit=1`)).body;
      expect(entry).toMatchObject({
        connection_id: id,
        surface: "platform",
        method: "DELETE",
        path: `/platform/v1/connections/${id}`,
        status: 200,
        outcome: expect.stringMatching(/^revocation_(revoked|unsupported|failed|timed_out)$/),
      });
    });

    it("a connection stays when its integration is deleted, and can still be deleted", async () => {
      const connection = (await stranger("POST", "/v1/connections", { integration_id: key, auth_token: "x" })).body;
      await stranger("DELETE", `/v1/integrations/${key}`);
      expect((await stranger("GET", `/v1/connections/${connection.id}`)).body).toEqual(connection);
      expect((await stranger("DELETE", `/v1/connections/${connection.id}`)).body).toEqual({ success: true });
    });
  });

  describe("API keys", () => {
    it("an API key is shown once, listed by its first characters, and refused after its deletion", async () => {
      const created = await call("POST", "/v1/api-keys", { name: "ci" });
      expect(created.status).toBe(201);
      const { api_key, ...record } = created.body;
      expect(api_key).toMatch(/^sk_[A-Za-z0-9]{48}$/);
      expect(record).toEqual({
        id: expect.stringMatching(/^key_[A-Za-z0-9]{24}$/),
        name: "ci",
        prefix: api_key.slice(0, 9),
        scopes: ["*"],
        external_id: null,
        connection_ids: null,
        tool_pack_id: null,
        expires_at: null,
        last_used_at: null,
        created_at: expect.stringMatching(/Z$/),
      });
      const list = await call("GET", "/v1/api-keys?limit=100");
      expect(list.body).toContainEqual(record);
      expect(list.text).not.toContain(api_key);

      const withNew = createPlatform(service, api_key);
      expect((await withNew("GET", "/v1/workspace")).body.name).toBe("mine");
      expect(await stranger("DELETE", `/v1/api-keys/${record.id}`)).toMatchObject(notFound);
      // A key may delete itself.
      expect((await withNew("DELETE", `/v1/api-keys/${record.id}`)).body).toEqual({ success: true });
      expect(await withNew("GET", "/v1/workspace")).toMatchObject(notAuthorized);
      expect(await call("DELETE", `/v1/api-keys/${record.id}`)).toMatchObject(notFound);
    });

    it("an API key needs no name", async () => {
      expect(await call("POST", "/v1/api-keys", {})).toMatchObject({ status: 201, body: { name: null } });
      expect(await call("POST", "/v1/api-keys", { name: null })).toMatchObject({ status: 201, body: { name: null } });
    });

    it.each([
      [{ name: 5 }, "name"],
      [{ name: "" }, "name"],
      [{ name: "x".repeat(201) }, "name"],
      [{ api_key: "sk_mine" }, "api_key"],
      [{ expires_at: "9999-12-31" }, "expires_at"],
      [[], "body"],
      [null, "body"],
      ["", "body"],
    ])("an API key with the body %j is refused", async (body, field) => {
      const before = (await call("GET", "/v1/api-keys?limit=100")).body.length;
      const text = body === "" ? "" : JSON.stringify(body);
      expect(await call("POST", "/v1/api-keys", text)).toMatchObject(invalid({ [field]: [expect.any(String)] }));
      expect((await call("GET", "/v1/api-keys?limit=100")).body).toHaveLength(before);
    });
  });

  describe("workspace", () => {
    it("the workspace is read and changed", async () => {
      const before = (await call("GET", "/v1/workspace")).body;
      expect(before).toEqual({
        id: expect.stringMatching(/^ws_/),
        name: "mine",
        client_id: expect.any(String),
        redirect_uris: [],
        logo_url: null,
        accent_color: null,
        mcp_sign_in_url: null,
        mcp_tool_pack_id: null,
      });
      const redirect_uris = [
        "https://example.com/callback?x=1",
        "http://localhost:3000/callback",
        "com.example.app:/callback",
        "https://münchen.example/ü",
      ];
      const after = await call("PATCH", "/v1/workspace", { redirect_uris });
      expect(after).toMatchObject({ status: 200, body: { ...before, redirect_uris } });
      expect((await call("PATCH", "/v1/workspace", { name: "mine, renamed ✓" })).body).toEqual({
        ...before,
        name: "mine, renamed ✓",
        redirect_uris,
      });
      expect((await call("PATCH", "/v1/workspace", {})).body.redirect_uris).toEqual(redirect_uris);
      expect((await call("PATCH", "/v1/workspace", { redirect_uris: [] })).body.redirect_uris).toEqual([]);
    });

    it.each([
      "javascript:alert(1)",
      "JavaScript:alert(1)",
      "data:text/html,x",
      "file:///etc/passwd",
      "/callback",
      "//example.com/callback",
      "example.com",
      "https://example.com/#fragment",
      "https://example.com/#",
      "https://user:pass@example.com/",
      "https://",
      " https://example.com/",
      "https://example.com/\ncallback",
      "",
    ])("%j is refused as a redirect URI", async (uri) => {
      const answer = await call("PATCH", "/v1/workspace", { redirect_uris: ["https://example.com/ok", uri] });
      expect(answer).toMatchObject(invalid({ redirect_uris: [expect.stringMatching(/^1: /)] }));
    });

    const invalidChanges: [object | null, string[]][] = [
      [{ name: "" }, ["name"]],
      [{ name: null }, ["name"]],
      [{ name: " " }, ["name"]],
      [{ name: "  Acme  " }, ["name"]],
      [{ name: "Ac\nme" }, ["name"]],
      [{ name: "a".repeat(201) }, ["name"]],
      [{ name: "theirs" }, ["name"]],
      [{ id: "ws_x", client_id: "x" }, ["client_id", "id"]],
      [{ redirect_uris: "https://example.com" }, ["redirect_uris"]],
      [{ redirect_uris: ["https://a.example", "https://a.example"] }, ["redirect_uris"]],
      [{ redirect_uris: Array.from({ length: 101 }, (_, index) => `https://example.com/${index}`) }, ["redirect_uris"]],
      [{ redirect_uris: [5], name: 5 }, ["name", "redirect_uris"]],
      [null, ["body"]],
    ];
    it.each(invalidChanges)("the workspace refuses the change %j", async (change, fields) => {
      const before = (await call("GET", "/v1/workspace")).body;
      const answer = await call("PATCH", "/v1/workspace", JSON.stringify(change));
      expect(answer.status).toBe(400);
      expect(Object.keys(answer.body.errors).sort()).toEqual(fields);
      expect((await call("GET", "/v1/workspace")).body).toEqual(before);
    });
  });

  it("an http or private address of a webhook is refused with what to do instead, and other errors without", async () => {
    // Turned off, so that nothing is sent there.
    const webhook = { name: "All", url: "https://93.184.216.34/hook", events: { "*": true }, enabled: false };
    const { id } = (await call("POST", "/v1/webhooks", webhook)).body;
    const listen = "For an endpoint on your own machine, run `npx plugboard listen --forward URL` instead";
    const allow = "; for one in your own network, set ALLOW_PRIVATE_UPSTREAMS=true, which also allows http";
    const messages = {
      "http://localhost:3000/hook": `Must be an https address. ${listen}${allow}`,
      "http://93.184.216.34/hook": `Must be an https address. ${listen}${allow}`,
      "https://127.0.0.1:3000/hook": `Must not be a private address; set ALLOW_PRIVATE_UPSTREAMS=true, or to its address range, to allow upstreams in your own network. ${listen}`,
      "https://93.184.216.34/#top": "Must not have a fragment",
      "ftp://127.0.0.1": "Must be an http or https address",
    };
    for (const [url, message] of Object.entries(messages)) {
      expect(await call("POST", "/v1/webhooks", { ...webhook, url })).toMatchObject(invalid({ url: [message] }));
      expect(await call("PATCH", `/v1/webhooks/${id}`, { url })).toMatchObject(invalid({ url: [message] }));
    }
    expect((await call("GET", `/v1/webhooks/${id}`)).body.url).toBe(webhook.url);
  });

  it("GET /v1/providers lists the providers with categories, operations and auth types", async () => {
    const { body } = await call("GET", "/v1/providers");
    expect(body.map(({ id }: { id: string }) => id).sort()).toEqual(
      [...providers, ...readCatalogue()].map(({ manifest }) => manifest.id).sort(),
    );
    for (const provider of body) {
      expect(provider.operations.length > 0).toBe(provider.origin === "built_in" && !provider.mcp_only);
      expect(provider.auth_types.length).toBeGreaterThan(0);
      expect(new Set(provider.operations.map((operation: string) => operation.split(".")[0]))).toEqual(
        new Set(provider.categories),
      );
    }
  });

  it("a workspace sees only its own request log, newest first", async () => {
    const path = "/v1/integrations/int_only_in_the_log";
    const answer = await call("GET", `${path}?secret=query`, undefined, { "x-request-id": "my-own-id" });
    expect(answer.headers.get("x-request-id")).toBe("my-own-id");
    await service.parts.requestLog.flush();
    const [entry] = (await call("GET", "/v1/logs?limit=1")).body;
    expect(entry).toEqual({
      id: expect.stringMatching(/^log_/),
      request_id: "my-own-id",
      connection_id: null,
      surface: "platform",
      method: "GET",
      path: `/platform${path}`,
      status: 404,
      outcome: "not_found",
      duration_ms: expect.any(Number),
      upstream_calls: 0,
      created_at: expect.stringMatching(/Z$/),
      integration_id: null,
      error_source: "application",
      upstream: [],
      operation: null,
      mcp_client: null,
      person: null,
    });
    expect((await call("GET", `/v1/logs/${entry.id}`)).body).toEqual({
      ...entry,
      failure: { query: "secret=***", detail: expect.any(String), provider_body: null },
    });
    expect(await stranger("GET", `/v1/logs/${entry.id}`)).toMatchObject(notFound);
    expect((await stranger("GET", "/v1/logs?limit=100")).text).not.toContain("int_only_in_the_log");
  });

  it("values of a Platform body are refused instead of being converted, and those of a query are converted", async () => {
    const integration = { identifier: flexible.id, type: "api_key" };
    for (const [method, path, body, field] of [
      ["POST", "/v1/integrations", { ...integration, client_id: 5 }, "client_id"],
      ["POST", "/v1/integrations", { ...integration, scopes: "repo" }, "scopes"],
      ["POST", "/v1/connections", { integration_id: "int_x", auth_token: "x", expires_in: "60" }, "expires_in"],
      ["POST", "/v1/connections", { integration_id: "int_x", auth_token: 5 }, "auth_token"],
      ["POST", "/v1/api-keys", { name: 5 }, "name"],
      ["PATCH", "/v1/workspace", { name: true }, "name"],
      ["PATCH", "/v1/workspace", { redirect_uris: "https://example.com" }, "redirect_uris"],
    ] as const)
      expect(await call(method, path, body)).toMatchObject(invalid({ [field]: [expect.any(String)] }));
    expect((await call("GET", "/v1/integrations?limit=5")).status).toBe(200);
  });

  describe("bodies that cannot be read", () => {
    const routes: [string, string][] = [
      ["POST", "/v1/integrations"],
      ["POST", "/v1/connections"],
      ["POST", "/v1/api-keys"],
      ["PATCH", "/v1/workspace"],
    ];
    const bodies: [string, string, Record<string, string>][] = [
      ["malformed JSON", '{"name": "x', {}],
      ["a lone word", "hello", {}],
      ["forbidden names", '{"__proto__": {"x": 1}}', {}],
      ["forbidden constructors", '{"constructor": {"prototype": {}}}', {}],
      ["another content type", "<x/>", { "content-type": "application/xml" }],
      ["a form", "name=x", { "content-type": "application/x-www-form-urlencoded" }],
      ["text", "{}", { "content-type": "text/plain" }],
      ["an invalid content type", "{}", { "content-type": "application" }],
      ["more than 512 kB", JSON.stringify({ name: "x".repeat(512 * 1024) }), {}],
      ["more than 10,000 values", JSON.stringify({ name: Array(10_000).fill(0) }), {}],
      ["more than 64 levels", `${'{"name":'.repeat(65)}0${"}".repeat(65)}`, {}],
    ];
    it.each(
      routes.flatMap(([method, path]) =>
        bodies.map(([what, body, headers]) => [method, path, what, body, headers] as const),
      ),
    )("%s %s refuses %s", async (method, path, _what, body, headers) => {
      const answer = await call(method, path, body, headers);
      expect(answer).toMatchObject(invalid({ body: [expect.stringMatching(/^Must be/)] }));
      expect(answer.text.length).toBeLessThan(300);
    });
  });

  it("unknown routes and methods of the Platform API get its 404", async () => {
    for (const [method, path] of [
      ["GET", "/"],
      ["GET", "/v1"],
      ["GET", "/v2/integrations"],
      ["PUT", "/v1/integrations"],
      ["DELETE", "/v1/workspace"],
      ["GET", "/v1/INTEGRATIONS"],
      ["GET", "/v1/integrations/%zz"],
      ["GET", `/v1/integrations/${"x".repeat(3_000)}`],
    ] as const)
      expect(await call(method, path), `${method} ${path}`).toMatchObject(notFound);
  });
});
