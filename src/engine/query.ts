import type { Query } from "../contracts/http.ts";

/** The query of a path, with its question mark; empty where there is nothing to say. `last` wins over `query`. */
export function queryString(query: Query, last?: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(last ? { ...query, ...last } : query)) {
    if (value === null || value === undefined) continue;
    if (Array.isArray(value)) for (const one of value) parameters.append(name, String(one));
    // A client's own parameters may hold anything that JSON can.
    else parameters.append(name, typeof value === "object" ? JSON.stringify(value) : String(value));
  }
  const text = parameters.toString();
  return text && `?${text}`;
}
