import type { EmulatedRoute } from "../contracts/emulator.ts";
import type { Manifest } from "../contracts/manifest.ts";

export interface Route {
  handle: EmulatedRoute<unknown>;
  /** Needs no token. */
  open: boolean;
  /** Takes a body that is not parsed. */
  takesFile?: boolean;
}

export interface Match extends Route {
  /** Values of the `:name` segments, as sent. */
  values: Record<string, string>;
}

interface Pattern extends Route {
  expression: RegExp;
  names: string[];
}

const NO_VALUES = {};

/** `/repos/:owner/files/:path*`; a colon in the middle of a segment (`/spaces:search`) is just a colon. */
function compile(path: string, route: Route): Pattern {
  const names: string[] = [];
  const source = path
    .split(/((?<=\/):\w+\*?)/)
    .map((part, index) => {
      if (index % 2 === 0) return RegExp.escape(part);
      const rest = part.endsWith("*");
      names.push(part.slice(1, rest ? -1 : undefined));
      return rest ? "(.*)" : "([^/]+)";
    })
    .join("");
  return { ...route, expression: new RegExp(`^${source}$`), names };
}

/** Matches a method and path: first paths without `:name`, then the others in the order of the table. */
export function compileRoutes(table: Record<string, Route>) {
  const methods = new Map<string, { exact: Map<string, Match>; patterns: Pattern[] }>();
  for (const [key, route] of Object.entries(table)) {
    const [, method, path] = /^([A-Z]+) (\/.*)$/.exec(key) ?? [];
    if (!method || !path) throw new Error(`"${key}" is not a route: write it like "GET /path/:name"`);
    const routes = methods.get(method) ?? { exact: new Map<string, Match>(), patterns: [] };
    methods.set(method, routes);
    if (path.includes("/:")) routes.patterns.push(compile(path, route));
    else routes.exact.set(path, { ...route, values: NO_VALUES });
  }

  return function match(method: string, path: string): Match | undefined {
    const routes = methods.get(method === "HEAD" ? "GET" : method);
    if (!routes) return undefined;
    const exact = routes.exact.get(path);
    if (exact) return exact;
    for (const pattern of routes.patterns) {
      const found = pattern.expression.exec(path);
      if (!found) continue;
      const values = Object.fromEntries(pattern.names.map((name, index) => [name, found[index + 1]!]));
      const { handle, open, takesFile = false } = pattern;
      return { handle, open, takesFile, values };
    }
    return undefined;
  };
}

/** The path of one of a manifest's addresses. The origin may be a setting: `{instance_url}/services`. */
export function addressPath(address: string): string {
  const [, path = ""] = /^(?:[a-z]+:\/\/[^/?]*|\{\w+\})([^?]*)/.exec(address) ?? [];
  return path.replace(/\/+$/, "");
}

/** The path of an address as a route: `{tenant}` becomes `:tenant`. */
export const addressRoute = (address: string): string => addressPath(address).replace(/\{(\w+)\}/g, ":$1") || "/";

/** Paths of a self-hosted server, each an alias of the provider's own path. */
export function selfHostedPaths(
  manifest: Manifest,
  settings: Record<string, string>,
): { alias: string; path: string }[] {
  return Object.entries(manifest.selfHosted ?? {}).flatMap(([name, alias]) => {
    const address = manifest.addresses[name];
    if (address === undefined) return [];
    const path = addressPath(address).replace(/\{(\w+)\}/g, (_, setting: string) => settings[setting] ?? setting);
    return alias === path ? [] : [{ alias: alias.replace(/\/+$/, ""), path }];
  });
}
