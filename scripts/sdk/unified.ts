// The SDK's part for the Unified API: a method and its types for every operation of the table.
import { bodyName, sdkMethod } from "../../src/categories/sdk-method.ts";
import type { BoundOperation } from "../../src/contracts/operation.ts";
import { offeredField } from "../../src/surfaces/unified/offered-fields.ts";
import { aboutOf, camelCase, type JsonSchema, pascalCase } from "./schema.ts";
import { FIELDS_ABOUT, fieldsPlace, isNumber, recordOf, recordsOf, schemaOf } from "./table.ts";
import { comment, declareType, members, objectLiteral, typeOf } from "./types.ts";

const HEADER = `// Written by \`npm run gen\` from the table of operations. Do not edit.
import type { UnifiedCalls } from "./calls.ts";
import type { List } from "./list.ts";
import type { Result } from "./result.ts";
import { path } from "./transport.ts";
import type {
  AtLeastOne,
  Content,
  CustomValues,
  Download,
  ListOptions,
  ListQuery,
  RequestOptions,
  UploadOptions,
} from "./types.ts";
`;

const queryName = ({ category, name }: BoundOperation) => `${pascalCase(category)}${pascalCase(name)}Query`;

const bodyTypes = (operations: readonly BoundOperation[]) =>
  operations.flatMap((operation) =>
    operation.body ? [declareType(bodyName(operation), operation.body as JsonSchema)] : [],
  );

const hasQuery = ({ query }: BoundOperation) => Object.keys(query).length > 0;

const queryTypes = (operations: readonly BoundOperation[]) =>
  operations.filter(hasQuery).map((operation) => {
    const base = operation.kind === "list" ? " extends ListQuery" : "";
    const about = comment(`Parameters of ${operation.id}`);
    return `${about}export interface ${queryName(operation)}${base} {\n${members(schemaOf(operation.query), "  ")}}\n`;
  });

const hasCustom = (record: JsonSchema) => record.properties?.custom !== undefined;

/** `custom` has the type that the caller knows it to have. */
const CUSTOM = "<Custom extends object = CustomValues>";

const declareRecord = (title: string, schema: JsonSchema) =>
  hasCustom(schema)
    ? declareType(`${title}${CUSTOM}`, schema).replace("  custom: Record<string, unknown>;", "  custom: Custom;")
    : declareType(title, schema);

const paramsOf = (operation: BoundOperation, all: readonly BoundOperation[]) =>
  operation.parameters.map(
    (one) => `${camelCase(one.name)}: ${isNumber(one, operation, all) ? "number | string" : "string"}`,
  );

const pathOf = ({ route }: BoundOperation, end = "") =>
  `path\`${route.replace(/:(\w+)/g, (_, name: string) => `\${${camelCase(name)}}`)}${end}\``;

function method(operation: BoundOperation, all: readonly BoundOperation[]): string {
  const { kind } = operation;
  const params = paramsOf(operation, all);
  const path = pathOf(operation);
  const generic = hasCustom(recordOf(operation));
  const record = `${typeOf(recordOf(operation))}${generic ? "<Custom>" : ""}`;
  const query = hasQuery(operation) ? queryName(operation) : "ListQuery";
  const mark = schemaOf(operation.query).required!.length > 0 ? "" : "?";
  const write = `record("${operation.method}", ${path}, { body, options })`;
  const [own, result, call] = {
    list: [[`query${mark}: ${query}`], `List<${record}>`, `list(${path}, query, options)`],
    one: [[], `Result<${record}>`, `record("GET", ${path}, { options })`],
    create: [[`body: ${bodyName(operation)}`], `Result<${record}>`, write],
    update: [[`body: ${bodyName(operation)}`], `Result<${record}>`, write],
    send: [[`body: ${bodyName(operation)}`], `Result<${record}>`, write],
    download: [[], "Result<Download>", `download(${path}, options)`],
    upload: [
      ["content: Content", `query: ${query}`],
      `Result<${record}>`,
      `record("POST", ${path}, { content, query, options })`,
    ],
  }[kind] as [string[], string, string];
  const options = { list: "ListOptions", upload: "UploadOptions" }[kind as string] ?? "RequestOptions";
  return `${generic ? CUSTOM : ""}(${[...params, ...own, `options?: ${options}`].join(", ")}): ${result} =>\n      calls.${call}`;
}

/** What the records of a list can have as custom fields. */
const fieldsMethod = (operation: BoundOperation, all: readonly BoundOperation[]) =>
  `(${[...paramsOf(operation, all), "options?: RequestOptions"].join(", ")}): Result<OfferedField[]> =>\n      calls.record("GET", ${pathOf(operation, "/fields")}, { options })`;

export function unifiedMethods(operations: readonly BoundOperation[]): string {
  const methods = operations.flatMap((operation) => [
    { place: sdkMethod(operation), about: aboutOf(operation), code: method(operation, operations) },
    ...(operation.kind === "list"
      ? [{ place: fieldsPlace(operation), about: FIELDS_ABOUT, code: fieldsMethod(operation, operations) }]
      : []),
  ]);
  const records = [
    ...recordsOf(operations).map(([title, schema]) => declareRecord(title, schema)),
    declareType("OfferedField", offeredField as JsonSchema),
  ];
  const types = [...records, ...bodyTypes(operations), ...queryTypes(operations)];
  return `${HEADER}
${types.join("\n")}
export const unifiedMethods = (calls: UnifiedCalls) => ({
${objectLiteral(methods)}});
`;
}
