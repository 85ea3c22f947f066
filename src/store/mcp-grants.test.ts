import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { describeDatabases } from "../../test/support/databases.ts";
import { UNBOUND } from "../contracts/access.ts";
import type { Workspace } from "../contracts/entities.ts";
import type { McpPerson, McpSignIn, NewMcpGrant } from "../contracts/mcp-grants.ts";
import type { Store } from "../contracts/store.ts";

const DAY = 86_400_000;
const everything = { offset: 0, limit: 1000 };
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

await describeDatabases("grants of MCP clients", (database) => {
  let store: Store;
  let workspace: Workspace;
  let stranger: Workspace;
  beforeAll(async () => {
    store = await database.open();
    const create = (name: string) =>
      store.workspaces.create({ id: `ws_${name}`, name, client_id: name, redirect_uris: [] });
    workspace = await create("acme");
    stranger = await create("stranger");
  });
  afterEach(() => void vi.useRealTimers());

  const user: McpPerson = {
    actor: { kind: "person", id: "user-7", name: null },
    external_id: "user-7",
    connection_ids: null,
    key_id: null,
    expires_at: null,
    tool_pack_id: null,
    may_call_api: true,
    may_connect: true,
    may_add_accounts: true,
  };

  async function begin(change: Partial<McpSignIn> = {}): Promise<McpSignIn> {
    const id = randomUUID();
    await store.mcpGrants.beginSignIn({
      id,
      workspace_id: workspace.id,
      client_id: "client-1",
      client_name: "Client",
      redirect_uri: "https://client.example/callback",
      state: null,
      code_challenge: "challenge",
      resource: "https://api.example/mcp",
      browser: "browser",
      expires_at: inMs(600_000),
      ...change,
    });
    return (await store.mcpGrants.signIn(id))!;
  }

  const newGrant = (change: Partial<NewMcpGrant> = {}): NewMcpGrant => ({
    id: `grant_${randomUUID()}`,
    workspace_id: workspace.id,
    client_id: "client-1",
    client_name: "Client",
    redirect_host: "client.example",
    external_id: "user-7",
    actor: user.actor,
    connection_ids: ["conn_1"],
    access: "read",
    call_api: false,
    tool_pack_id: null,
    may_add_accounts: true,
    browser: "browser",
    resource: "https://api.example/mcp",
    expires_at: null,
    key_id: null,
    ...change,
  });

  const tokens = () => ({
    access: { hash: randomUUID(), expires_at: inMs(3_600_000) },
    refresh: { hash: randomUUID(), expires_at: inMs(30 * DAY) },
  });
  const presented = {
    client_id: "client-1",
    redirect_uri: undefined,
    code_challenge: "challenge",
    resource: undefined,
  };

  async function granted(change: Partial<NewMcpGrant> = {}) {
    const code = { hash: randomUUID(), expires_at: inMs(60_000) };
    const grant = (await store.mcpGrants.grant(await begin(), newGrant(change), code))!;
    const issued = tokens();
    const redeemed = await store.mcpGrants.redeemCode(code.hash, presented, issued);
    expect(redeemed.outcome).toBe("issued");
    return { grant, code, issued };
  }

  it("a sign-in is proven once, by one person of its workspace, and used up once", async () => {
    const { id } = await begin();
    expect(await store.mcpGrants.proveSignIn(stranger.id, id, user)).toBeUndefined();
    expect((await store.mcpGrants.proveSignIn(workspace.id, id, user))?.person).toEqual(user);
    expect(await store.mcpGrants.proveSignIn(workspace.id, id, user)).toBeDefined();
    expect(await store.mcpGrants.proveSignIn(workspace.id, id, { ...user, external_id: "user-8" })).toBeUndefined();
    expect(await store.mcpGrants.endSignIn(id)).toBe(true);
    expect(await store.mcpGrants.endSignIn(id)).toBe(false);
    expect(await store.mcpGrants.signIn(id)).toBeUndefined();
  });

  it("a sign-in that was used up gives no grant", async () => {
    const signIn = await begin();
    const code = { hash: randomUUID(), expires_at: inMs(60_000) };
    expect(await store.mcpGrants.grant(signIn, newGrant(), code)).toBeDefined();
    const second = { ...code, hash: randomUUID() };
    expect(await store.mcpGrants.grant(signIn, newGrant(), second)).toBeUndefined();
    expect((await store.mcpGrants.redeemCode(second.hash, presented, tokens())).outcome).toBe("refused");
  });

  it("a code is redeemed once, and its second use is reported with the grant", async () => {
    const { grant, code, issued } = await granted();
    expect((await store.mcpGrants.byToken(issued.access.hash))?.grant).toEqual(grant);
    expect(await store.mcpGrants.redeemCode(code.hash, presented, tokens())).toEqual({ outcome: "misused", grant });
  });

  it("a refresh token is used once, by its own client, and its second use is reported", async () => {
    const { grant, issued } = await granted();
    const by = { client_id: "client-1", resource: undefined };
    const { refresh } = store.mcpGrants;
    const next = tokens();
    expect((await refresh(issued.refresh.hash, { ...by, client_id: "other" }, next)).outcome).toBe("refused");
    expect((await refresh(issued.refresh.hash, { ...by, resource: "https://other" }, next)).outcome).toBe("refused");
    expect((await refresh(issued.refresh.hash, by, next)).outcome).toBe("issued");
    expect(await refresh(issued.refresh.hash, by, tokens())).toEqual({ outcome: "misused", grant });
    expect((await refresh(next.refresh.hash, by, tokens())).outcome).toBe("issued");
    expect((await refresh("unknown", by, tokens())).outcome).toBe("refused");
  });

  it("a refresh token that several use at the same time is issued for one of them", async () => {
    const { issued } = await granted();
    const by = { client_id: "client-1", resource: undefined };
    const results = await Promise.all(
      Array.from({ length: 4 }, () => store.mcpGrants.refresh(issued.refresh.hash, by, tokens())),
    );
    expect(results.map(({ outcome }) => outcome).sort()).toEqual(["issued", "misused", "misused", "misused"]);
  });

  it("a grant is deleted with its tokens, in its own workspace, by whoever may see it", async () => {
    const { grant, issued } = await granted();
    expect(await store.mcpGrants.delete(stranger.id, grant.id)).toBe(false);
    expect(await store.mcpGrants.delete(workspace.id, grant.id, { ...UNBOUND, external_id: "user-8" })).toBe(false);
    expect(await store.mcpGrants.delete(workspace.id, grant.id, { ...UNBOUND, connection_ids: ["conn_2"] })).toBe(
      false,
    );
    expect(await store.mcpGrants.delete(workspace.id, grant.id, { ...UNBOUND, external_id: "user-7" })).toBe(true);
    expect(await store.mcpGrants.byToken(issued.access.hash)).toBeUndefined();
    expect(await store.mcpGrants.byRefreshToken(issued.refresh.hash)).toBeUndefined();
  });

  it("a list has the grants that a key may see, and their last use", async () => {
    const { grant } = await granted({ external_id: "listed", connection_ids: ["conn_a", "conn_b"] });
    const ids = async (binding: object) =>
      (await store.mcpGrants.list(workspace.id, everything, { ...UNBOUND, ...binding })).map(({ id }) => id);
    expect(await ids({ external_id: "listed" })).toEqual([grant.id]);
    expect(await ids({ connection_ids: ["conn_a", "conn_b", "conn_c"] })).toEqual([grant.id]);
    expect(await ids({ connection_ids: ["conn_a"] })).toEqual([]);
    expect(await ids({})).toContain(grant.id);
    expect(await store.mcpGrants.list(stranger.id, everything, UNBOUND)).toEqual([]);
    const at = new Date().toISOString();
    await store.mcpGrants.used([{ id: grant.id, at }]);
    expect((await store.mcpGrants.get(workspace.id, grant.id))?.last_used_at).toBe(at);
    expect(await store.mcpGrants.get(stranger.id, grant.id)).toBeUndefined();
  });

  it("a grant has its tool pack, which can be changed, and is worth nothing if that is missing", async () => {
    const pack = {
      id: "tp_1",
      workspace_id: workspace.id,
      name: "Sales",
      categories: ["crm"],
      tools: null,
      access: "read" as const,
      hide: [],
    };
    const created = await store.toolPacks.create(pack);
    const { grant, issued } = await granted({ tool_pack_id: pack.id, call_api: true });
    expect(grant).toMatchObject({ tool_pack_id: pack.id, call_api: true, may_add_accounts: true, browser: "browser" });
    expect((await store.mcpGrants.byToken(issued.access.hash))?.toolPack).toEqual(created);
    expect(await store.toolPacks.users(workspace.id, pack.id)).toEqual([
      { kind: "MCP client", id: grant.id, name: "Client" },
    ]);
    await store.workspaces.update(workspace.id, { mcp_tool_pack_id: pack.id });
    expect(await store.toolPacks.users(workspace.id, pack.id)).toContainEqual({
      kind: "workspace setting",
      id: "mcp_tool_pack_id",
      name: "mcp_tool_pack_id",
    });
    const { update } = store.mcpGrants;
    expect(await update(stranger.id, grant.id, { tool_pack_id: null })).toBeUndefined();
    expect(await update(workspace.id, grant.id, { tool_pack_id: null })).toEqual({ ...grant, tool_pack_id: null });
    expect((await store.mcpGrants.byToken(issued.access.hash))?.toolPack).toBeUndefined();
    await update(workspace.id, grant.id, { tool_pack_id: "tp_missing" });
    expect(await store.mcpGrants.byToken(issued.access.hash)).toBeUndefined();
  });

  it("a grant ends with its key, and at its time", async () => {
    const key = {
      id: `key_${randomUUID()}`,
      workspace_id: workspace.id,
      name: null,
      prefix: "sk_",
      hash: randomUUID(),
    };
    await store.keys.create(key);
    const { issued } = await granted({ key_id: key.id });
    await store.keys.delete(workspace.id, key.id);
    expect(await store.mcpGrants.byToken(issued.access.hash)).toBeUndefined();

    const short = await granted({ expires_at: inMs(60_000) });
    const found = await store.mcpGrants.byToken(short.issued.access.hash);
    expect(found?.expires_at).toBe(short.grant.expires_at);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    expect(await store.mcpGrants.byToken(short.issued.access.hash)).toBeUndefined();
    const by = { client_id: "client-1", resource: undefined };
    expect((await store.mcpGrants.refresh(short.issued.refresh.hash, by, tokens())).outcome).toBe("refused");
  });

  it("what nobody uses any more is deleted, and nothing else", async () => {
    const { registerClient, client, sweep } = store.mcpGrants;
    const redirect_uris = ["https://client.example/callback"];
    for (const id of ["client-1", "unused"]) await registerClient({ id, name: id, redirect_uris });
    const { grant } = await granted();
    const unredeemed = newGrant();
    await store.mcpGrants.grant(await begin(), unredeemed, { hash: randomUUID(), expires_at: inMs(60_000) });
    await sweep();
    expect(await store.mcpGrants.get(workspace.id, unredeemed.id)).toBeDefined();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * DAY });
    await sweep();
    expect(await store.mcpGrants.get(workspace.id, grant.id)).toBeDefined();
    expect(await store.mcpGrants.get(workspace.id, unredeemed.id)).toBeUndefined();
    expect((await client("client-1"))?.redirect_uris).toEqual(redirect_uris);
    expect(await client("unused")).toBeUndefined();
    vi.setSystemTime(Date.now() + 100 * DAY);
    await sweep();
    expect(await store.mcpGrants.get(workspace.id, grant.id)).toBeUndefined();
    expect(await client("client-1")).toBeUndefined();
  });
});
