// The SDK's part for the Platform API, from its OpenAPI document.
import { namedSchemas, type PlatformDocument, type Route, routesOf } from "./platform-document.ts";
import { camelCase, pascalCase } from "./schema.ts";
import { declareType, members, objectLiteral, typeOf } from "./types.ts";

const HEADER = `// Written by \`npm run gen\` from the OpenAPI document of the Platform API. Do not edit.
import type { PlatformCalls } from "./calls.ts";
import type { List } from "./list.ts";
import type { Result } from "./result.ts";
import { path } from "./transport.ts";
import type { RequestOptions } from "./types.ts";
`;

const queryName = ({ operationId }: Route) => `${pascalCase(operationId)}Query`;

function code(route: Route): string {
  const { query, body, result, list } = route;
  const params = route.params.map((name) => `${camelCase(name)}: string`);
  const template = `path\`${route.path.replace(/\{(\w+)\}/g, (_, name: string) => `\${${camelCase(name)}}`)}\``;
  const own = query ? [`query${query.required!.length > 0 ? "" : "?"}: ${queryName(route)}`] : [];
  if (list) {
    const parameters = [...params, ...own, "options?: RequestOptions"].join(", ");
    const kind = list.paging === "log" ? `log(${template}` : `list(${template}, "${list.paging}"`;
    return `(${parameters}): List<${typeOf(list.entry)}> =>\n      calls.${kind}, ${query ? "query" : "{}"}, options)`;
  }
  const bodies = body ? [`body: ${typeOf(body)}`] : [];
  const parts = [...(query ? ["query"] : []), ...(body ? ["body"] : []), "options"].join(", ");
  const parameters = [...params, ...bodies, ...own, "options?: RequestOptions"].join(", ");
  const returned = `Result<${result ? typeOf(result) : "void"}>`;
  return `(${parameters}): ${returned} =>\n      calls.call("${route.method}", ${template}, { ${parts} })`;
}

export function platformMethods(document: PlatformDocument): string {
  const routes = routesOf(document);
  const methods = routes.map((route) => ({ place: route.place, about: route.about, code: code(route) }));
  const types = [
    ...Object.entries(namedSchemas(document)).map(([name, schema]) => declareType(name, schema)),
    ...routes.flatMap((route) =>
      route.query ? [`export interface ${queryName(route)} {\n${members(route.query, "  ")}}\n`] : [],
    ),
  ];
  return `${HEADER}
${types.join("\n")}
export const platformMethods = (calls: PlatformCalls) => ({
${objectLiteral(methods)}});
`;
}
