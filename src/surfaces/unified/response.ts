import Type, { type TObjectOptions, type TProperties, type TSchema } from "typebox";
import { Nullable } from "../../categories/schema.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import type { OperationResult } from "../../engine/index.ts";
import type { UnifiedInput } from "./input.ts";
import { narrow } from "./narrow.ts";

const Raw = Type.Unknown({ description: "The provider's own response, if requested" });

const forSerializer = new WeakMap<BoundOperation, TSchema>();

/**
 * A record's schema as the serializer gets it: of a field whose schema says nothing it writes the value in one call,
 * which is three times as fast for custom fields as one call for each of them.
 */
export function serializedRecord(operation: BoundOperation): TSchema {
  let schema = forSerializer.get(operation);
  if (!schema) {
    const { properties } = operation.record as { properties?: TProperties };
    schema = properties?.custom
      ? ({ ...operation.record, properties: { ...properties, custom: {} } } as TSchema)
      : operation.record;
    forSerializer.set(operation, schema);
  }
  return schema;
}

/** The schema of an operation's success body for the serializer, which may write it faster if nothing else can be in it. */
export const serializedResponse = (operation: BoundOperation): TSchema =>
  responseSchema({ ...operation, record: serializedRecord(operation) }, { additionalProperties: false });

/** The schema of an operation's success body. */
export function responseSchema(operation: BoundOperation, options: TObjectOptions = {}): TSchema {
  const list = operation.kind === "list";
  const properties: TProperties = { data: list ? Type.Array(operation.record) : operation.record };
  if (list)
    properties.metadata = Type.Object(
      { next: Nullable(Type.String({ description: "Cursor of the next page; null on the last page" })) },
      options,
    );
  return Type.Object({ response: Type.Object({ ...properties, _raw: Type.Optional(Raw) }, options) }, options);
}

const narrowed = (data: unknown, fields: readonly string[]) =>
  Array.isArray(data) ? data.map((record) => narrow(record, fields)) : narrow(data, fields);

/** The body with records that have only these fields. */
export const narrowBody = <Body extends { response: { data: unknown } }>(
  body: Body,
  fields: readonly string[] | undefined,
): Body => (fields ? { ...body, response: { ...body.response, data: narrowed(body.response.data, fields) } } : body);

/** The success body of a result. */
export const toResponse = (
  operation: BoundOperation,
  result: OperationResult,
  { includeRaw, fields }: Pick<UnifiedInput, "includeRaw" | "fields">,
) => ({
  response: {
    data: fields ? narrowed(result.data, fields) : result.data,
    ...(operation.kind === "list" ? { metadata: { next: result.next } } : {}),
    ...(includeRaw ? { _raw: result.raw } : {}),
  },
});
