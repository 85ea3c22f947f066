import { Fault, invalidInput } from "../../contracts/fault.ts";
import type { BoundOperation, PathParameter } from "../../contracts/operation.ts";
import { BoundedMap } from "../../runtime/bounded-map.ts";

const MAX_REMEMBERED = 10_000;
const TTL_MS = 5 * 60_000;
/** Leaves calls of the request's budget for the operation itself. */
export const MAX_LOOKUP_CALLS = 15;

type NamedParameter = PathParameter & { name: string };
type PathParams = Record<string, string>;

/** All records of another list of the same connection, within `MAX_LOOKUP_CALLS`. */
export type ListAll = (operation: string) => AsyncIterable<unknown>;

const isShort = ({ name, shortName }: NamedParameter, pathParams: PathParams) =>
  shortName !== undefined && !pathParams[name]!.includes(shortName.unless);

async function find({ name, source, shortName }: NamedParameter, value: string, listAll: ListAll): Promise<string> {
  const { field, unless } = shortName!;
  const matches: string[] = [];
  for await (const record of listAll(source.operation)) {
    const { [field]: short, [source.field]: full } = record as Record<string, unknown>;
    if (short === value || String(full).endsWith(unless + value)) matches.push(String(full));
  }
  if (matches.length === 1) return matches[0]!;
  if (matches.length === 0)
    throw new Fault("record_missing", `nothing is named "${value}" on this connection: use the full name`);
  throw invalidInput({
    path: ["params", name],
    message: `"${value}" matches several: ${matches.join(", ")}. Use the full name, URL-encoded`,
  });
}

/** Finds the full name behind a short one, or the connection's own user, once, and remembers it for the connection. */
export function createLookups(now?: () => number) {
  const remembered = new BoundedMap<string>(MAX_REMEMBERED, TTL_MS, now);

  return {
    /** Whether a path parameter has to be looked up at all. */
    needed: (operation: BoundOperation, pathParams: PathParams): boolean =>
      operation.parameters.some((parameter) => isShort(parameter, pathParams)),

    /** The path parameters with full names. `account` changes whenever the connection's credentials do. */
    async resolve(
      account: string,
      operation: BoundOperation,
      pathParams: PathParams,
      listAll: ListAll,
    ): Promise<PathParams> {
      const resolved = { ...pathParams };
      for (const parameter of operation.parameters) {
        if (!isShort(parameter, pathParams)) continue;
        const value = pathParams[parameter.name]!;
        const key = JSON.stringify([account, operation.category, parameter.name, value]);
        let full = remembered.get(key);
        if (full === undefined) {
          full = await find(parameter, value, listAll);
          remembered.set(key, full);
        }
        resolved[parameter.name] = full;
      }
      return resolved;
    },

    /** The ID of the connection's own user. */
    async me(account: string, load: () => Promise<string>): Promise<string> {
      const key = JSON.stringify([account, "me"]);
      let id = remembered.get(key);
      if (id === undefined) {
        id = await load();
        remembered.set(key, id);
      }
      return id;
    },
  };
}
