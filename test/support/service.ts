import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withPort } from "../../src/commands/start.ts";
import type { Config } from "../../src/config.ts";
import type { Store } from "../../src/contracts/store.ts";
import { newApiKey, newId } from "../../src/runtime/ids.ts";
import { createLogger } from "../../src/runtime/logger.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { type Catalogue, createService, type Service } from "../../src/service.ts";

export interface TestService {
  url: string;
  config: Config;
  /** Of the workspace `sandbox`, which is there from the start. */
  apiKey: string;
  clientId: string;
  /** Ids by provider. */
  connections: Record<string, string>;
  integrations: Record<string, string>;
  sandbox: Sandbox;
  store: Store;
  /** Makes another workspace and returns a key of it. */
  createWorkspace(name: string): Promise<string>;
  /** What the service is made of, for a look behind HTTP. */
  parts: Service;
  /** All that was logged so far, a line for each entry. */
  logs(): string;
  close(): Promise<void>;
}

export interface TestServiceOptions {
  /** As on the command line. */
  env?: Record<string, string>;
  /** Instead of the registry's providers. */
  catalogue?: Catalogue;
}

/** The whole service with the sandbox on, on a port and in a folder of its own. */
export async function startService({ env = {}, catalogue }: TestServiceOptions = {}): Promise<TestService> {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-"));
  const encryption = env.DATABASE_URL ? { ENCRYPTION_KEY: randomBytes(32).toString("base64") } : {};
  const config = await withPort({ PORT: "0", DATA_DIR: folder, LOG_LEVEL: "trace", ...encryption, ...env });
  let logged = "";
  const log = createLogger(config.logLevel, {
    write(line: string) {
      logged += line;
    },
  });
  const parts = await createService(config, log, catalogue);
  const url = await parts.listen();
  const { host, file } = parts.sandbox!;
  return {
    url,
    config,
    apiKey: file.api_key,
    clientId: file.client_id,
    connections: file.connections,
    integrations: file.integrations,
    sandbox: host,
    store: parts.store,
    createWorkspace: (name) => createWorkspace(parts.store, name),
    parts,
    logs: () => logged,
    async close() {
      await parts.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function createWorkspace(store: Store, name: string): Promise<string> {
  const workspace = await store.workspaces.create({
    id: newId("ws"),
    name,
    client_id: newId("client"),
    redirect_uris: [],
  });
  const { key, hash, prefix } = newApiKey();
  await store.keys.create({ id: newId("key"), workspace_id: workspace.id, name: null, prefix, hash });
  return key;
}
