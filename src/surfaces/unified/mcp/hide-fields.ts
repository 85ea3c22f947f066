import { argumentFields } from "../../../categories/argument-fields.ts";
import { recordName } from "../../../categories/record-names.ts";
import { invalidInput } from "../../../contracts/fault.ts";
import type { BoundOperation } from "../../../contracts/operation.ts";
import { hiddenFields, type ToolPack } from "../../../contracts/tool-packs.ts";
import type { Tool, UnifiedBody } from "./tools.ts";

interface ObjectSchema {
  properties?: Record<string, ObjectSchema>;
  required?: readonly string[];
  items?: ObjectSchema;
  format?: string;
  enum?: readonly unknown[];
}

/** A tool's entry in the result of `tools/list`. */
interface Definition {
  inputSchema?: unknown;
  outputSchema?: unknown;
}

/** How a tool works while some fields are hidden. */
interface Hiding {
  /** The tool's entry without what is hidden. Undefined if it cannot be called without that. */
  define<Entry extends Definition>(entry: Entry): Entry | undefined;
  /** Refuses arguments that are hidden. */
  assertArguments(args: Record<string, unknown>): void;
  answer<Body extends UnifiedBody>(body: Body): Body;
}

/** With these, a model would get more of the provider's answer than records, or write more than their fields. */
const WAYS_AROUND = ["include_raw", "params", "provider"];
/** In place of a text that is the same as a hidden one. */
const HIDDEN = "(hidden)";

/** What tool packs hide of an operation. Undefined if they hide nothing at all. */
export function createHiding(operation: BoundOperation, packs: readonly Pick<ToolPack, "hide">[]): Hiding | undefined {
  if (packs.every(({ hide }) => hide.length === 0)) return undefined;
  const record = recordName(operation);
  const fields = record === undefined ? new Set<string>() : hiddenFields(packs, record);
  const path = operation.parameters.map(({ name }) => name);
  const aliases = Object.entries(argumentFields).flatMap(([name, field]) => (field && fields.has(field) ? [name] : []));
  const hiddenArguments = new Set([...fields, ...aliases, ...WAYS_AROUND].filter((name) => !path.includes(name)));
  const hideInRecord = createRecordHiding(fields, operation.record as ObjectSchema);

  return {
    define(entry) {
      const { inputSchema = {}, outputSchema } = entry as { inputSchema?: ObjectSchema; outputSchema?: ObjectSchema };
      if (inputSchema.required?.some((name) => hiddenArguments.has(name))) return undefined;
      const output = outputSchema && { outputSchema: hideInAnswerSchema(outputSchema, fields) };
      return { ...entry, inputSchema: without(inputSchema, hiddenArguments), ...output };
    },

    assertArguments(args) {
      const hidden = Object.keys(args).filter((name) => hiddenArguments.has(name));
      if (hidden.length > 0)
        throw invalidInput(
          ...hidden.map((name) => ({ path: ["arguments", name], message: "is not allowed by the tool pack" })),
        );
    },

    answer(body) {
      const { _raw, data, ...rest } = body.response;
      return { ...body, response: { ...rest, data: hideInData(data) } };
    },
  };

  function hideInData(data: unknown): unknown {
    // The provider's own response.
    if (record === undefined) return {};
    return Array.isArray(data) ? data.map(hideInRecord) : hideInRecord(data);
  }
}

function createRecordHiding(fields: ReadonlySet<string>, { properties = {} }: ObjectSchema) {
  const isAnyText = (name: string) => properties[name]?.format === undefined && properties[name]?.enum === undefined;
  return (record: unknown): unknown => {
    if (fields.size === 0 || typeof record !== "object" || record === null) return record;
    const values = record as Record<string, unknown>;
    const hidden = new Set([...fields].map((name) => values[name]).filter((value) => typeof value === "string"));
    // A contact without a name is named by its email address, for instance, and a custom field may be the address itself.
    const shown = ([name, value]: [string, unknown]): unknown => {
      if (name === "custom" && typeof value === "object" && value !== null)
        return Object.fromEntries(Object.entries(value).map(shownEntry));
      return typeof value === "string" && value !== "" && hidden.has(value) && isAnyText(name) ? HIDDEN : value;
    };
    const shownEntry = (entry: [string, unknown]) => [entry[0], shown(entry)];
    return Object.fromEntries(
      Object.entries(values)
        .filter(([name]) => !fields.has(name))
        .map(shownEntry),
    );
  };
}

/** The schema of an object without some of its properties. */
function without({ properties = {}, required, ...schema }: ObjectSchema, names: ReadonlySet<string>): ObjectSchema {
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.has(name))),
    ...(required && { required: required.filter((name) => !names.has(name)) }),
  };
}

const RAW = new Set(["_raw"]);

function hideInAnswerSchema(schema: ObjectSchema, fields: ReadonlySet<string>): ObjectSchema {
  const response = schema.properties?.response;
  const data = response?.properties?.data;
  if (!response || !data) return schema;
  const shown = data.items ? { ...data, items: without(data.items, fields) } : without(data, fields);
  const own = without(response, RAW);
  const changed = { ...own, properties: { ...own.properties, data: shown } };
  return { ...schema, properties: { ...schema.properties, response: changed } };
}

const ANY_USER = [{ provider: "", requires: [] }];

/** The tools as tool packs leave them. */
export const hideFields = (tools: readonly Tool[], packs: readonly Pick<ToolPack, "hide">[]): readonly Tool[] =>
  tools.flatMap((tool) => {
    const hiding = createHiding(tool.operation, packs);
    if (!hiding) return [tool];
    const define: Tool["define"] = (users) => {
      const entry = tool.define(users);
      return entry && hiding.define(entry);
    };
    if (!define(ANY_USER)) return [];
    return [
      {
        ...tool,
        define,
        read(args, ...rest) {
          hiding.assertArguments(args);
          return tool.read(args, ...rest);
        },
        show: (body) => tool.show(hiding.answer(body)),
      },
    ];
  });
