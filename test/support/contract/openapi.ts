// Checks an exchange against an OpenAPI 3 or Swagger 2 description.
import type { Description } from "../../../src/contracts/evidence.ts";
import type { ObservedExchange } from "./index.ts";
import { createSchemaReader, type Schema } from "./schema.ts";

interface Described {
  method: string;
  template: string;
  matches(path: string): boolean;
  /** How many of its segments are literal: the most specific template wins. */
  literals: number;
  operation: Schema;
  parameters: Schema[];
}

const METHODS = ["get", "post", "put", "patch", "delete"];

/** `granted`: the scopes that a token has. If there are none, they are not checked. */
export function createOpenApiChecker(
  document: Schema,
  { replies = {} }: Pick<Description, "replies"> = {},
  granted: readonly string[] = [],
) {
  const reader = createSchemaReader(document);
  const resolve = (node: Schema): Schema =>
    node?.$ref
      ? resolve(
          node.$ref
            .slice(2)
            .split("/")
            .reduce((at: any, part: string) => at?.[part.replaceAll("~1", "/")], document),
        )
      : node;

  const described: Described[] = Object.entries<Schema>(document.paths).flatMap(([template, item]) =>
    METHODS.filter((method) => item[method]).map((method) => {
      const pattern = template.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{[^}]+\}/g, "([^/]+)");
      const expression = new RegExp(`^${pattern}/?$`);
      return {
        method: method.toUpperCase(),
        template,
        matches: (path: string) => expression.test(path),
        literals: template.split("/").filter((part) => !part.includes("{")).length,
        operation: item[method],
        parameters: [...(item.parameters ?? []), ...(item[method].parameters ?? [])].map(resolve),
      };
    }),
  );
  described.sort((one, other) => other.literals - one.literals);

  function requestProblems(found: Described, exchange: ObservedExchange): string[] {
    const problems: string[] = [];
    const names = new Map(found.parameters.filter((one) => one.in === "query").map((one) => [one.name as string, one]));
    for (const [name, value] of exchange.request.query) {
      // `page[size]` may be described as the object `page`.
      const parameter = names.get(name) ?? names.get(name.replace(/\[.*$/, "")) ?? names.get(`${name}[]`);
      if (!parameter) problems.push(`query ${name} is not described`);
      else if (names.has(name)) {
        // Swagger 2 describes the value in the parameter itself.
        const schema = parameter.schema ?? parameter;
        const kind = schema.type ?? resolve(schema)?.type;
        const typed =
          kind === "integer" || kind === "number" ? Number(value) : kind === "boolean" ? value === "true" : value;
        if (kind !== "array" && kind !== "object" && kind !== undefined && parameter.content === undefined)
          problems.push(...reader.check(schema, typed).map((text) => `query ${name}${text}`));
      }
    }
    for (const [name, parameter] of names)
      if (parameter.required && !exchange.request.query.has(name)) problems.push(`query ${name} is missing`);
    const json =
      found.operation.requestBody && resolve(found.operation.requestBody).content?.["application/json"]?.schema;
    const swaggerBody = found.parameters.find((one) => one.in === "body")?.schema;
    const schema = json ?? swaggerBody;
    if (schema && exchange.request.body !== undefined) {
      problems.push(...reader.check(schema, exchange.request.body).map((text) => `body${text}`));
      problems.push(...reader.unknown(schema, exchange.request.body).map((text) => `body${text}`));
    }
    // Swagger 2 lists form fields as parameters.
    const form = found.parameters.filter((one) => one.in === "formData").map((one) => one.name);
    if (form.length > 0 && exchange.request.body && typeof exchange.request.body === "object")
      for (const name of Object.keys(exchange.request.body))
        if (!form.includes(name)) problems.push(`body /${name} is not described`);
    return problems;
  }

  function replyProblems(found: Described, exchange: ObservedExchange): string[] {
    const { status, body } = exchange.reply;
    const range = `${String(status)[0]}XX`;
    const responses = found.operation.responses ?? {};
    const declared =
      responses[status] ??
      responses[range] ??
      responses[range.toLowerCase()] ??
      (status < 300 ? undefined : responses.default);
    if (!declared) return status < 300 && !responses.default ? [`reply ${status} is not described`] : [];
    const response = resolve(declared);
    const content = response.content ?? {};
    const schema =
      replies[`${found.method} ${found.template} ${status}`] ??
      content["application/json"]?.schema ??
      Object.values<Schema>(content)[0]?.schema ??
      response.schema;
    if (!schema || body === undefined || typeof body === "string") return [];
    return [...reader.check(schema, body), ...reader.unknown(schema, body)].map((text) => `reply ${status}${text}`);
  }

  const schemes: Schema = document.components?.securitySchemes ?? document.securityDefinitions ?? {};

  /** An operation may be called with all scopes of one of its requirements. */
  function scopeProblems({ operation }: Described): string[] {
    const requirements: Record<string, string[]>[] = operation.security ?? document.security ?? [];
    const sets = requirements.flatMap((one) =>
      Object.entries(one).flatMap(([name, scopes]) => (schemes[name]?.type === "oauth2" ? [scopes] : [])),
    );
    const isGranted = (scopes: string[]) => scopes.every((scope) => granted.includes(scope));
    if (granted.length === 0 || sets.length === 0 || sets.some(isGranted)) return [];
    return [`needs the scopes ${sets.map((scopes) => scopes.join(" ")).join(", or ")}`];
  }

  return function check(exchange: ObservedExchange): string[] | undefined {
    const { path } = exchange;
    const found = described.find((one) => one.method === exchange.request.method && one.matches(path));
    if (!found) return undefined;
    return [...requestProblems(found, exchange), ...replyProblems(found, exchange), ...scopeProblems(found)].map(
      (text) => `${found.method} ${found.template} ${text}`,
    );
  };
}
