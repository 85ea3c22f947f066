import type { StoredProvider } from "../../contracts/entities.ts";
import type { Provider } from "../../contracts/provider.ts";
import type { Store } from "../../contracts/store.ts";
import { BoundedMap } from "../../runtime/bounded-map.ts";

/** Of a document's provider, so that its connections share one. */
const MAX_READ_DOCUMENTS = 1_000;

export interface ProvidersOptions {
  store: Pick<Store, "providers">;
  /** Those of every workspace. */
  shared: readonly Provider[];
  /** Makes a provider from a document that was checked before it was stored. */
  readDocument(document: string): Provider;
}

type OwnProvider = Pick<StoredProvider, "workspace_id" | "id" | "document">;

/** The providers of a workspace: its own documents, then those that every workspace has. */
export function createProviders({ store, shared, readDocument }: ProvidersOptions) {
  const sharedById: ReadonlyMap<string, Provider> = new Map(shared.map((provider) => [provider.manifest.id, provider]));
  const read = new BoundedMap<{ document: string; provider: Provider }>(MAX_READ_DOCUMENTS);

  function ownProvider({ workspace_id, id, document }: OwnProvider): Provider {
    const key = `${workspace_id} ${id}`;
    const known = read.get(key);
    if (known?.document === document) return known.provider;
    const provider = readDocument(document);
    read.set(key, { document, provider });
    return provider;
  }

  /** The provider of an id, if it is known whether the workspace has one of its own. */
  const known = (own: OwnProvider | undefined, id: string): Provider | undefined =>
    own ? ownProvider(own) : sharedById.get(id);

  return {
    shared: sharedById,
    known,

    async of(workspaceId: string, id: string): Promise<Provider | undefined> {
      return known(await store.providers.get(workspaceId, id), id);
    },

    /** All of them by id. */
    async all(workspaceId: string): Promise<ReadonlyMap<string, Provider>> {
      const own = await store.providers.list(workspaceId);
      if (own.length === 0) return sharedById;
      return new Map([...sharedById, ...own.map((one) => [one.id, ownProvider(one)] as const)]);
    },
  };
}

export type Providers = ReturnType<typeof createProviders>;
