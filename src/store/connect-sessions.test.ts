import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { describeDatabases } from "../../test/support/databases.ts";
import { newConnection } from "../../test/support/entities.ts";
import type { ConnectSession } from "../contracts/entities.ts";
import type { NewMcpGrant } from "../contracts/mcp-grants.ts";
import type { Store } from "../contracts/store.ts";

const inMs = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString();

await describeDatabases("connect sessions", (database) => {
  let store: Store;
  /** The same database, as another process sees it. */
  let other: Store;
  const workspace_id = "ws_1";

  beforeAll(async () => {
    store = await database.open();
    // Two SQLite connections in one process would wait for each other: the wait of one stops the other too.
    other = database.name === "SQLite" ? store : await database.open();
    await store.workspaces.create({ id: workspace_id, name: "Acme", client_id: "client", redirect_uris: [] });
  });

  async function create(change: Partial<ConnectSession> = {}) {
    const session = {
      id: randomUUID(),
      workspace_id,
      integrations: ["int_1", "int_2"],
      scopes: ["read:user", "write user"],
      redirect_uri: null,
      external_id: 'O\'Brien "quoted" 漢字',
      metadata: { plan: "pro", nested: ["\u0000"] },
      connection_id: null,
      expires_at: inMs(60_000),
      ...change,
    };
    await store.connectSessions.create(session);
    return session;
  }

  const connection = () => newConnection({ workspace_id, external_id: "user" });
  const exists = async (id: string) => (await store.connections.get(workspace_id, id)) !== undefined;

  it("a session is returned as it was created, until it expires", async () => {
    const unused = { browser: null, connected_id: null, mcp_sign_in_id: null, mcp_grant_id: null };
    const session = await create();
    expect(await other.connectSessions.get(session.id)).toEqual({ ...session, ...unused });
    const bare = await create({
      integrations: null,
      scopes: null,
      metadata: null,
      external_id: null,
      connection_id: "conn_1",
    });
    expect(await store.connectSessions.get(bare.id)).toEqual({ ...bare, ...unused });
    const expired = await create({ expires_at: inMs(-1) });
    expect(await store.connectSessions.get(expired.id)).toBeUndefined();
    expect(await store.connectSessions.begin(expired.id, "browser")).toBe(false);
    const made = connection();
    expect(await store.connectSessions.complete(expired.id, "attempt", { id: made.id, create: made })).toBe("used");
    expect(await exists(made.id)).toBe(false);
  });

  it("of several browsers that begin a session at the same time, exactly one gets it, and it may begin again", async () => {
    const { id } = await create();
    const browsers = Array.from({ length: 10 }, (_, n) => `browser ${n}`);
    const begun = await Promise.all(
      browsers.map((browser, n) => (n % 2 ? store : other).connectSessions.begin(id, browser)),
    );
    expect(begun.filter(Boolean)).toHaveLength(1);
    const winner = browsers[begun.indexOf(true)]!;
    expect((await store.connectSessions.get(id))?.browser).toBe(winner);
    expect(await store.connectSessions.begin(id, winner)).toBe(true);
  });

  it("of several attempts that complete a session at the same time, one creates a connection", async () => {
    const { id } = await create();
    const made = Array.from({ length: 10 }, connection);
    const outcomes = await Promise.all(
      made.map((each, n) =>
        (n % 2 ? store : other).connectSessions.complete(id, each.id, { id: each.id, create: each }),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === "completed")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "used")).toHaveLength(9);
    const created = (await Promise.all(made.map((each) => exists(each.id)))).filter(Boolean);
    expect(created).toHaveLength(1);
    expect((await store.connectSessions.get(id))?.connected_id).toBe(made[outcomes.indexOf("completed")]!.id);
  });

  it("an attempt that is repeated, even at the same time, creates one connection", async () => {
    const { id } = await create();
    const made = connection();
    const complete = (on: Store) => on.connectSessions.complete(id, "attempt", { id: made.id, create: made });
    expect(await Promise.all([store, other, store, other].map(complete))).toEqual(Array(4).fill("completed"));
    expect(await exists(made.id)).toBe(true);
  });

  it("completing a session changes an existing connection only if a change is given", async () => {
    const made = await store.connections.create(connection());
    const session = await create({ connection_id: made.id });
    const change = { credentials: { token: "new" }, is_valid: true };
    expect(await store.connectSessions.complete(session.id, "a", { id: made.id })).toBe("completed");
    expect((await store.connections.get(workspace_id, made.id))?.credentials).toEqual({ token: "made-up" });
    expect(await store.connectSessions.complete(session.id, "b", { id: made.id, change })).toBe("used");
    const second = await create({ connection_id: made.id });
    expect(await store.connectSessions.complete(second.id, "a", { id: made.id, change })).toBe("completed");
    expect((await store.connections.get(workspace_id, made.id))?.credentials).toEqual({ token: "new" });
  });

  describe("a session of a grant", () => {
    const newGrant = async (change: Partial<NewMcpGrant> = {}) => {
      const signIn = {
        id: randomUUID(),
        workspace_id,
        client_id: "client-1",
        client_name: "Client",
        redirect_uri: "https://client.example/callback",
        state: null,
        code_challenge: "challenge",
        resource: "https://api.example/mcp",
        browser: "browser",
        expires_at: inMs(60_000),
      };
      await store.mcpGrants.beginSignIn(signIn);
      const grant = {
        id: `grant_${randomUUID()}`,
        workspace_id,
        client_id: "client-1",
        client_name: "Client",
        redirect_host: "client.example",
        external_id: "user",
        actor: { kind: "person" as const, id: "user", name: null },
        connection_ids: ["conn_1"],
        access: "read" as const,
        call_api: false,
        tool_pack_id: null,
        may_add_accounts: true,
        browser: "browser",
        resource: "https://api.example/mcp",
        expires_at: null,
        key_id: null,
        ...change,
      };
      const code = { hash: randomUUID(), expires_at: inMs(60_000) };
      return (await store.mcpGrants.grant({ ...signIn, person: null, created_at: "" }, grant, code))!.id;
    };
    const accountsOf = async (id: string) => (await store.mcpGrants.get(workspace_id, id))?.connection_ids;
    const complete = async (mcp_grant_id: string, on = store, external_id = "user") => {
      const { id } = await create({ mcp_grant_id, external_id, browser: "browser" });
      const made = connection();
      expect(await on.connectSessions.complete(id, "attempt", { id: made.id, create: made })).toBe("completed");
      return made.id;
    };

    it("adds its connection to the grant, once, and to no other", async () => {
      const [own, another] = [await newGrant(), await newGrant()];
      const { id } = await create({ mcp_grant_id: own, external_id: "user" });
      expect(await store.connectSessions.get(id)).toMatchObject({ mcp_grant_id: own });
      const made = connection();
      for (const _ of [1, 2])
        expect(await store.connectSessions.complete(id, "attempt", { id: made.id, create: made })).toBe("completed");
      expect(await accountsOf(own)).toEqual(["conn_1", made.id]);
      expect(await accountsOf(another)).toEqual(["conn_1"]);
    });

    it("adds every connection of sessions that end at the same time", async () => {
      const grant = await newGrant();
      const made = await Promise.all([store, other, store, other].map((on) => complete(grant, on)));
      expect((await accountsOf(grant))?.sort()).toEqual(["conn_1", ...made].sort());
    });

    it("adds nothing to the grant of another person, or to one that must not grow", async () => {
      const [others, closed] = [await newGrant({ external_id: "other" }), await newGrant({ may_add_accounts: false })];
      for (const grant of [others, closed]) {
        await complete(grant);
        expect(await accountsOf(grant)).toEqual(["conn_1"]);
      }
      const nobodys = await newGrant({ external_id: null });
      await create({ mcp_grant_id: nobodys, external_id: null });
      expect(await accountsOf(nobodys)).toEqual(["conn_1"]);
    });

    it("ends with the grant, so that nothing is connected afterwards", async () => {
      const grant = await newGrant();
      const { id } = await create({ mcp_grant_id: grant, external_id: "user" });
      await store.mcpGrants.delete(workspace_id, grant);
      expect(await store.connectSessions.get(id)).toBeUndefined();
      const made = connection();
      expect(await store.connectSessions.complete(id, "attempt", { id: made.id, create: made })).toBe("used");
      expect(await exists(made.id)).toBe(false);
    });
  });

  it("a session whose connection has been deleted is deleted when it is completed", async () => {
    const session = await create({ connection_id: "conn_gone" });
    expect(await store.connectSessions.complete(session.id, "a", { id: "conn_gone", change: {} })).toBe(
      "connection_missing",
    );
    expect(await store.connectSessions.get(session.id)).toBeUndefined();
  });

  it("if the connection cannot be created, the session is not used up", async () => {
    const { id } = await create();
    const foreign = { ...connection(), workspace_id: "ws_unknown" };
    await expect(store.connectSessions.complete(id, "a", { id: foreign.id, create: foreign })).rejects.toThrow();
    expect((await store.connectSessions.get(id))?.connected_id).toBeNull();
    const made = connection();
    expect(await store.connectSessions.complete(id, "b", { id: made.id, create: made })).toBe("completed");
  });

  it("sweeping deletes expired sessions only", async () => {
    const expired = await create({ expires_at: inMs(-1) });
    const current = await create();
    await store.connectFlows.sweep();
    const left = await database.run("select id from connect_links");
    const ids = left.map((row) => row.id);
    expect(ids).toContain(current.id);
    expect(ids).not.toContain(expired.id);
  });

  it("a consent of a connect session has no address that a process of the previous version would return to", async () => {
    const id = randomUUID();
    await store.connectFlows.open({
      id,
      workspace_id,
      integration_id: "int_1",
      session_id: "cs_1",
      redirect_uri: null,
      external_id: null,
      client_state: null,
      connection_id: null,
      code_verifier: null,
      sign_in: null,
      browser: "browser",
      settings: {},
      expires_at: inMs(60_000),
    });
    expect(await database.run(`select redirect_uri from connect_sessions where id = '${id}'`)).toEqual([
      { redirect_uri: "" },
    ]);
    expect(await store.connectFlows.take(id)).toMatchObject({ session_id: "cs_1", redirect_uri: null });
  });
});
