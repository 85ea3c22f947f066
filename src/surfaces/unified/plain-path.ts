import type { BoundOperation } from "../../contracts/operation.ts";

/** A path parameter can be a full path such as `group/subgroup/…/project`. */
export const MAX_PARAMETER_LENGTH = 2_000;

/** A request whose path and query need no decoding. */
export interface PlainRequest<Found> {
  found: Found;
  params: Record<string, string>;
  query: Record<string, string>;
}

interface Route<Found> {
  /** Undefined where the path has a parameter. */
  segments: (string | undefined)[];
  parameters: { index: number; name: string }[];
  found: Found;
}

/** What stands for itself in a URL: https://www.rfc-editor.org/rfc/rfc3986#section-2.3 */
const UNRESERVED = /^[\w.~-]+$/;
const PLAIN_QUERY = /^(?:[\w.~-]+=[\w.~-]*(?:&|$))+$/;

/** Undefined if a parameter comes twice. */
function parseQuery(query: string): Record<string, string> | undefined {
  const parsed: Record<string, string> = {};
  for (let start = 0; start < query.length; ) {
    const equals = query.indexOf("=", start);
    const next = query.indexOf("&", equals);
    const end = next < 0 ? query.length : next;
    const name = query.slice(start, equals);
    if (name in parsed) return undefined;
    parsed[name] = query.slice(equals + 1, end);
    start = end + 1;
  }
  return parsed;
}

/**
 * Finds the route of most requests without Fastify's router: those whose path and query need no decoding. All others are
 * left to it, so that there is only one place that decodes.
 */
export function createPlainRoutes<Found>(prefix: string, routes: { operation: BoundOperation; found: Found }[]) {
  const fixed = new Map<string, Found>();
  const byLength = new Map<number, Route<Found>[]>();
  for (const { operation, found } of routes) {
    const path = prefix + operation.route;
    const segments = path.split("/");
    const parameters = segments.flatMap((segment, index) =>
      segment.startsWith(":") ? [{ index, name: segment.slice(1) }] : [],
    );
    if (parameters.length === 0) fixed.set(path, found);
    else {
      const route = { segments: segments.map((one) => (one.startsWith(":") ? undefined : one)), parameters, found };
      byLength.set(segments.length, [...(byLength.get(segments.length) ?? []), route]);
    }
  }

  function findByParts(path: string): Omit<PlainRequest<Found>, "query"> | undefined {
    const parts = path.split("/");
    for (const { segments, parameters, found } of byLength.get(parts.length) ?? []) {
      if (!segments.every((segment, index) => segment === undefined || segment === parts[index])) continue;
      const params: Record<string, string> = {};
      for (const { index, name } of parameters) {
        const value = parts[index]!;
        // `fields` may be the end of another route.
        if (value.length > MAX_PARAMETER_LENGTH || !UNRESERVED.test(value) || value === "fields") return undefined;
        params[name] = value;
      }
      return { found, params };
    }
    return undefined;
  }

  return (url: string): PlainRequest<Found> | undefined => {
    const mark = url.indexOf("?");
    const path = mark < 0 ? url : url.slice(0, mark);
    const text = mark < 0 ? "" : url.slice(mark + 1);
    if (text !== "" && !PLAIN_QUERY.test(text)) return undefined;
    const query = parseQuery(text);
    if (!query) return undefined;
    const found = fixed.get(path);
    if (found !== undefined) return { found, params: {}, query };
    const route = findByParts(path);
    return route && { ...route, query };
  };
}
