// Checks an exchange against one of Google's discovery documents.
import type { ObservedExchange } from "./index.ts";
import { createSchemaReader, type Schema } from "./schema.ts";

function methodsOf(node: Schema): Schema[] {
  return [
    ...Object.values<Schema>(node.methods ?? {}),
    ...Object.values<Schema>(node.resources ?? {}).flatMap(methodsOf),
  ];
}

/** The first part of an upload of several parts describes the file. */
const metadataOf = (body: unknown): unknown =>
  typeof body === "string" ? JSON.parse(body.match(/\r\n\r\n([\s\S]*?)\r\n--/)![1]!) : body;

export function createDiscoveryChecker(document: Schema) {
  const reader = createSchemaReader(document, true);
  const methods = methodsOf(document).map((method) => {
    const template: string = method.flatPath ?? method.path;
    const pattern = template.replace(/[.*^$()|[\]\\]/g, "\\$&").replace(/\{\+?[^}]+\}/g, "([^/]+)");
    return { method, template, expression: new RegExp(`(^|/)${pattern}$`) };
  });

  return function check({ path, request, reply }: ObservedExchange): string[] | undefined {
    const found = methods.find((one) => one.method.httpMethod === request.method && one.expression.test(path));
    if (!found) return undefined;
    const { method, template } = found;
    const problems: string[] = [];
    const known: Schema = { ...document.parameters, ...method.parameters };
    for (const [name, value] of request.query) {
      const parameter = known[name];
      if (!parameter) problems.push(`query ${name} is not described`);
      else if (parameter.type === "integer" && !/^-?\d+$/.test(value)) problems.push(`query ${name} is not an integer`);
      else if (parameter.enum && !parameter.enum.includes(value))
        problems.push(`query ${name} is not one of the described values`);
    }
    const body = method.mediaUpload ? metadataOf(request.body) : request.body;
    if (body !== undefined && method.request) {
      problems.push(...reader.check(method.request, body).map((text) => `body${text}`));
      problems.push(...reader.unknown(method.request, body).map((text) => `body${text}`));
    }
    // With `alt=media`, the reply is the file itself.
    const isFile = method.supportsMediaDownload && request.query.get("alt") === "media";
    if (reply.status < 300 && method.response && reply.body !== undefined && !isFile)
      for (const text of [...reader.check(method.response, reply.body), ...reader.unknown(method.response, reply.body)])
        problems.push(`reply${text}`);
    return problems.map((text) => `${request.method} ${template} ${text}`);
  };
}
