// What the generators of all SDKs need to know about the table of operations.
import Type, { type TProperties } from "typebox";
import { sdkMethod } from "../../src/categories/sdk-method.ts";
import type { BoundOperation } from "../../src/contracts/operation.ts";
import type { JsonSchema } from "./schema.ts";

export const schemaOf = (properties: TProperties): JsonSchema => ({
  properties: properties as Record<string, JsonSchema>,
  required: Object.keys(properties).filter((name) => !Type.IsOptional(properties[name])),
});

export const recordOf = ({ record }: Pick<BoundOperation, "record">) => record as JsonSchema;

/** Every named record, once. */
export function recordsOf(operations: readonly BoundOperation[]): [title: string, schema: JsonSchema][] {
  const records = new Map(operations.map((operation) => [recordOf(operation).title ?? "", recordOf(operation)]));
  records.delete("");
  return [...records];
}

/** Whether a path parameter may be a number: it has the type of the field that its values come from. */
export function isNumber(
  { source }: BoundOperation["parameters"][number],
  operation: BoundOperation,
  all: readonly BoundOperation[],
): boolean {
  const list = all.find(({ id }) => id === `${operation.category}.${source.operation}`);
  const field = list && recordOf(list).properties?.[source.field];
  return field?.type === "integer" || field?.type === "number";
}

/** Where the SDK has what a list's records can have as custom fields: `["crm", "contacts", "fields"]`. */
export const fieldsPlace = (operation: BoundOperation): string[] => [...sdkMethod(operation).slice(0, -1), "fields"];
export const FIELDS_ABOUT = "List the fields that these records can have as custom fields";
