import Type, { type Static, type TObject, type TProperties, type TSchema, type TUnsafe } from "typebox";

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

const CustomValues = Type.Unsafe<Record<string, unknown>>({
  type: "object",
  additionalProperties: true,
  description: "Values of the custom fields that are declared for this record, by name",
});

const extended = new WeakMap<TSchema, TSchema>();

/** The schema of a record as clients get it: with the custom fields, which the engine adds to what providers map. */
export function withCustom<R extends TSchema>(record: R): R {
  const {
    properties,
    required = [],
    title,
  } = record as TSchema & {
    properties?: TProperties;
    required?: string[];
    title?: string;
  };
  // A file, or the provider's own response.
  if (title === undefined) return record;
  const known = extended.get(record);
  if (known) return known as R;
  const made = { ...record, properties: { ...properties, custom: CustomValues }, required: [...required, "custom"] };
  extended.set(record, made);
  return made;
}

const additions = {
  custom: Type.Optional({
    ...CustomValues,
    description: "Values of declared custom fields, by name; null empties a field",
  }),
  provider: Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: "object",
      additionalProperties: true,
      description: "Merged into the body that is sent to the provider, in the provider's own format",
    }),
  ),
};

/** What every create and update takes besides its own fields. */
export const addedToWrites = Object.keys(additions);

/** The schema of a body as clients send it. The engine reads what is added here. */
export const withAdditions = <B extends TObject>(body: B): B =>
  ({ ...body, properties: { ...body.properties, ...additions } }) as B;

/** What a client sends: a field that is not named here is refused, so that a typing error does not go unnoticed. */
export const Body = <P extends TProperties>(properties: P, options: { minProperties?: number } = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** A text that a client sends. */
export const Given = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description });
export const GivenText = (description: string) => Given(MAX_TEXT_LENGTH, description);
export const GivenTime = (description: string) => Type.String({ format: "date-time", description });
export const GivenList = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 100, description });

/** The longest text that any provider accepts. Beyond its own limit, a provider returns its own error. */
const MAX_TEXT_LENGTH = 40_000;

export const Text = (description?: string) => Type.String(description ? { description } : {});
export const NullableText = (description?: string) => Nullable(Text(description));
export const Timestamp = (description?: string) =>
  Type.String({ format: "date-time", ...(description ? { description } : {}) });
export const NullableTimestamp = (description?: string) => Nullable(Timestamp(description));
export const NullableFlag = (description?: string) => Nullable(Type.Boolean(description ? { description } : {}));
export const TextList = (description?: string) => Type.Array(Type.String(), description ? { description } : {});

/** One of a fixed set of values. */
export const OneOf = <const Values extends readonly string[]>(values: Values, description?: string) =>
  Type.Unsafe<Values[number]>({ type: "string", enum: [...values], ...(description ? { description } : {}) });

/** Somebody at the provider, as far as the record itself says who it is. */
export const NullablePerson = (description?: string) =>
  Nullable(
    Type.Object(
      { id: NullableText(), name: NullableText("Null if the provider only returns an ID") },
      { additionalProperties: false, ...(description ? { description } : {}) },
    ),
  );
