import { StatementSync } from "node:sqlite";
import pg from "pg";
import { vi } from "vitest";

export interface RecordedStatement {
  text: string;
  parameters: readonly unknown[];
  /** How many rows it has changed; 0 for a query. */
  changed: number;
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

/** Calls the listener with every statement that the drivers of both databases have run, until mocks are restored. */
export function recordStatements(listener: (statement: RecordedStatement) => void): void {
  const watch = (
    owner: object,
    name: string,
    read: (self: unknown, args: unknown[], result: any) => RecordedStatement,
  ) => {
    const methods = owner as Record<string, AnyFunction>;
    const original = methods[name]!;
    vi.spyOn(methods, name).mockImplementation(function (this: unknown, ...args) {
      const result = original.apply(this, args);
      if (!(result instanceof Promise)) {
        if (this instanceof StatementSync) listener(read(this, args, result));
        return result;
      }
      return result.then((settled) => {
        if (typeof args[0] === "string") listener(read(this, args, settled));
        return settled;
      });
    });
  };
  const ofSqlite = (self: unknown, parameters: unknown[], result: { changes?: number | bigint }) => ({
    text: (self as StatementSync).sourceSQL,
    parameters,
    changed: Number(result.changes ?? 0),
  });
  watch(StatementSync.prototype, "all", ofSqlite);
  watch(StatementSync.prototype, "run", ofSqlite);
  watch(pg.Client.prototype, "query", (_, [text, parameters], result: pg.QueryResult) => ({
    text: text as string,
    parameters: (parameters as unknown[] | undefined) ?? [],
    changed: result.command === "SELECT" ? 0 : (result.rowCount ?? 0),
  }));
}
