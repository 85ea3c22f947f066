import Type, { type TObject, type TObjectOptions, type TProperties, type TSchema } from "typebox";
import { isTool, toolName } from "../../../categories/tools.ts";
import { Fault, invalidInput } from "../../../contracts/fault.ts";
import { type BoundOperation, isWrite } from "../../../contracts/operation.ts";
import { IDEMPOTENCY_KEY, inputReader, type UnifiedInput } from "../input.ts";
import { responseSchema } from "../response.ts";
import { unknownArguments, withoutNulls } from "./arguments.ts";
import { cleanTexts, TEXT_IS_DATA } from "./clean-text.ts";

/** An account that a tool can be used with. */
export interface ToolUser {
  /** How a call names it; undefined if there is only this one. */
  account?: string;
  /** The provider's name. */
  provider: string;
  /** The arguments that only this provider requires. */
  requires: readonly string[];
}

/** The body of the Unified API. */
export interface UnifiedBody {
  response: { data: unknown; _raw?: unknown };
}

/** A unified operation as an MCP client sees it. */
export interface Tool {
  operation: BoundOperation;
  name: string;
  /** As the Unified API documents it: `GET /v1/tasks/tasks/{task_id}`. */
  route: string;
  /** Its entry in the result of `tools/list`. Undefined if all of the users require an argument that is hidden. */
  define(users: readonly ToolUser[]): Record<string, unknown> | undefined;
  /** Validates a call's arguments by the rules of the Unified API. `headers` are those of the HTTP request. */
  read(args: Record<string, unknown>, headers: Record<string, unknown>, meta: Record<string, unknown>): UnifiedInput;
  /** What a model gets of the body of the Unified API. */
  show<Body extends UnifiedBody>(body: Body): Body;
}

/** Whether an account can be used with a tool: not if it requires an argument that is hidden. */
export const worksWith = (tool: Tool, user: ToolUser): boolean =>
  user.requires.length === 0 || tool.define([user]) !== undefined;

/** The entries of tools in the result of `tools/list`, each for its users. */
export const defineTools = (tools: readonly { tool: Tool; users: readonly ToolUser[] }[]) =>
  tools.map(({ tool, users }) => tool.define(users)).filter((entry) => entry !== undefined);

/** The tool that says which accounts there are. */
export const LIST_ACCOUNTS = "list_accounts";

/** The name in `_meta` of a call that has the meaning of the header `Idempotency-Key`. */
export const META_KEY = "plugboard/idempotency-key";

// Short, because every tool has them, and a model reads them all.
const IncludeRaw = Type.Optional(Type.Boolean({ description: "Also return the provider's own response, as `_raw`" }));
const Params = Type.Optional(
  Type.Unsafe({ type: "object", description: 'Parameters of the provider\'s own, such as {"sort":"updated"}' }),
);
const After = Type.Optional(
  Type.String({ description: "For the next page: `metadata.next` of this one, which is null if it is the last" }),
);

/** The description of a path argument names the tool that lists its values. */
function pathArguments({ category, parameters }: BoundOperation): TProperties {
  return Object.fromEntries(
    parameters.map(({ name, source, shortName }) => {
      const short = shortName ? `, or its \`${shortName.field}\` if that is unique` : "";
      const description = `The \`${source.field}\` of a record from ${toolName({ category, name: source.operation })}${short}`;
      return [name, Type.String({ minLength: 1, description })];
    }),
  );
}

/** The same for arguments of the query and the body. */
function describeSources({ category, sources }: BoundOperation, schema: TObject): TObject {
  const described = Object.entries(sources).map(([name, source]) => {
    const argument = schema.properties[name] as TSchema & { description: string };
    const description = `${argument.description} (${toolName({ category, name: source.operation })})`;
    return [name, { ...argument, description }];
  });
  return { ...schema, properties: { ...schema.properties, ...Object.fromEntries(described) } };
}

/** Fewer than the Unified API returns by default, because a model has to read all of them. */
const DEFAULT_LIMIT = 20;
const Limit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 100, default: DEFAULT_LIMIT, description: "How many records to return" }),
);

const Fields = Type.Optional(Type.String({ description: "Only these fields, such as id,name,custom.tier" }));

function queryArguments({ kind, query }: BoundOperation): TProperties {
  if (kind === "list")
    return { ...query, limit: Limit, after: After, fields: Fields, params: Params, include_raw: IncludeRaw };
  return { ...query, ...(kind === "one" && { fields: Fields }), include_raw: IncludeRaw };
}

/** What a model gets: with `fields`, a record lacks the others. */
function outputSchemaOf(operation: BoundOperation): TSchema {
  const { required: _, ...record } = operation.record as TSchema & { required?: string[] };
  return responseSchema({ ...operation, record: withoutDescription(record, "custom") });
}

