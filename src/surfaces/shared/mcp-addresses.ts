import type { Workspace } from "../../contracts/entities.ts";
import { isLoopback } from "../../contracts/network.ts";
import type { Store } from "../../contracts/store.ts";

/** How long it is remembered which workspace the plain address stands for. */
const CACHE_MS = 1_000;

export const MCP_SCOPE = "mcp";

interface McpAddressOptions {
  store: Pick<Store, "workspaces">;
  unifiedUrl: string;
  authUrl: string;
  /** Whether the address of the Unified API is made up from where this process listens. */
  isLocal: boolean;
  /** The name of the sandbox's workspace. */
  sandboxWorkspace: string;
}

/**
 * The addresses of Unified MCP at which people can sign in, and whose workspace each belongs to. Each is a protected
 * resource of its own (RFC 9728): a token is for one of them.
 */
export function createMcpAddresses({ store, unifiedUrl, authUrl, isLocal, sandboxWorkspace }: McpAddressOptions) {
  const plain = `${unifiedUrl}/v1/mcp`;
  const { origin, port } = new URL(plain);
  let only: { at: number; id: Promise<string | undefined> } | undefined;

  /** The only workspace besides the sandbox's, or the sandbox's if there is no other. */
  async function findOnly(): Promise<string | undefined> {
    const all = await store.workspaces.list();
    const own = all.filter(({ name }) => name !== sandboxWorkspace);
    return (own.length === 0 ? all : own.length === 1 ? own : [])[0]?.id;
  }

  function onlyWorkspace(): Promise<string | undefined> {
    if (!only || Date.now() - only.at >= CACHE_MS) {
      const id = findOnly();
      only = { at: Date.now(), id };
      id.catch(() => {
        only = undefined;
      });
    }
    return only.id;
  }

  /** Whether an origin is ours: for a service on this machine, by any name of it. */
  const isOwn = (url: URL) => url.origin === origin || (isLocal && isLoopback(url.hostname) && url.port === port);

  return {
    issuer: `${authUrl}/oauth`,

    /** The address of a workspace, or the plain one. */
    of: (clientId?: string): string => (clientId === undefined ? plain : `${plain}/w/${clientId}`),

    /** The resource that a client names, in our own spelling; undefined if it is not ours. */
    read(given: string): string | undefined {
      const url = URL.parse(given);
      if (!url || url.hash || url.username || url.password || !isOwn(url)) return undefined;
      const address = origin + url.pathname.replace(/\/$/, "");
      const [, clientId] = /^\/w\/([\w-]+)$/.exec(address.slice(plain.length)) ?? [];
      if (!address.startsWith(plain)) return undefined;
      return address === plain || clientId !== undefined ? address : undefined;
    },

    /** Whose accounts an address is for; undefined if nobody can sign in there. */
    async workspace(resource: string): Promise<Workspace | undefined> {
      if (resource !== plain) return store.workspaces.byClientId(resource.slice(`${plain}/w/`.length));
      const id = await onlyWorkspace();
      return id === undefined ? undefined : store.workspaces.get(id);
    },

    /** Where the metadata of a resource is (RFC 9728, 3.1). */
    metadataUrl(resource: string): string {
      const url = new URL(resource);
      return `${url.origin}/.well-known/oauth-protected-resource${url.pathname}`;
    },

    /** The metadata of a resource. A client on this machine gets it in the spelling that it uses itself. */
    metadata(resource: string, host: string | undefined) {
      const asked = host === undefined ? null : URL.parse(`${new URL(resource).protocol}//${host}`);
      const spelled = asked && isOwn(asked) ? asked.origin + new URL(resource).pathname : resource;
      return {
        resource: spelled,
        authorization_servers: [`${authUrl}/oauth`],
        scopes_supported: [MCP_SCOPE],
        bearer_methods_supported: ["header"],
        resource_name: "Plugboard",
      };
    },
  };
}

export type McpAddresses = ReturnType<typeof createMcpAddresses>;
