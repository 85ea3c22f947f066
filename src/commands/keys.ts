import { commandEntry } from "../command-entry.ts";
import { type Config, ConfigError, readConfig } from "../config/index.ts";
import { MAX_KEY_EXPIRY, type Scope, scopes, TOOL_PACK_SCOPES } from "../contracts/access.ts";
import { type ApiKey, MAX_WORKSPACE_NAME_LENGTH, WORKSPACE_NAME, type Workspace } from "../contracts/entities.ts";
import type { Store } from "../contracts/store.ts";
import { parseTime } from "../contracts/time.ts";
import { createCoordination } from "../coordination/index.ts";
import { keyFile } from "../open-store.ts";
import { newApiKey, newId } from "../runtime/ids.ts";
import { rotateKeyFile } from "../store/secrets/key-source.ts";
import { table } from "./table.ts";
import { readArgs, UsageError } from "./usage.ts";
import { findWorkspaces, type StoreContext, withStore } from "./with-store.ts";

const PAGE_SIZE = 100;

const actions: Record<string, (args: string[]) => Promise<void>> = {
  create,
  list,
  revoke,
  "rotate-encryption": rotateEncryption,
};

export async function run([name = "", ...args]: string[]): Promise<void> {
  const action = actions[name];
  if (!action) throw new UsageError(`keys needs one of ${Object.keys(actions).join(", ")}`);
  await action(args);
}

async function create(args: string[]): Promise<void> {
  const { values } = readArgs({
    args,
    options: {
      workspace: { type: "string" },
      name: { type: "string" },
      scopes: { type: "string" },
      expires: { type: "string" },
      "external-id": { type: "string" },
      "tool-pack": { type: "string" },
      sandbox: { type: "boolean" },
      json: { type: "boolean" },
    },
  });
  const given = values.workspace ?? "";
  const name = given.trim();
  if (!name) throw new UsageError("keys create needs --workspace NAME");
  // Without them the key could do more: an empty one is a variable of a script that is not set.
  for (const option of ["external-id", "tool-pack"] as const)
    if (values[option]?.trim() === "") throw new UsageError(`--${option} must not be empty`);
  const permissions = {
    name: values.name?.trim() || null,
    ...(values.scopes === undefined ? {} : { scopes: readScopes(values.scopes) }),
    ...(values.expires === undefined ? {} : { expires_at: readExpiry(values.expires) }),
    ...(values["external-id"] ? { external_id: values["external-id"] } : {}),
    ...(values["tool-pack"] ? limitedTo(values["tool-pack"], values.scopes) : {}),
  };
  const config = readConfig(process.env);
  if (values.sandbox && !config.sandbox)
    throw new ConfigError(["SANDBOX: must be on or public with --sandbox, not off; so must it be for the service"]);
  // Before anything is stored: it may be invalid.
  const emulated = values.sandbox ? await (await import("./keys-sandbox.ts")).loadEmulated(config) : undefined;
  const work = async (context: StoreContext) => {
    const { store } = context;
    const { byName } = store.workspaces;
    // An earlier version stored names with spaces around them.
    const known = (await byName(given)) ?? (await byName(name));
    const { tool_pack_id } = permissions;
    if (tool_pack_id !== undefined && !(known && (await store.toolPacks.get(known.id, tool_pack_id))))
      throw new Error(`there is no tool pack ${tool_pack_id} in the workspace "${name}"`);
    const workspace = known ?? (await createWorkspace(store, name));
    const content = await emulated?.connectSandbox(context, workspace);
    if (content)
      await store.audit.append(
        commandEntry(COMMAND, workspace.id, { action: "workspace.connect_sandbox", id: workspace.id }),
      );
    // Last, because a key that is not printed is of no use to anybody.
    const { key, hash, prefix } = newApiKey();
    const values = { id: newId("key"), workspace_id: workspace.id, prefix, hash, ...permissions };
    await store.change(
      workspace.id,
      ({ keys }) => keys.create(values),
      ({ id }) => commandEntry(COMMAND, workspace.id, { action: "key.create", id, changes: Object.keys(permissions) }),
    );
    return { created: { workspace: workspace.name, client_id: workspace.client_id, api_key: key }, content };
  };
  const { created, content } = await withStore(work, { create: true });
  if (values.json) return console.log(JSON.stringify({ ...created, ...content }));
  const { workspace, client_id, api_key } = created;
  console.log(`Workspace  ${workspace}\nClient ID  ${client_id}\nAPI key    ${api_key}\n`);
  console.log("Save the key now: it is not shown again.\n");
  const next = emulated && content ? emulated.firstCall({ ...content, api_key }) : nextSteps(config, workspace);
  console.log(next.join("\n"));
}

const COMMAND = "keys create";

async function createWorkspace(store: Store, name: string): Promise<Workspace> {
  if ([...name].length > MAX_WORKSPACE_NAME_LENGTH || !new RegExp(WORKSPACE_NAME, "u").test(name))
    throw new UsageError(
      `--workspace must be 1 to ${MAX_WORKSPACE_NAME_LENGTH} characters, without control characters such as line breaks`,
    );
  const id = newId("ws");
  return store.change(
    id,
    ({ workspaces }) => workspaces.create({ id, name, client_id: newId("client"), redirect_uris: [] }),
    commandEntry(COMMAND, id, { action: "workspace.create", id, changes: ["name"] }),
  );
}

