import { type Config, readConfig } from "../config.ts";
import type { ApiKey, Workspace } from "../contracts/entities.ts";
import type { Store } from "../contracts/store.ts";
import { createCoordination } from "../coordination/index.ts";
import { keyFile, openStore } from "../open-store.ts";
import { newApiKey, newId } from "../runtime/ids.ts";
import { createLogger, type Logger } from "../runtime/logger.ts";
import { keysFromFile, rotateKeyFile } from "../store/key-source.ts";
import { table } from "./table.ts";
import { readArgs, UsageError } from "./usage.ts";

const PAGE = 100;

const actions: Record<string, (args: string[]) => Promise<void>> = {
  create,
  list,
  revoke,
  "rotate-encryption": rotateEncryption,
};

export async function run([name = "", ...args]: string[]): Promise<void> {
  const action = actions[name];
  if (!action) throw new UsageError(`keys takes one of ${Object.keys(actions).join(", ")}`);
  await action(args);
}

async function create(args: string[]): Promise<void> {
  const { values } = readArgs({ args, options: { workspace: { type: "string" }, json: { type: "boolean" } } });
  const name = values.workspace?.trim();
  if (!name) throw new UsageError("keys create needs --workspace NAME");
  const made = await withStore(async ({ store }) => {
    const workspace =
      (await store.workspaces.byName(name)) ??
      (await store.workspaces.create({ id: newId("ws"), name, client_id: newId("client"), redirect_uris: [] }));
    const { key, hash, prefix } = newApiKey();
    await store.keys.create({ id: newId("key"), workspace_id: workspace.id, name: null, prefix, hash });
    return { workspace: workspace.name, client_id: workspace.client_id, api_key: key };
  });
  if (values.json) return console.log(JSON.stringify(made));
  console.log(
    `Workspace  ${made.workspace}\nClient id  ${made.client_id}\nAPI key    ${made.api_key}\n\nKeep the key: it is not shown again.`,
  );
}

async function list(args: string[]): Promise<void> {
  const { values } = readArgs({ args, options: { workspace: { type: "string" }, json: { type: "boolean" } } });
  const found = await withStore(async ({ store }) => {
    const workspaces = await workspacesNamed(store, values.workspace);
    return (await Promise.all(workspaces.map((workspace) => keysOf(store, workspace)))).flat();
  });
  if (values.json) return console.log(JSON.stringify(found, null, 2));
  if (found.length === 0) return console.log("There are no keys. Make one: plugboard keys create --workspace NAME");
  console.log(
    table(
      ["ID", "WORKSPACE", "KEY", "NAME", "CREATED"],
      found.map((key) => [key.id, key.workspace, `${key.prefix}…`, key.name ?? "", key.created_at]),
    ),
  );
}

async function workspacesNamed(store: Store, name: string | undefined): Promise<Workspace[]> {
  if (name === undefined) return store.workspaces.list();
  const workspace = await store.workspaces.byName(name);
  if (!workspace) throw new Error(`there is no workspace "${name}"`);
  return [workspace];
}

async function keysOf(store: Store, workspace: Workspace) {
  const keys: ApiKey[] = [];
  for (let page: ApiKey[] = [], offset = 0; offset === 0 || page.length === PAGE; offset += PAGE) {
    page = await store.keys.list(workspace.id, { offset, limit: PAGE });
    keys.push(...page);
  }
  return keys.map(({ id, name, prefix, created_at }) => ({ id, workspace: workspace.name, name, prefix, created_at }));
}

async function revoke(args: string[]): Promise<void> {
  const { positionals } = readArgs({ args, options: {}, allowPositionals: true });
  const [id, ...others] = positionals;
  if (!id || others.length > 0) throw new UsageError("keys revoke takes the ID of one key, as keys list shows it");
  await withStore(async ({ store, config, log }) => {
    for (const workspace of await store.workspaces.list()) {
      const hash = await store.keys.delete(workspace.id, id);
      if (!hash) continue;
      // The service learns of it at once over Redis, else when it next looks.
      const coordination = await createCoordination({ redisUrl: config.redisUrl, store, log });
      await coordination.invalidate("key", hash).finally(() => coordination.close());
      return;
    }
    throw new Error(`there is no key ${id}`);
  });
  console.log(`Revoked ${id}`);
}

async function rotateEncryption(args: string[]): Promise<void> {
  readArgs({ args, options: {} });
  const { encryptionKey, dataDir } = readConfig(process.env);
  // With keys in the environment the operator has put the new one first; else it is made here.
  if (!encryptionKey) addKey(keyFile(dataDir));
  const done = await withStore(({ store }) =>
    store.reencrypt((count) => {
      if (process.stderr.isTTY) process.stderr.write(`\r${count} secrets encrypted again`);
    }),
  );
  if (process.stderr.isTTY) process.stderr.write("\r");
  console.log(`${done} secrets are now under the ${encryptionKey ? "first key of ENCRYPTION_KEY" : "new key"}`);
}

function addKey(file: string): void {
  // Makes the first one where there is none yet.
  keysFromFile(file);
  rotateKeyFile(file);
}

async function withStore<Result>(
  work: (parts: { store: Store; config: Config; log: Logger }) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(process.env);
  const log = createLogger("silent");
  const { store } = await openStore(config, log);
  try {
    return await work({ store, config, log });
  } finally {
    await store.close();
  }
}
