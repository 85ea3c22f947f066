import type { McpClient } from "../contracts/mcp-grants.ts";
import { BoundedMap } from "../runtime/bounded-map.ts";
import { exactAddress } from "./connection/address.ts";
import { Cancellation } from "./http/cancellation.ts";
import type { Transport } from "./http/transport.ts";

/** Somebody looks at an empty page meanwhile. */
const MAX_MS = 5_000;
const MAX_CACHED = 1_000;
const CACHE_MS = 5 * 60_000;
const MAX_ID_LENGTH = 2_000;
const MAX_REDIRECT_URIS = 50;

/** Why the metadata document of a client cannot be used. */
export class ClientDocumentProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ClientDocumentProblem";
  }
}

interface ClientDocumentOptions {
  /** Checks every address, follows no redirect, and reads no more than metadata has. */
  transport: Pick<Transport, "buffer">;
  /** Whether addresses in a network of one's own may be used, which may be without encryption. */
  allowPrivate: boolean;
}

/** Whether a client ID is the address of a metadata document. */
export const isDocumentAddress = (clientId: string): boolean => /^https?:/i.test(clientId);

/** How a client can authenticate. Some prefer a key of their own, and list that they can do without: ChatGPT, for one. */
const authenticationMethods = (document: Record<string, unknown>): unknown[] => {
  const { token_endpoint_auth_method = "none", token_endpoint_auth_methods_supported: others } = document;
  return [token_endpoint_auth_method, others].flat();
};

/**
 * Reads who a client is from the document at its ID:
 * https://datatracker.ietf.org/doc/draft-ietf-oauth-client-id-metadata-document/
 */
export function createClientDocuments({ transport, allowPrivate }: ClientDocumentOptions) {
  const known = new BoundedMap<McpClient>(MAX_CACHED, CACHE_MS);

  function assertAddress(clientId: string): void {
    const url = clientId.length <= MAX_ID_LENGTH ? URL.parse(clientId) : null;
    const isEncrypted = url?.protocol === "https:" || (allowPrivate && url?.protocol === "http:");
    // Written in any other way, one document would be several clients.
    const isExact = url?.href === clientId && url.pathname !== "/" && !url.hash && !url.username && !url.password;
    if (!isEncrypted || !isExact)
      throw new ClientDocumentProblem("the client_id must be an https address with a path, in its normal form");
  }

  async function load(clientId: string): Promise<Record<string, unknown>> {
    const deadline = new Cancellation();
    const timer = setTimeout(() => deadline.cancel(), MAX_MS);
    try {
      const { origin, path } = exactAddress(clientId);
      const headers = { accept: "application/json", "user-agent": "plugboard" };
      const answer = await transport.buffer({ origin, path, method: "GET", headers }, deadline);
      const text = answer.bytes.toString();
      answer.release();
      if (answer.statusCode !== 200) throw new ClientDocumentProblem(`its address answered ${answer.statusCode}`);
      const body: unknown = JSON.parse(text);
      if (typeof body !== "object" || body === null) throw new ClientDocumentProblem("it is not a JSON object");
      return body as Record<string, unknown>;
    } catch (error) {
      if (error instanceof ClientDocumentProblem) throw error;
      throw new ClientDocumentProblem("it cannot be read");
    } finally {
      clearTimeout(timer);
    }
  }

  return async function readClient(clientId: string): Promise<McpClient> {
    assertAddress(clientId);
    const found = known.get(clientId);
    if (found) return found;
    const document = await load(clientId);
    const { client_id, client_name, redirect_uris } = document;
    if (client_id !== clientId) throw new ClientDocumentProblem("it is about another client");
    if (!authenticationMethods(document).includes("none"))
      throw new ClientDocumentProblem("its token_endpoint_auth_method is not none");
    const isList =
      Array.isArray(redirect_uris) && redirect_uris.length > 0 && redirect_uris.length <= MAX_REDIRECT_URIS;
    if (!isList || !redirect_uris.every((uri) => typeof uri === "string"))
      throw new ClientDocumentProblem("it has no redirect_uris");
    const name = typeof client_name === "string" && client_name.trim() ? client_name : new URL(clientId).host;
    const client = { id: clientId, name, redirect_uris };
    known.set(clientId, client);
    return client;
  };
}
