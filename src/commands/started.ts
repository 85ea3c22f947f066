import type { Config } from "../config/index.ts";
import type { Store } from "../contracts/store.ts";
import type { Logger } from "../runtime/logger.ts";
import type { SandboxFile } from "../sandbox-workspace.ts";

/** A service that is ready. */
export interface Started {
  config: Config;
  /** The address on which it listens. */
  url: string;
  log: Logger;
  /** For the link that signs in to the dashboard. */
  store(): Promise<Store>;
  /** The file `sandbox.json`, if the sandbox is on. */
  sandbox?: { path: string; content: SandboxFile } | undefined;
}

export const readyLine = ({ url, config: { workers } }: Started): string =>
  `Plugboard is ready at ${url}${workers > 1 ? ` with ${workers} workers` : ""}`;
