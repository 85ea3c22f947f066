import Type, { type Static, type TSchema, type TUnsafe } from "typebox";

/**
 * A value that may be null. Written as `type: [T, "null"]` instead of a union: the serializer walks a type list
 * directly, but has to run a validator to choose between the branches of an `anyOf`.
 */
export function Nullable<T extends TSchema & { type: string }>(schema: T): TUnsafe<Static<T> | null> {
  return Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, "null"] });
}

/** A normalized record: every key is always present, and there are no others. */
export function Shape<P extends Record<string, TSchema>>(name: string, properties: P) {
  return Type.Object(properties, { title: name, additionalProperties: false });
}

export const Text = (description?: string) => Type.String(description ? { description } : {});
export const NullableText = (description?: string) => Nullable(Text(description));
export const Timestamp = (description?: string) =>
  Type.String({ format: "date-time", ...(description ? { description } : {}) });
export const NullableTimestamp = (description?: string) => Nullable(Timestamp(description));
