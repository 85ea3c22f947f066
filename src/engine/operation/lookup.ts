import { Fault, invalidInput } from "../../contracts/fault.ts";
import type { BoundOperation, PathParameter } from "../../contracts/operation.ts";
import type { Maybe } from "../maybe.ts";

const REMEMBERED = 10_000;
const LIFE_MS = 5 * 60_000;
/** Leaves calls of the request's budget for the operation itself. */
export const MOST_LOOKUP_CALLS = 15;

type Named = PathParameter & { name: string };

/** Walks a list of the same connection; stops early at its own bound. */
export type WalkAll = (operation: string) => AsyncIterable<any>;

/** Finds the full name behind a short one, once, and remembers it for the connection. */
export function createLookups() {
  const remembered = new Map<string, { value: string; at: number }>();

  async function find(parameter: Named, value: string, walk: WalkAll): Promise<string> {
    const { name, source, shortName } = parameter;
    const { field, unless } = shortName!;
    const matches: string[] = [];
    for await (const record of walk(source.operation))
      if (record[field] === value || String(record[source.field]).endsWith(unless + value))
        matches.push(record[source.field]);
    if (matches.length === 1) return matches[0]!;
    if (matches.length === 0)
      throw new Fault("not_found", `nothing named "${value}" on this connection: give the full name`);
    throw invalidInput({
      path: ["params", name],
      message: `several match "${value}": ${matches.join(", ")}. Give the full name, URL-encoded`,
    });
  }

  const isShort = ({ name, shortName }: Named, params: Record<string, string>) =>
    shortName !== undefined && !params[name]!.includes(shortName.unless);

  async function resolveShort(
    connectionId: string,
    operation: BoundOperation,
    params: Record<string, string>,
    walk: () => WalkAll,
  ): Promise<Record<string, string>> {
    for (const parameter of operation.parameters) {
      if (!isShort(parameter, params)) continue;
      const { name } = parameter;
      const value = params[name]!;
      const key = JSON.stringify([connectionId, operation.category, name, value]);
      let known = remembered.get(key);
      if (!known || Date.now() - known.at > LIFE_MS) {
        known = { value: await find(parameter, value, walk()), at: Date.now() };
        remembered.delete(key);
        remembered.set(key, known);
        if (remembered.size > REMEMBERED) remembered.delete(remembered.keys().next().value!);
      }
      params = { ...params, [name]: known.value };
    }
    return params;
  }

  /** The parameters with full names; at once where they are full already. */
  return (
    connectionId: string,
    operation: BoundOperation,
    params: Record<string, string>,
    walk: () => WalkAll,
  ): Maybe<Record<string, string>> =>
    operation.parameters.some((parameter) => isShort(parameter, params))
      ? resolveShort(connectionId, operation, params, walk)
      : params;
}