function readScopes(text: string): Scope[] {
  const given = text.split(",").map((scope) => scope.trim());
  const unknown = given.filter((scope) => !(scopes as readonly string[]).includes(scope));
  if (unknown.length > 0)
    throw new UsageError(`--scopes: ${unknown.join(", ")} is unknown; there are ${scopes.join(", ")}`);
  return given as Scope[];
}

/** A key with a tool pack works only for Unified MCP. */
function limitedTo(tool_pack_id: string, scopes: string | undefined) {
  if (scopes !== undefined && scopes.trim() !== TOOL_PACK_SCOPES.join(","))
    throw new UsageError(`--scopes must be ${TOOL_PACK_SCOPES.join(",")} with --tool-pack, or left out`);
  return { tool_pack_id, scopes: [...TOOL_PACK_SCOPES] };
}

const UNIT_MS: Record<string, number> = { h: 3_600_000, d: 86_400_000 };

/** A time from now, such as `90d` or `12h`, or a date and time as in the API. */
function readExpiry(text: string): string {
  const [, count, unit = ""] = /^(\d{1,5})([hd])$/.exec(text) ?? [];
  const at = count === undefined ? Date.parse(parseTime(text) ?? "") : Date.now() + Number(count) * UNIT_MS[unit]!;
  if (Number.isNaN(at) || at <= Date.now() || at > MAX_KEY_EXPIRY)
    throw new UsageError(
      "--expires must be a time from now, such as 90d or 12h, or a date in the future, before 2200, such as 2030-01-31 or 2030-01-31T12:00:00Z",
    );
  return new Date(at).toISOString();
}

const nextSteps = ({ urls, sandbox, localUrl }: Config, workspace: string): string[] => [
  `Next, create an integration with POST ${urls.platform}/v1/integrations, then connect an account: see docs/connecting.md.`,
  sandbox
    ? `To try it with emulated providers first: npx plugboard keys create --workspace ${shellQuote(workspace)} --sandbox`
    : `All calls are described at ${localUrl}/docs.`,
];

const shellQuote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

async function list(args: string[]): Promise<void> {
  const { values } = readArgs({ args, options: { workspace: { type: "string" }, json: { type: "boolean" } } });
  const found = await withStore(async ({ store }) => {
    const workspaces = await findWorkspaces(store, values.workspace);
    return (await Promise.all(workspaces.map((workspace) => listKeys(store, workspace)))).flat();
  });
  if (values.json) return console.log(JSON.stringify(found, null, 2));
  if (found.length === 0)
    return console.log("There are no keys. To create one: plugboard keys create --workspace NAME");
  console.log(
    table(
      ["ID", "WORKSPACE", "KEY", "NAME", "SCOPES", "CREATED", "LAST USED", "EXPIRES"],
      found.map((key) => [
        key.id,
        key.workspace,
        `${key.prefix}…`,
        key.name ?? "",
        key.scopes.join(" "),
        key.created_at,
        key.last_used_at ?? "never",
        key.expires_at ?? "never",
      ]),
    ),
  );
}

async function listKeys(store: Store, workspace: Workspace) {
  const keys: ApiKey[] = [];
  for (let page: ApiKey[] = [], offset = 0; offset === 0 || page.length === PAGE_SIZE; offset += PAGE_SIZE) {
    page = await store.keys.list(workspace.id, { offset, limit: PAGE_SIZE });
    keys.push(...page);
  }
  return keys.map(({ id, workspace_id: _, ...key }) => ({ id, workspace: workspace.name, ...key }));
}

async function revoke(args: string[]): Promise<void> {
  const { positionals } = readArgs({ args, options: {}, allowPositionals: true });
  const [id, ...others] = positionals;
  if (!id || others.length > 0) throw new UsageError("keys revoke needs the ID of one key, as shown by keys list");
  await withStore(async ({ store, config, log }) => {
    for (const workspace of await store.workspaces.list()) {
      const hash = await store.change(
        workspace.id,
        ({ keys }) => keys.delete(workspace.id, id),
        commandEntry("keys revoke", workspace.id, { action: "key.delete", id }),
      );
      if (!hash) continue;
      // With Redis, a running service is notified immediately. Without it, the service notices within seconds.
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
  const { encryptionKey, encryptionKeyCommand, dataDir } = readConfig(process.env);
  const isGiven = Boolean(encryptionKey || encryptionKeyCommand);
  // If the keys are given, the operator has already put the new one first.
  if (!isGiven) {
    // A key is added only to a file that has the database's key.
    await withStore(async () => {});
    rotateKeyFile(keyFile(dataDir));
  }
  const count = await withStore(async ({ store }) => {
    // First, so that there is no rotation without its entry.
    await store.audit.append(commandEntry("keys rotate-encryption", null, { action: "encryption.rotate", id: null }));
    return store.reencrypt((done) => {
      if (process.stderr.isTTY) process.stderr.write(`\r${done} secrets re-encrypted`);
    });
  });
  if (process.stderr.isTTY) process.stderr.write("\r");
  console.log(
    `${count} secrets are now encrypted with the ${isGiven ? `first key in ENCRYPTION_KEY${encryptionKeyCommand ? "_COMMAND" : ""}` : "new key"}`,
  );
}
