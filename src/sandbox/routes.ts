import type { EmulatedRoute } from "../contracts/emulator.ts";
import type { Manifest } from "../contracts/manifest.ts";

export interface Route {
  handle: EmulatedRoute<any>;
  /** Needs no token. */
  open: boolean;
}

export interface Match extends Route {
  /** Values of the `:name` parts, as sent. */
  values: Record<string, string>;
}

interface Pattern extends Route {
  expression: RegExp;
  names: string[];
}

const NO_VALUES = {};

/** `/repos/:owner/files/:path*`; a colon in the midst of a segment (`/spaces:search`) is only a colon. */
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

/** Looks a path up by its method: paths without names in one step, the others in the order of the table. */
export function compileRoutes(table: Record<string, Route>) {
  const methods = new Map<string, { fixed: Map<string, Match>; patterns: Pattern[] }>();
  for (const [key, route] of Object.entries(table)) {
    const [, method, path] = /^([A-Z]+) (\/.*)$/.exec(key) ?? [];
    if (!method || !path) throw new Error(`"${key}" is not a route: write it like "GET /path/:name"`);
    const routes = methods.get(method) ?? { fixed: new Map<string, Match>(), patterns: [] };
    methods.set(method, routes);
    if (path.includes("/:")) routes.patterns.push(compile(path, route));
    else routes.fixed.set(path, { ...route, values: NO_VALUES });
  }

  return function match(method: string, path: string): Match | undefined {
    const routes = methods.get(method === "HEAD" ? "GET" : method);
    if (!routes) return undefined;
    const fixed = routes.fixed.get(path);
    if (fixed) return fixed;
    for (const pattern of routes.patterns) {
      const found = pattern.expression.exec(path);
      if (!found) continue;
      const values = Object.fromEntries(pattern.names.map((name, index) => [name, found[index + 1]!]));
      return { handle: pattern.handle, open: pattern.open, values };
    }
    return undefined;
  };
}

/** The path of one of a manifest's addresses. The origin may be a setting: `{instance_url}/services`. */
export function addressPath(address: string): string {
  const [, path = ""] = /^(?:[a-z]+:\/\/[^/?]*|\{\w+\})([^?]*)/.exec(address) ?? [];
  return path.replace(/\/+$/, "");
}

/** The same as a route: `{tenant}` becomes `:tenant`. */
export const addressRoute = (address: string): string => addressPath(address).replace(/\{(\w+)\}/g, ":$1") || "/";

/** Paths of a server of the user's own, each with the provider's own path that it stands for. */
export function selfHostedPaths(manifest: Manifest, settings: Record<string, string>): { own: string; real: string }[] {
  return Object.entries(manifest.selfHosted ?? {}).flatMap(([name, own]) => {
    const address = manifest.addresses[name];
    if (address === undefined) return [];
    const real = addressPath(address).replace(/\{(\w+)\}/g, (_, setting: string) => settings[setting] ?? setting);
    return own === real ? [] : [{ own: own.replace(/\/+$/, ""), real }];
  });
}
