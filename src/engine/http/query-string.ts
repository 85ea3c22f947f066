import type { Query } from "../../contracts/upstream.ts";

/** Needs no encoding in a query. */
const PLAIN = /^[\w.*-]*$/;

/** A query with its question mark; empty if it has no parameters. `overrides` win over `query`. */
export function queryString(query: Query, overrides?: Query): string {
  const all = overrides ? { ...query, ...overrides } : query;
  let text = "";
  for (const name in all) {
    const value = all[name];
    if (value === null || value === undefined) continue;
    for (const single of Array.isArray(value) ? value : [value])
      text += `${text ? "&" : "?"}${parameter(name, single)}`;
  }
  return text;
}

function parameter(name: string, value: unknown): string {
  // A client's own parameters may be any JSON value.
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return PLAIN.test(name) && PLAIN.test(text) ? `${name}=${text}` : new URLSearchParams([[name, text]]).toString();
}
