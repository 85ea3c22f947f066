import type { Query } from "../../contracts/upstream.ts";

/** What needs no encoding in a query. */
const PLAIN = /^[\w.*-]*$/;

/** The query of a path, with its question mark; empty where there is nothing to say. `last` wins over `query`. */
export function queryString(query: Query, last?: Query): string {
  let text = "";
  for (const [name, value] of Object.entries(last ? { ...query, ...last } : query)) {
    if (value === null || value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) text += `${text ? "&" : "?"}${parameter(name, one)}`;
  }
  return text;
}

function parameter(name: string, value: unknown): string {
  // A client's own parameters may hold anything that JSON can.
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return PLAIN.test(name) && PLAIN.test(text) ? `${name}=${text}` : new URLSearchParams([[name, text]]).toString();
}
