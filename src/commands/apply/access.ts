import { readFileSync } from "node:fs";
import { commandEntry } from "../../command-entry.ts";
import { type Config, ConfigError, readConfig } from "../../config/index.ts";
import type { Scope } from "../../contracts/access.ts";
import type { Workspace } from "../../contracts/entities.ts";
import type { Store } from "../../contracts/store.ts";
import { defaultWorkspace } from "../../dashboard-link.ts";
import { newApiKey, newId } from "../../runtime/ids.ts";
import { httpAddress, UsageError } from "../usage.ts";
import { withStore } from "../with-store.ts";

const COMMAND = "apply";
const KEY_TTL_MS = 15 * 60_000;
const SCOPES: Scope[] = ["workspace:write", "integrations:write", "events:write", "providers:write", "keys:write"];

export interface AccessOptions {
  url?: string | undefined;
  "key-file"?: string | undefined;
  workspace?: string | undefined;
}

interface Access {
  /** Of the Platform API. */
  url: string;
  key: string;
}

/** Works with the Platform API, by the given key or by a key of its own for the service of this machine. */
export async function withAccess<Result>(
  options: AccessOptions,
  env: NodeJS.ProcessEnv,
  work: (access: Access) => Promise<Result>,
): Promise<Result> {
  const address = givenAddress(options, env);
  const key = options["key-file"] === undefined ? env.PLUGBOARD_API_KEY?.trim() : readKey(options["key-file"]);
  if (key && options.workspace !== undefined)
    throw new UsageError("--workspace is not used with a key: it has a workspace");
  if (address && !key)
    throw new UsageError("apply needs PLUGBOARD_API_KEY or --key-file FILE for the service at this address");
  if (address) return work({ url: address, key: key! });
  const config = readConfig(env);
  if (config.port === 0 && !env.PLATFORM_URL)
    throw new ConfigError(["PORT: must be the port of the running service, not 0"]);
  const url = config.urls.platform;
  return key ? work({ url, key }) : withOwnKey(env, options.workspace, (own) => work({ url, key: own }));
}

/** The Platform API, or the service that has it. */
function givenAddress({ url }: AccessOptions, { PLUGBOARD_URL }: NodeJS.ProcessEnv): string | undefined {
  if (url !== undefined) return httpAddress(url, "--url").replace(/\/+$/, "");
  return PLUGBOARD_URL && `${httpAddress(PLUGBOARD_URL, "PLUGBOARD_URL").replace(/\/+$/, "")}/platform`;
}

function readKey(file: string): string {
  try {
    const key = readFileSync(file, "utf8").trim();
    if (!key) throw new Error("it is empty");
    return key;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`--key-file: cannot read ${file}: ${code ?? message}`);
  }
}

/** Whoever can open the database can also create keys. This one ends with the command, or soon after. */
const withOwnKey = <Result>(
  env: NodeJS.ProcessEnv,
  name: string | undefined,
  work: (key: string) => Promise<Result>,
): Promise<Result> =>
  withStore(
    async ({ store, config }) => {
      const { id: workspace_id } = await findWorkspace(store, config, name);
      const { key, hash, prefix } = newApiKey();
      const id = newId("key");
      const expires_at = new Date(Date.now() + KEY_TTL_MS).toISOString();
      const values = { id, workspace_id, prefix, hash, name: `plugboard ${COMMAND}`, scopes: SCOPES, expires_at };
      await store.change(
        workspace_id,
        ({ keys }) => keys.create(values),
        commandEntry(COMMAND, workspace_id, { action: "key.create", id, changes: ["name", "scopes", "expires_at"] }),
      );
      try {
        return await work(key);
      } finally {
        await store.change(
          workspace_id,
          ({ keys }) => keys.delete(workspace_id, id),
          commandEntry(COMMAND, workspace_id, { action: "key.delete", id }),
        );
      }
    },
    { env },
  );

async function findWorkspace(store: Store, config: Config, name: string | undefined): Promise<Workspace> {
  const found = name === undefined ? await defaultWorkspace(store, config) : await store.workspaces.byName(name);
  if (found) return found;
  throw name === undefined
    ? new UsageError("apply needs --workspace NAME, PLUGBOARD_API_KEY or --key-file FILE")
    : new Error(`there is no workspace "${name}". To create it: plugboard keys create --workspace NAME`);
}
