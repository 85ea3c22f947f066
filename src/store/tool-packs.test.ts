import { beforeAll, expect, it } from "vitest";
import { describeDatabases } from "../../test/support/databases.ts";
import type { Workspace } from "../contracts/entities.ts";
import type { Store } from "../contracts/store.ts";
import { MAX_TOOL_PACKS } from "../contracts/tool-packs.ts";

await describeDatabases("tool packs", (database) => {
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

  const pack = (id: string, workspace_id = workspace.id) => ({
    id,
    workspace_id,
    name: "Sales",
    categories: ["crm"],
    tools: null,
    access: "read" as const,
    hide: ["crm.contact.email"],
  });
  const key = (id: string, tool_pack_id: string) =>
    store.keys.create({ id, workspace_id: workspace.id, name: id, prefix: "sk", hash: `hash of ${id}`, tool_pack_id });

  it("a tool pack is stored as it was given, and belongs to its workspace", async () => {
    const created = await store.toolPacks.create(pack("tp_1"));
    expect(created).toMatchObject(pack("tp_1"));
    expect(await store.toolPacks.get(workspace.id, "tp_1")).toEqual(created);
    expect(await store.toolPacks.list(workspace.id)).toEqual([created]);
    expect(await store.toolPacks.get(stranger.id, "tp_1")).toBeUndefined();
    expect(await store.toolPacks.list(stranger.id)).toEqual([]);
    expect(await store.toolPacks.update(stranger.id, "tp_1", { access: "write" })).toBeUndefined();
    expect(await store.toolPacks.delete(stranger.id, "tp_1")).toBe(false);
  });

  it("a change of a tool pack leaves everything else as it was", async () => {
    await store.toolPacks.create(pack("tp_2"));
    const changed = await store.toolPacks.update(workspace.id, "tp_2", { categories: null, tools: ["crm_list_deals"] });
    expect(changed).toMatchObject({ ...pack("tp_2"), categories: null, tools: ["crm_list_deals"] });
    expect(await store.toolPacks.delete(workspace.id, "tp_2")).toBe(true);
    expect(await store.toolPacks.get(workspace.id, "tp_2")).toBeUndefined();
  });

  it("a key is found with its tool pack, and the tool pack with its keys", async () => {
    await store.toolPacks.create(pack("tp_3"));
    expect(await key("key_3", "tp_3")).toMatchObject({ tool_pack_id: "tp_3" });
    const { workspace_id: _, ...own } = pack("tp_3");
    expect(await store.keys.byHash("hash of key_3")).toMatchObject({
      key: { id: "key_3", name: "key_3", tool_pack_id: "tp_3", workspace_id: workspace.id },
      workspace: { name: "acme" },
      toolPack: own,
    });
    expect(await store.toolPacks.users(workspace.id, "tp_3")).toEqual([
      { kind: "API key", id: "key_3", name: "key_3" },
    ]);
    expect(await store.toolPacks.users(stranger.id, "tp_3")).toEqual([]);
  });

  it("a key with a tool pack has the scope mcp alone, and none for a process of the previous version", async () => {
    await store.toolPacks.create(pack("tp_5"));
    const hash = "hash of key_5";
    const values = { id: "key_5", workspace_id: workspace.id, name: null, prefix: "sk", hash };
    await store.keys.create({ ...values, scopes: ["*"], tool_pack_id: "tp_5" });
    expect((await store.keys.byHash(hash))?.key.scopes).toEqual(["mcp"]);
    expect(await database.run("select scopes from api_keys where id = 'key_5'")).toEqual([{ scopes: "[]" }]);
  });

  it("a key whose tool pack is missing is unknown", async () => {
    await key("key_4", "tp_none");
    expect(await store.keys.byHash("hash of key_4")).toBeUndefined();
  });

  it(`a workspace has at most ${MAX_TOOL_PACKS} tool packs`, async () => {
    for (let index = 0; index < MAX_TOOL_PACKS; index++)
      await store.toolPacks.create(pack(`tp_full_${index}`, stranger.id));
    await expect(store.toolPacks.create(pack("tp_over", stranger.id))).rejects.toMatchObject({ kind: "conflict" });
  });
});
