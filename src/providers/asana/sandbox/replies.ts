import { type EmulatedRequest, refuse, reply } from "../../../emulator-kit/index.ts";

const HELP =
  "For more information on API status codes and how to handle them, read the docs on errors: https://developers.asana.com/docs/errors";

export const errorReply = (status: number, message: string, headers?: Record<string, string>) =>
  reply(status, { errors: [{ message, help: HELP }] }, headers);

export const unknownObject = (parameter: string, gid: unknown) =>
  /^\d+$/.test(String(gid))
    ? errorReply(404, `${parameter}: Unknown object: ${gid}`)
    : errorReply(400, `${parameter}: Not a recognized ID: ${gid}`);

/** The record with this id, which a parameter or a field of the request has. */
export const findBy = <Item extends { gid: string }>(items: Item[], parameter: string, gid: unknown): Item =>
  items.find((item) => item.gid === gid) ?? refuse(unknownObject(parameter, gid));

/** Fields by their paths. A record always has its id, and one in another only its type besides, by default. */
function selectFields(value: unknown, paths: string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => selectFields(one, paths));
  if (typeof value !== "object" || value === null) return value;
  const wanted = ["gid", ...(paths.length > 0 ? paths : ["resource_type"])];
  const below = (name: string) =>
    wanted.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));
  const found = Object.entries(value).filter(([name]) => wanted.includes(name) || below(name).length > 0);
  return Object.fromEntries(found.map(([name, inner]) => [name, selectFields(inner, below(name))]));
}

/** A record with the requested fields. https://developers.asana.com/docs/inputoutput-options */
export function shown(record: object, { query }: EmulatedRequest, compact?: string): unknown {
  const requested = query.get("opt_fields") ?? compact;
  return requested === undefined ? { ...record } : selectFields(record, requested.split(","));
}
