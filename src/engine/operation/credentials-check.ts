import { ProviderFailure } from "../../contracts/fault.ts";
import { checkCall } from "../../contracts/manifest.ts";
import { BoundedMap } from "../../runtime/bounded-map.ts";
import type { ConnectionContext } from "../connection/connection-context.ts";
import type { CallWithRetries } from "../http/attempts.ts";
import { Cancellation } from "../http/cancellation.ts";
import type { Transport } from "../http/transport.ts";
import { createUpstream } from "./upstream.ts";

/** A client waits for it, whose own call is answered already. */
const TIMEOUT_MS = 3_000;
/** A connection is checked at most once in this time: an outcome counts for that long. */
const INTERVAL_MS = 30_000;
const MAX_CONNECTIONS = 10_000;

/** What the answer says about the credentials is the question itself. */
const NO_TOKENS = {
  noteStatus: () => undefined,
  isRefreshable: () => false,
  refreshRefusedToken: async () => undefined,
  refusedAgain: () => {},
};

/**
 * Whether the provider's API refuses a connection's credentials altogether: a 401 may also be about what was asked for,
 * or come from a server that takes other tokens. The manifest's `check` decides. No client's rate limit counts it.
 */
export function createCredentialsCheck(transport: Pick<Transport, "buffer">, callWithRetries: CallWithRetries) {
  const call = createUpstream(transport, callWithRetries, NO_TOKENS);
  const outcomes = new BoundedMap<Promise<boolean>>(MAX_CONNECTIONS, INTERVAL_MS);

  async function ask(connection: ConnectionContext): Promise<boolean> {
    const { manifest } = connection.provider;
    // Its 401 is always about the token: https://modelcontextprotocol.io/specification/2025-11-25/basic/authorization
    if (manifest.mcpOnly) return true;
    const check = checkCall(manifest, connection.integration.type);
    // Then nobody can tell: the client sees each refusal itself.
    if (!check) return false;
    const client = new Cancellation();
    const timer = setTimeout(() => client.cancel(), TIMEOUT_MS);
    const run = { connection, maxRetries: 0, repeatable: true, calls: 0, bytes: 0, client };
    try {
      await call(run, check);
      return false;
    } catch (error) {
      return error instanceof ProviderFailure && error.status === 401;
    } finally {
      clearTimeout(timer);
    }
  }

  return function isRefusedByApi(connection: ConnectionContext): Promise<boolean> {
    const { id, updated_at } = connection.record;
    // Other credentials are another question.
    const key = `${id} ${updated_at}`;
    const known = outcomes.get(key);
    if (known) return known;
    const asked = ask(connection);
    outcomes.set(key, asked);
    return asked;
  };
}