// Short, because every tool has it.
function withoutDescription(record: object, field: string): TSchema {
  const { properties } = record as { properties?: Record<string, object> };
  if (!properties?.[field]) return record as TSchema;
  const { type } = properties[field] as { type: string };
  return { ...record, properties: { ...properties, [field]: { type } } } as TSchema;
}

/** Which arguments are required for some accounts only. */
const requiredForSome = (users: readonly ToolUser[], forAll: readonly string[]): string[] =>
  users.flatMap(({ account, requires }) => {
    const names = requires.filter((name) => !forAll.includes(name)).map((name) => `\`${name}\``);
    return names.length > 0 ? [`${account} requires ${names.join(" and ")}.`] : [];
  });

const accountArgument = (names: readonly string[]) => ({
  type: "string",
  enum: names,
  description: `One from ${LIST_ACCOUNTS}`,
});

const pick = (args: Record<string, unknown>, names: TProperties) =>
  Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(names, name)));

function createTool(operation: BoundOperation, headerPrefix: string): Tool {
  const path = pathArguments(operation);
  const query = queryArguments(operation);
  const { properties: body = {}, minProperties: minFields = 0 } = (operation.body ?? {}) as Partial<TObject> &
    TObjectOptions;
  const properties = { ...path, ...query, ...body };
  const names = Object.keys(properties);
  if (names.length < Object.keys(path).length + Object.keys(query).length + Object.keys(body).length)
    throw new Error(`${operation.id}: a path, query or body parameter has the same name as another`);
  const defaults = operation.kind === "list" ? { limit: DEFAULT_LIMIT } : {};
  const readInput = inputReader(operation, headerPrefix);
  const readOnly = !isWrite(operation.kind);
  const name = toolName(operation);

  const { required = [], ...inputSchema } = describeSources(
    operation,
    Type.Object(properties, { additionalProperties: false }),
  );
  const { include_raw: _, ...common } = inputSchema.properties;
  const outputSchema = outputSchemaOf(operation);
  // Only what differs from the defaults of the protocol. An update changes what is there; nothing is ever removed.
  const isUpdate = operation.kind === "update";
  const hints = readOnly
    ? { readOnlyHint: true }
    : { destructiveHint: isUpdate, ...(isUpdate ? { idempotentHint: true } : {}) };

  return {
    operation,
    name,
    route: `${operation.method} ${operation.route.replace(/:(\w+)/g, "{$1}")}`,
    define(users) {
      const forAll = users[0]!.requires.filter((argument) =>
        users.every(({ requires }) => requires.includes(argument)),
      );
      const accounts = users.flatMap(({ account }) => account ?? []);
      // With one account the provider is named, since a model may have the same tool from several servers.
      const title = accounts.length > 0 ? operation.summary : `${operation.summary} in ${users[0]!.provider}`;
      const caution = readOnly ? TEXT_IS_DATA : undefined;
      const description = [`${title}.`, operation.description, ...requiredForSome(users, forAll), caution];
      const all = [...(accounts.length > 0 ? ["account"] : []), ...required, ...forAll];
      return {
        name,
        title,
        description: description.filter(Boolean).join(" "),
        inputSchema: {
          ...inputSchema,
          ...(accounts.length > 0 ? { properties: { account: accountArgument(accounts), ...common } } : {}),
          ...(all.length > 0 ? { required: all } : {}),
        },
        // Records of many accounts would make the list twice as long.
        ...(accounts.length > 0 ? {} : { outputSchema }),
        annotations: hints,
      };
    },
    show: cleanTexts,
    read(args, headers, meta) {
      const unknown = unknownArguments(name, args, names);
      if (unknown.length > 0) throw invalidInput(...unknown);
      const given = withoutNulls(args);
      const fields = pick(given, body);
      if (Object.keys(fields).length < minFields)
        throw new Fault(
          "invalid_input",
          `one of ${Object.keys(body).join(", ")} is required${isUpdate ? "; null leaves a field as it is" : ""}`,
        );
      const { params, ...rest } = pick(given, query);
      return readInput({
        // A header would count for every call of a client that is configured with it.
        headers: { ...headers, [IDEMPOTENCY_KEY.toLowerCase()]: meta[META_KEY] },
        params: pick(given, path),
        query: { ...defaults, ...rest, ...(params === undefined ? {} : { params: asText(params) }) },
        body: operation.body ? fields : undefined,
      });
    },
  };
}

/** The Unified API expects `params` as a JSON string. */
const asText = (params: unknown) => (typeof params === "string" ? params : JSON.stringify(params));

/** Every operation of the table as a tool. */
export const createTools = (operations: readonly BoundOperation[], headerPrefix: string): Tool[] =>
  operations.filter(isTool).map((operation) => createTool(operation, headerPrefix));
