import { beforeAll, expect, it } from "vitest";
import { describeDatabases } from "../../test/support/databases.ts";
import { newConnection, newIntegration } from "../../test/support/entities.ts";
import type { Workspace } from "../contracts/entities.ts";
import { MAX_OWN_PROVIDERS, type Store } from "../contracts/store.ts";

await describeDatabases("providers of a workspace", (database) => {
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

  const provider = (id: string, document: string, workspace_id = workspace.id) => ({ workspace_id, id, document });

  it("a provider belongs to its workspace: another may have a different one of the same id", async () => {
    expect(await store.providers.create(provider("acme", '{"a":1}'))).toMatchObject({
      id: "acme",
      document: '{"a":1}',
    });
    expect(await store.providers.create(provider("acme", '{"a":2}'))).toBeUndefined();
    await store.providers.create(provider("acme", '{"a":3}', stranger.id));
    expect((await store.providers.get(workspace.id, "acme"))?.document).toBe('{"a":1}');
    expect((await store.providers.list(stranger.id)).map(({ document }) => document)).toEqual(['{"a":3}']);
    expect(await store.providers.delete(stranger.id, "acme")).toBe(true);
    expect(await store.providers.delete(stranger.id, "acme")).toBe(false);
    expect(await store.providers.get(workspace.id, "acme")).toBeDefined();
  });

  it("a provider is replaced only if nobody else has changed it since it was read", async () => {
    await store.providers.create(provider("shared", '{"a":1}'));
    const read = (await store.providers.get(workspace.id, "shared"))!;
    const changed = await store.providers.replace(read, '{"a":2}');
    expect(changed?.document).toBe('{"a":2}');
    expect(await store.providers.replace(read, '{"a":3}')).toBeUndefined();
    expect((await store.providers.get(workspace.id, "shared"))?.document).toBe('{"a":2}');
  });

  it("a connection is loaded with its workspace's own provider, if there is one", async () => {
    const integration = await store.integrations.create(
      newIntegration({ workspace_id: workspace.id, identifier: "own" }),
    );
    const connection = newConnection({
      workspace_id: workspace.id,
      integration_id: integration.id,
      integration_identifier: "own",
    });
    await store.connections.create(connection);
    await store.providers.create(provider("own", '{"of":"stranger"}', stranger.id));
    expect((await store.connections.load(connection.id))?.provider).toBeUndefined();
    await store.providers.create(provider("own", '{"of":"workspace"}'));
    expect((await store.connections.load(connection.id))?.provider).toEqual(provider("own", '{"of":"workspace"}'));
  });

  it(`a workspace has at most ${MAX_OWN_PROVIDERS} providers, even if several are created at the same time`, async () => {
    const { id } = await store.workspaces.create({ id: "ws_full", name: "full", client_id: "full", redirect_uris: [] });
    const create = (index: number) => store.providers.create(provider(`p${index}`, "{}", id));
    for (let index = 0; index < MAX_OWN_PROVIDERS - 1; index++) await create(index);
    const last = await Promise.allSettled([create(1001), create(1002), create(1003)]);
    expect(last.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(await store.providers.list(id)).toHaveLength(MAX_OWN_PROVIDERS);
  });
});
