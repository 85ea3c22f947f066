import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { describeDatabases } from "../../test/support/databases.ts";
import { newConnection, newIntegration } from "../../test/support/entities.ts";
import { appendEntries } from "../../test/support/log-entries.ts";
import type {
  ConnectCode,
  Connection,
  Integration,
  LogEntry,
  NewLogEntry,
  PendingConsent,
  Workspace,
} from "../contracts/entities.ts";
import type { Store } from "../contracts/store.ts";
import { fromIso } from "./database/time.ts";

const everything = { offset: 0, limit: 1000 };
const inOneMinute = () => new Date(Date.now() + 60_000).toISOString();
const justNow = () => new Date(Date.now() - 1).toISOString();
const refused = { name: "Fault", kind: "invalid_input" };
/** Text that is easily corrupted by escaping or encoding. */
const awkward = 'O\'Brien "quoted" \\ 100% _ ; -- ñ ü 漢字 \u202e 🧩 \u{10ffff} \r\n\t \u0001';

await describeDatabases("store", (database) => {
  let store: Store;
  /** The same database, as another process sees it. */
  let other: Store;
  let workspace: Workspace;
  let stranger: Workspace;

  const newWorkspace = (name = "Acme", on = store) =>
    on.workspaces.create({ id: `ws_${randomUUID()}`, name, client_id: randomUUID(), redirect_uris: [] });

  const integration = (change: Partial<Integration> = {}) =>
    newIntegration({
      workspace_id: workspace.id,
      identifier: `provider-${randomUUID()}`,
      client_id: "client",
      client_secret: "hush client",
      scopes: ["read", "write"],
      ...change,
    });

  const connection = (change: Partial<Connection> = {}) =>
    newConnection({ workspace_id: workspace.id, credentials: { token: "hush token" }, ...change });

  const consent = (change: Partial<PendingConsent> = {}): PendingConsent => ({
    id: randomUUID(),
    workspace_id: workspace.id,
    integration_id: "int_1",
    session_id: null,
    redirect_uri: "https://app.example.com/back",
    external_id: awkward,
    client_state: awkward,
    connection_id: null,
    code_verifier: "hush verifier",
    sign_in: {
      issuer: "https://auth.example",
      names_issuer: true,
      token_endpoint: "https://auth.example/token",
      revocation_endpoint: null,
      resource: "https://mcp.example/mcp",
      client: { id: "client", secret: "hush sign-in", how: "registered" },
      client_auth: "body",
    },
    browser: "browser",
    settings: { subdomain: "acme" },
    expires_at: inOneMinute(),
    ...change,
  });

  const code = (change: Partial<ConnectCode> = {}): ConnectCode => ({
    hash: randomUUID(),
    workspace_id: workspace.id,
    redirect_uri: "https://app.example.com/back",
    connection_id: "conn_1",
    expires_at: inOneMinute(),
    changes: { credentials: { token: "hush new" }, settings: {}, expires_at: null, refreshed_at: null },
    creates: null,
    ...change,
  });

  const batchId = () => `log_${randomUUID()}`;
  const entry = (change: Partial<NewLogEntry> = {}): NewLogEntry => ({
    workspace_id: workspace.id,
    connection_id: null,
    integration_id: null,
    request_id: "req_1",
    surface: "unified",
    method: "GET",
    path: "/v1/git/repos",
    status: 200,
    outcome: null,
    error_source: null,
    duration_ms: 12.5,
    upstream_calls: 1,
    upstream: [{ method: "GET", path: "/user/repos", status: 200, error: null, duration_ms: 11.5, attempt: 1 }],
    operation: null,
    at: Date.now(),
    ...change,
  });

  beforeAll(async () => {
    [store, other] = [await database.open(), await database.open()];
    [workspace, stranger] = [await newWorkspace(), await newWorkspace("Stranger")];
  });

  describe("workspaces", () => {
    it("a workspace is found by id, name and client id", async () => {
      const created = await newWorkspace(awkward);
      expect(created).toMatchObject({ name: awkward, redirect_uris: [], updated_at: created.created_at });
      expect(await store.workspaces.get(created.id)).toEqual(created);
      expect(await store.workspaces.byName(awkward)).toEqual(created);
      expect(await store.workspaces.byClientId(created.client_id)).toEqual(created);
      expect(await store.workspaces.list()).toContainEqual(created);
      expect(await store.workspaces.get("ws_none")).toBeUndefined();
    });

    it("updating a workspace changes only the given fields", async () => {
      const created = await newWorkspace("Before");
      const uris = ["https://app.example.com/back?x=1", "http://localhost/ü"];
      expect(await store.workspaces.update(created.id, { redirect_uris: uris })).toMatchObject({
        name: "Before",
        redirect_uris: uris,
      });
      expect(await store.workspaces.update(created.id, { name: "After" })).toMatchObject({
        name: "After",
        redirect_uris: uris,
      });
      expect(await store.workspaces.update("ws_none", { name: "After" })).toBeUndefined();
    });
  });

  describe("keys", () => {
    it("an API key leads to its workspace in one statement, until it is deleted", async () => {
      const hash = randomUUID();
      const created = await store.keys.create({
        id: `key_${randomUUID()}`,
        workspace_id: workspace.id,
        name: null,
        prefix: "sk_1",
        hash,
      });
      const before = store.statements;
      expect(await store.keys.byHash(hash)).toEqual({ key: created, workspace });
      expect(store.statements - before).toBe(1);
      expect(created).not.toHaveProperty("hash");
      expect(await store.keys.list(workspace.id, everything)).toEqual([created]);
      expect(await store.keys.get(workspace.id, created.id)).toEqual(created);
      expect(await store.keys.get(stranger.id, created.id)).toBeUndefined();

      expect(await store.keys.delete(stranger.id, created.id)).toBeUndefined();
      expect(await store.keys.delete(workspace.id, created.id)).toBe(hash);
      expect(await store.keys.delete(workspace.id, created.id)).toBeUndefined();
      expect(await store.keys.byHash(hash)).toBeUndefined();
    });
  });

  describe("integrations", () => {
    it("an integration is returned as it was created", async () => {
      const given = integration({ client_id: awkward, client_secret: awkward, base_url: "https://git.example.com" });
      const created = await store.integrations.create(given);
      expect(created).toMatchObject(given);
      expect(await store.integrations.get(workspace.id, given.id)).toEqual(created);
      expect(await store.integrations.ofProvider(workspace.id, given.identifier)).toEqual([created]);
      const bare = integration({ client_id: null, client_secret: null, scopes: null });
      expect(await store.integrations.create(bare)).toMatchObject(bare);
    });

    it("a workspace may have several integrations of one provider, even if they are created at the same time", async () => {
      const identifier = randomUUID();
      const created = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 ? store : other).integrations.create(integration({ identifier }))),
      );
      expect(created.map((each) => each.identifier)).toEqual(created.map(() => identifier));
      const found = await store.integrations.ofProvider(workspace.id, identifier);
      expect(found).toHaveLength(20);
      for (const each of created) {
        expect(found).toContainEqual(each);
        expect(await store.integrations.get(workspace.id, each.id)).toEqual(each);
        const { id } = await store.connections.create(connection({ integration_id: each.id }));
        expect((await store.connections.load(id))?.integration).toEqual(each);
      }
      const elsewhere = integration({ identifier, workspace_id: stranger.id, name: awkward });
      expect(await store.integrations.create(elsewhere)).toMatchObject(elsewhere);
      expect(await store.integrations.delete(workspace.id, created[0]!.id)).toBe(true);
      expect(await store.integrations.ofProvider(workspace.id, identifier)).toHaveLength(19);
      await store.integrations.create(integration({ identifier }));
      expect(await store.integrations.ofProvider(workspace.id, identifier)).toHaveLength(20);
    });

    it("integrations of one provider are not those of a provider whose name begins alike", async () => {
      const identifier = randomUUID();
      for (const each of [identifier, identifier, `${identifier}-cloud`, `${identifier}_cloud`])
        await store.integrations.create(integration({ identifier: each }));
      expect(await store.integrations.ofProvider(workspace.id, identifier)).toHaveLength(2);
      expect(await store.integrations.ofProvider(workspace.id, `${identifier}-cloud`)).toHaveLength(1);
      expect(await store.integrations.ofProvider(workspace.id, `${identifier}%`)).toEqual([]);
    });

    it("a process of the previous version can still create integrations, one per provider", async () => {
      const identifier = randomUUID();
      const insert = (id: string) =>
        database.run(`insert into integrations (id, workspace_id, identifier, type, created_at, updated_at)
          values ('${id}', '${workspace.id}', '${identifier}', 'api_key', 1, 1)
          on conflict (workspace_id, identifier) do nothing returning id`);
      const [first, second] = [randomUUID(), randomUUID()];
      expect(await insert(first)).toEqual([{ id: first }]);
      expect(await insert(second)).toEqual([]);
      const { id: third } = await store.integrations.create(integration({ identifier }));
      expect((await store.integrations.ofProvider(workspace.id, identifier)).map(({ id }) => id)).toEqual([
        first,
        third,
      ]);
    });

    it("updating an integration changes only the given fields", async () => {
      const created = await store.integrations.create(integration());
      expect(await store.integrations.update(workspace.id, created.id, { client_secret: "hush new" })).toMatchObject({
        client_id: "client",
        client_secret: "hush new",
        scopes: ["read", "write"],
        created_at: created.created_at,
      });
      expect(
        await store.integrations.update(workspace.id, created.id, {
          scopes: null,
          client_secret: null,
          client_id: undefined,
        }),
      ).toMatchObject({ client_id: "client", client_secret: null, scopes: null });
    });
  });

  describe("connections", () => {
    it("a connection is returned as it was created", async () => {
      const given = connection({
        external_id: awkward,
        credentials: { token: awkward, refresh_token: "\u0000\ud800", username: "", password: "x".repeat(20_000) },
        settings: { subdomain: awkward },
        metadata: { [awkward]: [null, 1.5, { nested: "\u0000 \ud800" }] },
        is_valid: false,
        invalid_reason: awkward,
        expires_at: "2031-02-03T04:05:06.789Z",
        refreshed_at: "2021-02-03T04:05:06.000Z",
      });
      const created = await store.connections.create(given);
      expect(created).toMatchObject(given);
      expect(await store.connections.get(workspace.id, given.id)).toEqual(created);
      expect(await other.connections.load(given.id)).toEqual({ connection: created, integration: undefined });
    });

    it("a connection loads with its integration in one statement, and outlives it", async () => {
      const created = await store.integrations.create(integration());
      const { id } = await store.connections.create(connection({ integration_id: created.id }));
      const before = store.statements;
      expect(await store.connections.load(id)).toMatchObject({ connection: { id }, integration: created });
      expect(store.statements - before).toBe(1);

      await store.integrations.delete(workspace.id, created.id);
      expect(await store.connections.load(id)).toMatchObject({ connection: { id }, integration: undefined });
      expect(await store.connections.load("conn_none")).toBeUndefined();
    });

    it("updating a connection changes only the given fields", async () => {
      const created = await store.connections.create(connection({ external_id: "user", metadata: { plan: "free" } }));
      const expires_at = inOneMinute();
      expect(
        await store.connections.update(created.id, {
          credentials: { token: "hush next" },
          expires_at,
          is_valid: undefined,
        }),
      ).toMatchObject({ ...created, credentials: { token: "hush next" }, expires_at, updated_at: expect.any(String) });
      expect(
        await store.connections.update(created.id, {
          is_valid: false,
          invalid_reason: "revoked",
          metadata: null,
          expires_at: null,
        }),
      ).toMatchObject({
        external_id: "user",
        is_valid: false,
        invalid_reason: "revoked",
        metadata: null,
        expires_at: null,
      });
      expect(await store.connections.update("conn_none", { is_valid: false })).toBeUndefined();
    });

    it("updateIfUnchanged compares every given credential, and no other", async () => {
      const { id } = await store.connections.create(
        connection({ credentials: { username: "user", password: "first" } }),
      );
      const invalid = { is_valid: false, invalid_reason: "refused" };
      expect(await store.connections.updateIfUnchanged(id, { username: "user", password: "other" }, invalid)).toBe(
        undefined,
      );
      expect(await store.connections.updateIfUnchanged(id, { token: "t" }, invalid)).toBeUndefined();
      expect(
        await store.connections.updateIfUnchanged(id, { username: "user", password: "first" }, invalid),
      ).toMatchObject(invalid);
    });

    it("updateIfUnchanged changes a connection only if the stored refresh token is the given one", async () => {
      const { id } = await store.connections.create(
        connection({ credentials: { token: "1", refresh_token: "first" } }),
      );
      const attempts = Array.from({ length: 10 }, (_, index) =>
        store.connections.updateIfUnchanged(
          id,
          { refresh_token: "first" },
          {
            credentials: { token: "2", refresh_token: `second ${index}` },
          },
        ),
      );
      const updated = (await Promise.all(attempts)).filter(Boolean);
      expect(updated).toHaveLength(1);
      expect((await store.connections.get(workspace.id, id))?.credentials).toEqual(updated[0]?.credentials);

      expect(
        await store.connections.updateIfUnchanged(id, { refresh_token: "first" }, { is_valid: false }),
      ).toBeUndefined();
      expect((await store.connections.get(workspace.id, id))?.is_valid).toBe(true);
      await store.connections.delete(workspace.id, id);
      expect(
        await store.connections.updateIfUnchanged(id, { refresh_token: "first" }, { is_valid: true }),
      ).toBeUndefined();
      expect(await store.connections.load(id)).toBeUndefined();
    });

    it("connections are listed oldest first, page by page, each once", async () => {
      const { id: workspace_id } = await newWorkspace();
      const created: string[] = [];
      for (let n = 0; n < 25; n += 1) created.push((await store.connections.create(connection({ workspace_id }))).id);
      const listed: string[] = [];
      for (let offset = 0; offset < 30; offset += 10) {
        listed.push(...(await store.connections.list(workspace_id, { offset, limit: 10 }, {})).map(({ id }) => id));
      }
      expect(listed).toEqual(created);
    });

    it("connections are filtered by integration, identifier and external id", async () => {
      const { id: workspace_id } = await newWorkspace();
      const long = "x".repeat(10_000);
      const make = (change: Partial<Connection>) => store.connections.create(connection({ workspace_id, ...change }));
      const created = {
        plain: await make({ integration_id: "int_a", integration_identifier: "a", external_id: awkward }),
        upper: await make({ integration_id: "int_b", integration_identifier: "b", external_id: awkward.toUpperCase() }),
        long: await make({ integration_id: "int_b", integration_identifier: "b", external_id: `${long}1` }),
        longer: await make({ integration_id: "int_c", integration_identifier: "b", external_id: `${long}2` }),
      };
      const find = async (filter: Parameters<Store["connections"]["list"]>[2]) =>
        (await store.connections.list(workspace_id, everything, filter)).map(({ id }) => id);

      expect(await find({ external_id: awkward })).toEqual([created.plain.id]);
      expect(await find({ external_id: `${long}2` })).toEqual([created.longer.id]);
      expect(await find({ integration_id: "int_b" })).toEqual([created.upper.id, created.long.id]);
      expect(await find({ integration_identifier: "b" })).toEqual([
        created.upper.id,
        created.long.id,
        created.longer.id,
      ]);
      expect(await find({ integration_identifier: "b", external_id: `${long}1` })).toEqual([created.long.id]);
      expect(await find({ external_id: "nobody" })).toEqual([]);
    });

    it("text with a NUL character, which Postgres cannot store, is refused in writes and matches nothing in queries", async () => {
      await expect(store.connections.create(connection({ external_id: "a\u0000b" }))).rejects.toMatchObject({
        ...refused,
        problems: [{ path: ["external_id"], message: "must not contain a NUL character" }],
      });
      const { id } = await store.connections.create(connection());
      await expect(store.connections.update(id, { external_id: "\u0000" })).rejects.toMatchObject(refused);
      await expect(newWorkspace("\u0000")).rejects.toMatchObject(refused);
      expect(await store.connections.load("\u0000")).toBeUndefined();
      expect(await store.connections.delete(workspace.id, "\u0000")).toBeUndefined();
      expect(await store.connections.list(workspace.id, everything, { external_id: "\u0000" })).toEqual([]);
      expect(await store.connections.update("\u0000", { is_valid: false })).toBeUndefined();
    });
  });

  it("nothing of one workspace is visible to another", async () => {
    const created = await store.integrations.create(integration());
    const { id } = await store.connections.create(connection({ integration_id: created.id, external_id: "user" }));
    await appendEntries(store, batchId(), [entry({ connection_id: id })]);
    const foreign = stranger.id;

    expect(await store.integrations.get(foreign, created.id)).toBeUndefined();
    expect(await store.integrations.ofProvider(foreign, created.identifier)).toEqual([]);
    expect(await store.integrations.update(foreign, created.id, { client_secret: "taken" })).toBeUndefined();
    expect(await store.integrations.delete(foreign, created.id)).toBe(false);
    expect(await store.connections.get(foreign, id)).toBeUndefined();
    expect(await store.connections.delete(foreign, id)).toBeUndefined();
    for (const filter of [{}, { integration_id: created.id }, { external_id: "user" }]) {
      const listed = await store.connections.list(foreign, everything, filter);
      expect(listed.filter((each) => each.workspace_id !== foreign)).toEqual([]);
    }
    expect((await store.requestLog.list(foreign, everything, { connection_id: id })).entries).toEqual([]);
    // A connection that names another workspace's integration does not get its secrets.
    const thief = await store.connections.create(connection({ workspace_id: foreign, integration_id: created.id }));
    expect((await store.connections.load(thief.id))?.integration).toBeUndefined();

    expect(await store.integrations.get(workspace.id, created.id)).toEqual(created);
    expect(await store.connections.get(workspace.id, id)).toBeDefined();
    expect(await store.connections.delete(workspace.id, id)).toMatchObject({ id });
    expect(await store.connections.load(id)).toBeUndefined();
  });

  describe("connect flows", () => {
    it("only one of many concurrent callers gets a connect session", async () => {
      const opened = consent();
      await store.connectFlows.open(opened);
      expect(await other.connectFlows.get(opened.id)).toEqual(opened);
      const taken = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 ? store : other).connectFlows.take(opened.id)),
      );
      expect(taken.filter(Boolean)).toEqual([opened]);
      expect(await store.connectFlows.get(opened.id)).toBeUndefined();
    });

    /** As a process of the previous version issues it, which has already created the connection. */
    async function issueByPreviousVersion({
      hash,
      workspace_id,
      redirect_uri,
      connection_id,
      expires_at,
    }: ConnectCode) {
      const values = [hash, workspace_id, redirect_uri, connection_id].map((text) => `'${text}'`).join(", ");
      await database.run(
        `insert into connect_codes (hash, workspace_id, redirect_uri, connection_id, expires_at) values (${values}, ${fromIso(expires_at)})`,
      );
    }

    it("only one of many concurrent callers redeems a code of the previous version", async () => {
      const created = await store.connections.create(connection());
      const issued = code({ connection_id: created.id });
      await issueByPreviousVersion(issued);
      const redeemed = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 ? store : other).connectFlows.redeem(issued.hash, issued)),
      );
      expect(redeemed.filter(Boolean)).toEqual([created]);
    });

    const changes = {
      credentials: { token: "hush new", refresh_token: "hush next" },
      settings: { tenant: "new" },
      expires_at: "2030-01-01T00:00:00.000Z",
      refreshed_at: "2026-01-01T00:00:00.000Z",
    };
    const invalid = { credentials: { token: "old" }, is_valid: false, invalid_reason: "revoked", external_id: "user" };

    it("a connection keeps its old credentials until the code of its reconnect is redeemed, and then gets all of the new ones", async () => {
      const created = await store.connections.create(connection(invalid));
      const issued = code({ connection_id: created.id, changes });
      await store.connectFlows.issue(issued);
      expect(await other.connections.get(workspace.id, created.id)).toEqual(created);
      expect(JSON.stringify(await database.run("select * from reconnect_codes"))).not.toContain("hush");
      // Two connections to SQLite in one thread would wait for each other's transactions; processes do not.
      const second = database.name === "SQLite" ? store : other;
      const redeemed = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 ? store : second).connectFlows.redeem(issued.hash, issued)),
      );
      const expected = {
        ...created,
        ...changes,
        is_valid: true,
        invalid_reason: null,
        updated_at: expect.any(String),
      };
      expect(redeemed.filter(Boolean)).toEqual([expected]);
      expect(await other.connections.get(workspace.id, created.id)).toEqual(expected);
    });

    it.each([
      ["another workspace", { workspace_id: "ws_other" }],
      ["another redirect_uri", { redirect_uri: "https://evil.example/" }],
    ])("a reconnect code that is redeemed for %s is used up and changes nothing", async (_, wrong) => {
      const created = await store.connections.create(connection(invalid));
      const issued = code({ connection_id: created.id, changes });
      await store.connectFlows.issue(issued);
      expect(await store.connectFlows.redeem(issued.hash, { ...issued, ...wrong })).toBeUndefined();
      expect(await store.connectFlows.redeem(issued.hash, issued)).toBeUndefined();
      expect(await store.connections.get(workspace.id, created.id)).toEqual(created);
    });

    const creates = {
      integration_id: "int_1",
      integration_identifier: "github",
      external_id: awkward,
      metadata: { plan: "pro" },
    };
    const eventsOf = async (id: string) =>
      (await database.run(`select type from events where connection_id = '${id}' order by id`)).map(({ type }) => type);

    it("a new connection exists only once its code has been redeemed, and its event is written in the same step", async () => {
      const issued = code({ connection_id: `conn_${randomUUID()}`, changes, creates });
      await store.connectFlows.issue(issued);
      expect(await other.connections.load(issued.connection_id)).toBeUndefined();
      expect(await eventsOf(issued.connection_id)).toEqual([]);
      expect(JSON.stringify(await database.run("select * from pending_connections"))).not.toContain("hush");
      const second = database.name === "SQLite" ? store : other;
      const redeemed = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 ? store : second).connectFlows.redeem(issued.hash, issued)),
      );
      const expected = {
        ...changes,
        ...creates,
        id: issued.connection_id,
        workspace_id: workspace.id,
        account: null,
        is_valid: true,
        invalid_reason: null,
        refreshed_at: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      };
      expect(redeemed.filter(Boolean)).toEqual([expected]);
      expect(await other.connections.get(workspace.id, issued.connection_id)).toEqual(expected);
      expect(await eventsOf(issued.connection_id)).toEqual(["connection.created"]);
    });

    it("two codes of one new connection that are redeemed at the same time create it once, and both are valid", async () => {
      const connection_id = `conn_${randomUUID()}`;
      const codes = Array.from({ length: 6 }, () => code({ connection_id, changes, creates }));
      for (const each of codes) await store.connectFlows.issue(each);
      const second = database.name === "SQLite" ? store : other;
      const redeemed = await Promise.all(
        codes.map((each, n) => (n % 2 ? store : second).connectFlows.redeem(each.hash, each)),
      );
      expect(redeemed.map((each) => each?.id)).toEqual(codes.map(() => connection_id));
      expect((await eventsOf(connection_id)).filter((type) => type === "connection.created")).toHaveLength(1);
    });

    it.each([
      ["another workspace", { workspace_id: "ws_other" }],
      ["another redirect_uri", { redirect_uri: "https://evil.example/" }],
    ])("the code of a new connection that is redeemed for %s is used up and creates nothing", async (_, wrong) => {
      const issued = code({ connection_id: `conn_${randomUUID()}`, changes, creates });
      await store.connectFlows.issue(issued);
      expect(await store.connectFlows.redeem(issued.hash, { ...issued, ...wrong })).toBeUndefined();
      expect(await store.connectFlows.redeem(issued.hash, issued)).toBeUndefined();
      expect(await store.connections.load(issued.connection_id)).toBeUndefined();
    });

    it("a process of the previous version does not find the code of a new connection, and leaves it as it is", async () => {
      const issued = code({ connection_id: `conn_${randomUUID()}`, changes, creates });
      await store.connectFlows.issue(issued);
      for (const [table, column] of [
        ["connect_codes", "hash"],
        ["reconnect_codes", "id"],
      ])
        expect(await database.run(`select * from ${table} where ${column} = '${issued.hash}'`)).toEqual([]);
    });

    it("a reconnect code of a connection that was deleted is used up", async () => {
      const created = await store.connections.create(connection(invalid));
      const issued = code({ connection_id: created.id, changes });
      await store.connectFlows.issue(issued);
      await store.connections.delete(workspace.id, created.id);
      expect(await store.connectFlows.redeem(issued.hash, issued)).toBeUndefined();
      expect(await store.connections.load(created.id)).toBeUndefined();
    });

    it("a reconnect code is not used up if the connection cannot be changed", async () => {
      const created = await store.connections.create(connection(invalid));
      // A NUL can be stored here, where it is encrypted, but not in the connection.
      const refused = { ...changes, external_id: "a\0b" };
      const issued = code({ connection_id: created.id, changes: refused });
      await store.connectFlows.issue(issued);
      await expect(store.connectFlows.redeem(issued.hash, issued)).rejects.toThrow();
      expect(await store.connections.get(workspace.id, created.id)).toEqual(created);
      await expect(store.connectFlows.redeem(issued.hash, issued)).rejects.toThrow();
    });

    it("a reconnect code whose changes cannot be decrypted is as good as expired", async () => {
      const created = await store.connections.create(connection(invalid));
      const issued = code({ connection_id: created.id, changes });
      await store.connectFlows.issue(issued);
      await database.run(`update reconnect_codes set changes = 'damaged' where id = '${issued.hash}'`);
      expect(await store.connectFlows.redeem(issued.hash, issued)).toBeUndefined();
      expect(await store.connections.get(workspace.id, created.id)).toEqual(created);
    });

    it("expired connect sessions and codes are not returned, and sweep deletes them", async () => {
      const [expired, current] = [consent({ expires_at: justNow(), code_verifier: null }), consent()];
      const { id: connection_id } = await store.connections.create(connection());
      const [expiredCode, currentCode] = [code({ connection_id, expires_at: justNow() }), code({ connection_id })];
      const [expiredReconnect, currentReconnect] = [expiredCode, currentCode].map((like) => ({
        ...like,
        hash: randomUUID(),
      }));
      const [expiredNew, currentNew] = [expiredCode, currentCode].map((like) => ({
        ...like,
        hash: randomUUID(),
        creates,
      }));
      for (const each of [expired, current]) await store.connectFlows.open(each);
      for (const each of [expiredCode, currentCode]) await issueByPreviousVersion(each);
      const before = await store.connectFlows.unredeemed(workspace.id);
      for (const each of [expiredReconnect!, currentReconnect!, expiredNew!, currentNew!])
        await store.connectFlows.issue(each);
      expect(await other.connectFlows.unredeemed(workspace.id)).toBe(before + 2);
      expect(await store.connectFlows.get(expired.id)).toBeUndefined();
      expect(await store.connectFlows.take(expired.id)).toBeUndefined();
      for (const each of [expiredCode, expiredReconnect!, expiredNew!])
        expect(await store.connectFlows.redeem(each.hash, each)).toBeUndefined();

      await store.connectFlows.sweep();
      const left = await database.run("select id from connect_sessions");
      expect(left.map(({ id }) => id)).toEqual([current.id]);
      expect(await database.run("select hash from connect_codes")).toEqual([{ hash: currentCode.hash }]);
      for (const [table, kept, deleted] of [
        ["reconnect_codes", currentReconnect!, expiredReconnect!],
        ["pending_connections", currentNew!, expiredNew!],
      ] as const) {
        const ids = (await database.run(`select id from ${table}`)).map(({ id }) => id);
        expect(ids).toContain(kept.hash);
        expect(ids).not.toContain(deleted.hash);
      }
      expect(await store.connectFlows.take(current.id)).toEqual(current);
      for (const each of [currentCode, currentReconnect!, currentNew!])
        expect(await store.connectFlows.redeem(each.hash, each)).toMatchObject({ id: connection_id });
    });
  });

  describe("request log", () => {
    const statuses = async (workspaceId: string, page = everything, filter = {}) =>
      (await store.requestLog.list(workspaceId, page, filter)).entries.map(({ status }) => status);
    const countdown = (from: number, count: number) => Array.from({ length: count }, (_, n) => from - n);

    it("the request log is listed newest first, even within one millisecond", async () => {
      const { id: workspace_id } = await newWorkspace();
      const start = Date.now();
      const series = batchId();
      const entries = Array.from({ length: 2201 }, (_, n) =>
        entry({
          workspace_id,
          status: n,
          at: start + Math.floor(n / 1500),
          connection_id: n % 2 ? "conn_odd" : null,
          outcome: n % 3 ? null : "rate_limited",
        }),
      );
      // The last batch is shorter than the others, one is empty, one is appended twice.
      for (let n = 0; n < 2201; n += 190) await appendEntries(store, `${series}${1000 + n}`, entries.slice(n, n + 190));
      await appendEntries(store, batchId(), []);
      await appendEntries(store, `${series}1000`, entries.slice(0, 190));
      expect(await statuses(workspace_id, { offset: 0, limit: 3000 })).toEqual(countdown(2200, 2201));
      expect(await statuses(workspace_id, { offset: 200, limit: 1000 })).toEqual(countdown(2000, 1000));
      expect(await statuses(workspace_id, { offset: 2200, limit: 10 })).toEqual([0]);
      expect(await statuses(workspace_id, { offset: 2201, limit: 10 })).toEqual([]);
      const odd = { connection_id: "conn_odd" };
      expect(await statuses(workspace_id, { offset: 0, limit: 2 }, odd)).toEqual([2199, 2197]);
      expect(await statuses(workspace_id, { offset: 1099, limit: 9 }, odd)).toEqual([1]);

      const [{ id, created_at, ...newest }] = (await store.requestLog.list(workspace_id, everything, {})).entries as [
        LogEntry,
      ];
      const { at, ...last } = entries.at(-1)!;
      expect([newest, created_at]).toEqual([{ ...last, mcp_client: null, person: null }, new Date(at).toISOString()]);
      expect(id).toMatch(/^log_/);
      const ids = (await store.requestLog.list(workspace_id, { offset: 0, limit: 3000 }, {})).entries.map(
        (one) => one.id,
      );
      expect(new Set(ids).size).toBe(2201);
    });

    it("the request log is in order of time, even if several processes write at the same time", async () => {
      const { id: workspace_id } = await newWorkspace();
      // Batches that overlap in time with all later ones.
      for (let process = 0; process < 40; process++) {
        const own = Array.from({ length: 30 }, (_, n) => process + n * 40);
        await appendEntries(
          store,
          batchId(),
          own.map((n) => entry({ workspace_id, status: n, at: 1_700_000_000_000 + n })),
        );
      }
      for (const offset of [0, 1, 599, 1190])
        expect(await statuses(workspace_id, { offset, limit: 10 })).toEqual(countdown(1199 - offset, 10));
    });

    it("log entries of several workspaces in one batch are listed separately", async () => {
      const [one, other] = [(await newWorkspace()).id, (await newWorkspace()).id];
      await appendEntries(
        store,
        batchId(),
        [one, other, one].map((workspace_id, status) => entry({ workspace_id, status })),
      );
      expect([await statuses(one), await statuses(other)]).toEqual([[2, 0], [1]]);
    });

    it("the request log takes any text as path and connection id", async () => {
      const { id: workspace_id } = await newWorkspace();
      const odd = ["%", "\\", '"', "a\u0000b", "ü", "_", ""];
      await appendEntries(
        store,
        batchId(),
        odd.map((text, status) => entry({ workspace_id, status, path: `/${text}`, connection_id: text })),
      );
      const { entries: listed } = await store.requestLog.list(workspace_id, everything, {});
      expect(listed.map(({ path }) => path)).toEqual(odd.map((text) => `/${text}`).reverse());
      for (const [index, connection_id] of odd.entries())
        expect(await statuses(workspace_id, everything, { connection_id })).toEqual([index]);
    });

    it("trimming the request log keeps the newest entries and none that are too old", async () => {
      await store.requestLog.trim(new Date(Date.now() + 1000).toISOString(), 10);
      expect(await database.run("select id from log_batches")).toEqual([]);

      const day = (n: number) => Date.UTC(2030, 0, 1 + n);
      const iso = (n: number) => new Date(day(n)).toISOString();
      for (let n = 0; n < 70; n++)
        await appendEntries(
          store,
          batchId(),
          Array.from({ length: 10 }, (_, index) => entry({ status: n * 10 + index, at: day(n * 10 + index) })),
        );
      await store.requestLog.trim(iso(0), 1000);
      expect(await statuses(workspace.id)).toHaveLength(700);
      await store.requestLog.trim(iso(0), 20);
      expect(await statuses(workspace.id)).toEqual(countdown(699, 20));
      // A batch is kept as a whole.
      await store.requestLog.trim(iso(0), 11);
      expect(await statuses(workspace.id)).toHaveLength(20);
      await store.requestLog.trim(iso(690), 20);
      expect(await statuses(workspace.id)).toEqual(countdown(699, 10));
    });
  });

  describe("locks", () => {
    it("only one of many owners gets a lock, until it is released", async () => {
      const name = randomUUID();
      const owners = Array.from({ length: 20 }, () => randomUUID());
      const acquired = await Promise.all(
        owners.map((owner, n) => (n % 2 ? store : other).locks.acquire(name, owner, 60_000)),
      );
      expect(acquired.filter(Boolean)).toHaveLength(1);
      const winner = owners[acquired.indexOf(true)]!;
      await store.locks.release(name, owners[acquired.indexOf(false)]!);
      expect(await store.locks.acquire(name, "late", 60_000)).toBe(false);
      await other.locks.release(name, winner);
      expect(await store.locks.acquire(name, "late", 60_000)).toBe(true);
    });

    it("a lock expires, and its former owner cannot release the next owner's lock", async () => {
      const name = randomUUID();
      expect(await store.locks.acquire(name, "slow", 20)).toBe(true);
      await vi.waitFor(async () => expect(await other.locks.acquire(name, "next", 60_000)).toBe(true), 60_000);
      await store.locks.release(name, "slow");
      expect(await store.locks.acquire(name, "slow", 60_000)).toBe(false);
    });
  });

  it("no secret is stored unencrypted", async () => {
    const secrets = Array.from({ length: 6 }, () => `hush-${randomUUID()}`);
    const [token, newToken, refresh, client, verifier, next] = secrets as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    const marker = `findable-${randomUUID()}`;
    await store.integrations.create(integration({ client_secret: client }));
    const created = await store.connections.create(connection({ credentials: { token, refresh_token: refresh } }));
    await store.connections.update(created.id, { credentials: { token: newToken }, external_id: marker });
    await store.connectFlows.open(consent({ code_verifier: verifier }));
    const changes = { credentials: { token: next }, settings: {}, expires_at: null, refreshed_at: null };
    await store.connectFlows.issue(code({ connection_id: created.id, changes }));
    await store.connectFlows.issue(code({ changes, creates: created }));

    const bytes = await database.bytes();
    expect(bytes).toContain(marker);
    for (const secret of secrets) {
      for (const form of [secret, ...(["base64", "hex"] as const).map((form) => Buffer.from(secret).toString(form))]) {
        expect(bytes.includes(form)).toBe(false);
      }
    }
  });

  it("credentials that were copied from another row are not decrypted", async () => {
    const mine = await store.connections.create(connection({ credentials: { token: "hush mine" } }));
    const theirs = await store.connections.create(
      connection({ workspace_id: stranger.id, credentials: { token: "hush theirs" } }),
    );
    const copy = `update connections set credentials = (select credentials from connections where id = '${theirs.id}')`;
    await database.run(`${copy} where id = '${mine.id}'`);
    const unreadable = { id: mine.id, credentials: {}, is_valid: false, unreadable: true };
    expect(await store.connections.load(mine.id)).toMatchObject({ connection: unreadable });
    expect(await store.connections.get(workspace.id, mine.id)).toMatchObject(unreadable);
    // It can still be deleted.
    expect(await store.connections.delete(workspace.id, mine.id)).toMatchObject({ id: mine.id, credentials: {} });
  });

  it("the store answers a ping and can be closed twice", async () => {
    const third = await database.open();
    await third.ping();
    await third.close();
    await third.close();
  });
});
