import type { ConnectedAccount } from "../contracts/entities.ts";
import type { BoundOperation } from "../contracts/operation.ts";
import type { ConnectionContext } from "./connection/connection-context.ts";
import { Cancellation } from "./http/cancellation.ts";
import type { createRunner } from "./operation/run.ts";

/** A user waits for it, who can do without. */
const TIMEOUT_MS = 3_000;
const MAX_LENGTH = 500;

const textOrNull = (value: unknown) => (typeof value === "string" && value !== "" ? value.slice(0, MAX_LENGTH) : null);

interface AccountReaderOptions {
  runner: Pick<ReturnType<typeof createRunner>, "run" | "supports">;
  /** The operation that returns the account of a connection, if there is one. */
  operation: BoundOperation | undefined;
}

/**
 * Reads whose account a new connection belongs to. A provider that does not offer that, fails or takes too long costs
 * the connection nothing but the account.
 */
export function createAccountReader({ runner, operation }: AccountReaderOptions) {
  return async function readAccount(connection: ConnectionContext): Promise<ConnectedAccount | null> {
    if (!operation || !runner.supports(connection, operation)) return null;
    const client = new Cancellation();
    const timer = setTimeout(() => client.cancel(), TIMEOUT_MS);
    try {
      const request = { operation, connection, pathParams: {}, query: {}, limit: 1, maxRetries: 0, client };
      const { id, name, email } = (await runner.run(request)).data as Record<string, unknown>;
      const account = { id: textOrNull(id), name: textOrNull(name), email: textOrNull(email) };
      return (account.id ?? account.name ?? account.email) ? account : null;
    } catch {
      return null;
    } finally {
      clearTimeout(timer);
    }
  };
}
