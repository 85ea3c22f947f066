// The tables of docs/access.md: presets of API keys, and what each scope allows by what the routes declare.
import type { Scope } from "../src/contracts/access.ts";
import type { BoundOperation } from "../src/contracts/operation.ts";
import { CODE_ACCESS } from "../src/surfaces/auth/exchange-code.ts";
import { PROXY_ACCESS } from "../src/surfaces/proxy/index.ts";
import { MCP_ACCESS } from "../src/surfaces/shared/forwarding.ts";
import { keyPresets, scopeGroups } from "../src/surfaces/shared/key-presets.ts";
import { accessTo } from "../src/surfaces/unified/access.ts";
import { code, table } from "./markdown.ts";
import type { PlatformDocument } from "./sdk/platform-document.ts";

const presets = () =>
  table(
    ["Job", "Scopes", "What it may do"],
    keyPresets.map(({ title, scopes, text }) => [title, scopes.map(code).join(", "), text]),
  );

function scopes(operations: readonly BoundOperation[], { paths }: PlatformDocument): string {
  const calls = new Map<Scope, Set<string>>();
  const add = (scope: Scope, call: string) => {
    if (!calls.has(scope)) calls.set(scope, new Set());
    calls.get(scope)!.add(call);
  };
  for (const [scope, some] of Map.groupBy(operations, (operation) => accessTo(operation).scope))
    add(scope, `Unified operations of the kinds ${[...new Set(some.map(({ kind }) => code(kind)))].join(", ")}`);
  add(PROXY_ACCESS.scope, code("/proxy/…"));
  for (const path of ["/mcp", "/unified/v1/mcp"]) add(MCP_ACCESS.scope, code(path));
  add(CODE_ACCESS.scope, code("POST /auth/connection"));
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { security = [] }] of Object.entries(methods))
      for (const scope of security[0]?.bearer ?? []) add(scope, code(`${method.toUpperCase()} /platform${path}`));
  return table(
    ["Scope", "Allows", "Calls"],
    scopeGroups.flatMap(([group, members]) =>
      members.map(([scope, text]) => [code(scope), `${group}: ${text}`, [...(calls.get(scope) ?? [])].join(", ")]),
    ),
  );
}

/** The page with its tables written again, each between the comments around it. */
export function withAccessTables(page: string, operations: readonly BoundOperation[], platform: PlatformDocument) {
  const tables = { presets: presets(), scopes: scopes(operations, platform) };
  return Object.entries(tables).reduce((text, [name, content]) => {
    const start = `<!-- ${name}: written by \`npm run gen\` -->\n`;
    const [before, after] = text.split(start);
    if (after === undefined) throw new Error(`docs/access.md has no place for the table of ${name}`);
    return `${before}${start}\n${content}\n\n${after.slice(after.indexOf("<!-- end -->"))}`;
  }, page);
}
