// What `import --from nango` needs. In its own file because it loads every provider.
import { Agent } from "undici";
import { type Config, ConfigError } from "../config/index.ts";
import type { ListedIntegration } from "../contracts/entities.ts";
import type { Store } from "../contracts/store.ts";
import { createConnectors } from "../engine/http/guarded-connector.ts";
import { nangoApi } from "../moving/nango/api.ts";
import { convertNango, createNotes, type Target } from "../moving/nango/convert.ts";
import { nangoDatabase } from "../moving/nango/database.ts";
import type { NangoSource } from "../moving/nango/source.ts";
import { toProvider } from "../provider-document/read.ts";
import { loadRegistry } from "../registry.ts";
import { UsageError } from "./usage.ts";

const PAGE_SIZE = 100;

interface NangoOptions {
  workspace?: string | undefined;
  url?: string | undefined;
  database?: string | undefined;
  environment?: string | undefined;
  "keep-ids": boolean;
}

/** The rows of a workspace that exists, from Nango's API or database. */
export async function readNango(config: Config, store: Store, options: NangoOptions) {
  if (!options.workspace) throw new UsageError("import --from nango needs --workspace NAME");
  const workspace = await store.workspaces.byName(options.workspace);
  if (!workspace)
    throw new Error(`there is no workspace "${options.workspace}"; plugboard keys create --workspace makes one`);
  const source = await openSource(config, options);
  const notes = createNotes();
  try {
    const target = await describeTarget(config, store, workspace.id);
    // All of it before the transaction: Nango may take long to answer.
    const rows = await Array.fromAsync(convertNango(source, target, { keepIds: options["keep-ids"], notes }));
    return { rows, different: "keep" as const, notes: notes.lines() };
  } finally {
    await source.close();
  }
}

async function describeTarget(config: Config, store: Store, workspaceId: string): Promise<Target> {
  const own = (await store.providers.list(workspaceId)).map(({ document }) =>
    toProvider(JSON.parse(document), "workspace"),
  );
  const { providers } = await loadRegistry(config);
  const integrations: ListedIntegration[] = [];
  for (let page: ListedIntegration[] = [], offset = 0; offset === 0 || page.length === PAGE_SIZE; offset += PAGE_SIZE) {
    page = await store.integrations.list(workspaceId, { offset, limit: PAGE_SIZE });
    integrations.push(...page);
  }
  return {
    workspaceId,
    manifestOf: (id) => [...own, ...providers].find(({ manifest }) => manifest.id === id)?.manifest,
    integrationsOf: (id) => integrations.filter(({ identifier }) => identifier === id).map((one) => one.id),
  };
}

async function openSource(config: Config, { url, database, environment }: NangoOptions): Promise<NangoSource> {
  if ((url === undefined) === (database === undefined))
    throw new UsageError("import --from nango needs --url with the address of its API, or --database");
  if (database !== undefined) return nangoDatabase(database, { encryptionKey: config.nangoEncryptionKey, environment });
  if (!URL.canParse(url!)) throw new UsageError("--url must be an address such as https://api.nango.dev");
  if (!config.nangoSecretKey)
    throw new ConfigError(["NANGO_SECRET_KEY: required with --url; the secret key of an environment of Nango"]);
  // The operator gives the address: it may be in their own network.
  const connect = createConnectors({ allowPrivateUpstreams: true, trustedOrigin: undefined, proxy: config.proxy })({});
  return nangoApi(url!, config.nangoSecretKey, new Agent({ connect }));
}
