import type { BoundOperation } from "../../contracts/operation.ts";
import type { Implementation, Provider } from "../../contracts/provider.ts";
import type { ConnectionContext } from "../connection/connection-context.ts";

/** Which implementation each provider has for an operation. */
export function createImplementations(providers: Iterable<Provider>) {
  const index = new Map<Provider, Map<string, Implementation>>();
  for (const provider of providers)
    index.set(
      provider,
      new Map(
        provider.categories.flatMap(({ category, operations }) =>
          Object.entries(operations).map(([name, implementation]) => [`${category}.${name}`, implementation]),
        ),
      ),
    );

  const find = (connection: ConnectionContext, operationId: string) => index.get(connection.provider)?.get(operationId);

  /** The connection at the provider that implements an operation: its own, or one of the same login. */
  function serving(connection: ConnectionContext, operationId: string): ConnectionContext {
    if (connection.relatives.length === 0 || find(connection, operationId)) return connection;
    const relative = connection.relatives.find((provider) => index.get(provider)?.has(operationId));
    return relative ? connection.at(relative) : connection;
  }

  return {
    find,
    serving,
    findServing: (connection: ConnectionContext, { id }: BoundOperation) => find(serving(connection, id), id),
  };
}
