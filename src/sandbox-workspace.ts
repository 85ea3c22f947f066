import { hash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { operations } from "./categories/index.ts";
import type { Config, Urls } from "./config/index.ts";
import type { AuthType } from "./contracts/authentication.ts";
import type { Coordination, Lock } from "./contracts/coordination.ts";
import type { Integration, Workspace } from "./contracts/entities.ts";
import { authTypes } from "./contracts/manifest.ts";
import type { Provider } from "./contracts/provider.ts";
import type { Store } from "./contracts/store.ts";
import { SANDBOX } from "./engine/index.ts";
import { newApiKey, newId } from "./runtime/ids.ts";
import type { Sandbox } from "./sandbox/index.ts";

/** What a workspace needs to use every emulated provider. */
export interface SandboxContent {
  /** Connection ids by provider. */
  connections: Record<string, string>;
  /** Integration ids by provider. */
  integrations: Record<string, string>;
}

/** The content of `DATA_DIR/sandbox.json`. */
export interface SandboxFile extends SandboxContent {
  api_key: string;
  client_id: string;
  urls: Urls;
}

interface FillOptions {
  store: Store;
  coordination: Coordination;
  sandbox: Sandbox;
  /** The providers that have an emulator. */
  providers: readonly Provider[];
}

interface SandboxWorkspaceOptions extends FillOptions {
  config: Pick<Config, "dataDir" | "urls">;
}

/** A fixed secret, so that sandbox tokens stay valid after a restart. The emulated providers have no real data. */
export const SANDBOX_SECRET = Buffer.from("plugboard sandbox");
export const SANDBOX_WORKSPACE = "sandbox";
/** Of the connections that earlier versions created. */
const OLD_EXTERNAL_ID = "sandbox";
const LOCK_TTL_MS = 30_000;
const LOCK_POLL_MS = 50;

export const sandboxFile = (dataDir: string) => join(dataDir, "sandbox.json");

/**
 * Makes sure that the sandbox's workspace exists with a key, and with an integration and a connection for every
 * emulated provider. Later starts only create what is missing.
 */
export async function prepareSandboxWorkspace(options: SandboxWorkspaceOptions): Promise<SandboxFile> {
  const { coordination, config } = options;
  return locked(coordination, async () => {
    const content = await prepare(options);
    writeFile(sandboxFile(config.dataDir), content);
    return content;
  });
}

/** Adds what is missing in a workspace: an integration and a connection for every emulated provider. */
export const fillWorkspace = (options: FillOptions, workspace: Workspace): Promise<SandboxContent> =>
  locked(options.coordination, () => fill(options, workspace));

/** Processes that do this at the same time must not create anything twice. */
async function locked<Result>(coordination: Coordination, work: () => Promise<Result>): Promise<Result> {
  const lock = await waitForLock(coordination);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

async function waitForLock(coordination: Coordination): Promise<Lock> {
  for (;;) {
    const lock = await coordination.lock("sandbox-workspace", LOCK_TTL_MS);
    if (lock) return lock;
    await wait(LOCK_POLL_MS);
  }
}

async function prepare(options: SandboxWorkspaceOptions): Promise<SandboxFile> {
  const { store, config } = options;
  const known = await knownKey(store, config.dataDir);
  const workspace =
    known?.workspace ??
    (await store.workspaces.byName(SANDBOX_WORKSPACE)) ??
    (await store.workspaces.create({
      id: newId("ws"),
      name: SANDBOX_WORKSPACE,
      client_id: newId("client"),
      redirect_uris: [],
    }));
  return {
    api_key: known?.api_key ?? (await createKey(store, workspace)),
    client_id: workspace.client_id,
    urls: config.urls,
    ...(await fill(options, workspace)),
  };
}

async function fill({ store, sandbox, providers }: FillOptions, workspace: Workspace): Promise<SandboxContent> {
  const content: SandboxContent = { connections: {}, integrations: {} };
  for (const provider of providers) {
    const { id } = provider.manifest;
    const integration = await integrationFor(store, workspace, provider);
    content.integrations[id] = integration.id;
    // An integration that was changed to use the real provider must not get made-up tokens.
    if (integration.base_url === SANDBOX)
      content.connections[id] = await connectionFor(store, sandbox, workspace, integration, provider);
  }
  return content;
}

/** The key that an earlier start wrote to the file, and its workspace, which may have another name by now. */
async function knownKey(store: Store, dataDir: string) {
  try {
    const { api_key } = JSON.parse(readFileSync(sandboxFile(dataDir), "utf8")) as SandboxFile;
    const found = await store.keys.byHash(hash("sha256", api_key));
    return found && { api_key, workspace: found.workspace };
  } catch {
    return undefined;
  }
}

async function createKey(store: Store, workspace: Workspace): Promise<string> {
  const { key, hash, prefix } = newApiKey();
  await store.keys.create({ id: newId("key"), workspace_id: workspace.id, name: "sandbox", prefix, hash });
  return key;
}

async function integrationFor(store: Store, workspace: Workspace, { manifest }: Provider): Promise<Integration> {
  const all = await store.integrations.ofProvider(workspace.id, manifest.id);
  const existing = all.find(({ base_url }) => base_url === SANDBOX) ?? all[0];
  if (existing) return existing;
  const types = authTypes(manifest);
  const type: AuthType = types.includes("oauth2") ? "oauth2" : types[0]!;
  const client = type === "oauth2" ? { client_id: "sandbox", client_secret: "sandbox" } : undefined;
  return store.integrations.create({
    id: newId("int"),
    workspace_id: workspace.id,
    identifier: manifest.id,
    name: null,
    type,
    client_id: client?.client_id ?? null,
    client_secret: client?.client_secret ?? null,
    scopes: null,
    base_url: SANDBOX,
    mcp_url: null,
  });
}

async function connectionFor(
  store: Store,
  sandbox: Sandbox,
  workspace: Workspace,
  integration: Integration,
  { manifest }: Provider,
): Promise<string> {
  const name = `${manifest.name} sandbox`;
  for (const external_id of [name, OLD_EXTERNAL_ID]) {
    const filter = { integration_id: integration.id, external_id };
    const [existing] = await store.connections.list(workspace.id, { offset: 0, limit: 1 }, filter);
    if (existing) return existing.id;
  }
  const { credentials, settings, expires_in } = sandbox.credentials(integration.identifier, integration.type);
  const created = await store.connections.create({
    id: newId("conn"),
    workspace_id: workspace.id,
    integration_id: integration.id,
    integration_identifier: integration.identifier,
    external_id: name,
    credentials,
    settings,
    metadata: null,
    is_valid: true,
    invalid_reason: null,
    expires_at: expires_in === undefined ? null : new Date(Date.now() + expires_in * 1000).toISOString(),
    refreshed_at: null,
  });
  return created.id;
}

function writeFile(file: string, content: SandboxFile): void {
  mkdirSync(join(file, ".."), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(temporary, file);
}

/**
 * A curl command that works as printed: the first list without path parameters, of the provider whose manifest has
 * `firstCall`, so that it stays the same when providers are added; without one, of the first provider that has a list.
 */
export function exampleCall(
  { api_key, connections, urls }: Pick<SandboxFile, "api_key" | "connections" | "urls">,
  providers: readonly Provider[],
  headerPrefix: string,
): string | undefined {
  const inOrder = providers.toSorted(
    (one, other) => Number(!one.manifest.firstCall) - Number(!other.manifest.firstCall),
  );
  for (const { manifest, categories } of inOrder) {
    const supported = categories.flatMap(({ category, operations }) =>
      Object.keys(operations).map((name) => `${category}.${name}`),
    );
    const operation = operations.find(
      ({ id, kind, parameters }) => kind === "list" && parameters.length === 0 && supported.includes(id),
    );
    const connection = connections[manifest.id];
    if (!operation || !connection) continue;
    return [
      `curl '${urls.unified}${operation.route}?limit=3'`,
      `-H 'Authorization: Bearer ${api_key}'`,
      `-H '${headerPrefix}Connection-ID: ${connection}'`,
    ].join(" ");
  }
  return undefined;
}
