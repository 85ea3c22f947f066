import { hash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withPort } from "../../src/commands/start.ts";
import { type Config, readConfig } from "../../src/config/index.ts";
import type { Store } from "../../src/contracts/store.ts";
import { createLogger } from "../../src/runtime/logger.ts";
import type { Sandbox } from "../../src/sandbox/index.ts";
import { type Catalogue, createService, type Service } from "../../src/service.ts";
import { watchAnswers } from "./declared-answers.ts";
import { createWorkspace } from "./workspace.ts";

export interface TestService {
  url: string;
  config: Config;
  /** Of the ready-made workspace `sandbox`. */
  apiKey: string;
  clientId: string;
  /** Ids by provider. */
  connections: Record<string, string>;
  integrations: Record<string, string>;
  sandbox: Sandbox;
  store: Store;
  /** Creates another workspace and returns its API key. */
  createWorkspace(name: string): Promise<string>;
  /** The parts of the service, for tests that look behind HTTP. */
  parts: Service;
  /** Everything logged so far, one line per entry. */
  logs(): string;
  close(): Promise<void>;
}

export interface TestServiceOptions {
  /** Environment variables. */
  env?: Record<string, string>;
  /** Replaces the registry. */
  catalogue?: Partial<Catalogue>;
}

/** With these, a service does not begin with the sandbox's workspace in an embedded store. */
const OTHER_STORES = /^(DATA_DIR|DATABASE_URL|ENCRYPTION_KEY|SANDBOX)/;
type DataFile = [name: string, content: Buffer];
let template: Promise<DataFile[]> | undefined;

/** The files of a service that was started once, which save the others of this process half of their start. */
async function makeTemplate(): Promise<DataFile[]> {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-"));
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: "silent" });
  await (await createService(config, createLogger(config.logLevel))).stop();
  const files = readdirSync(folder).map((name): DataFile => [name, readFileSync(join(folder, name))]);
  rmSync(folder, { recursive: true });
  return files;
}

/** The whole service with the sandbox enabled, in this process, on a free port and in a temporary folder. */
export async function startService({ env = {}, catalogue }: TestServiceOptions = {}): Promise<TestService> {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-"));
  if (!catalogue && !Object.keys(env).some((name) => OTHER_STORES.test(name))) {
    template ??= makeTemplate();
    for (const [name, content] of await template) writeFileSync(join(folder, name), content, { mode: 0o600 });
  }
  const encryption = env.DATABASE_URL ? { ENCRYPTION_KEY: hash("sha256", env.DATABASE_URL, "base64") } : {};
  const { config, releasePort } = await withPort({
    PORT: "0",
    DATA_DIR: folder,
    LOG_LEVEL: "trace",
    ...encryption,
    ...env,
  });
  // Outside of the heap, whose collections would copy every line.
  const logged: Buffer[] = [];
  const log = createLogger(config.logLevel, { write: (line: string) => void logged.push(Buffer.from(line)) });
  const parts = await createService(config, log, catalogue);
  await releasePort();
  const url = await parts.listen();
  const answers = watchAnswers(url, {
    isBuiltIn: !catalogue && !env.PROVIDERS_DIR,
    headerPrefix: config.headerPrefix,
  });
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
    createWorkspace: async (name) => (await createWorkspace(parts.store, name)).key,
    parts,
    logs: () => Buffer.concat(logged).toString(),
    async close() {
      const undeclared = await answers.undeclared();
      await parts.stop();
      rmSync(folder, { recursive: true, force: true });
      if (undeclared.length > 0) throw new Error(`not in the OpenAPI documents:\n${undeclared.join("\n")}`);
    },
  };
}
