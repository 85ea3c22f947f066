import Type, { type Static, type TObject, type TOptional, type TProperties, type TSchema, type TString } from "typebox";
import type { BoundOperation, Category, Filter, Operation, PathParameter } from "../contracts/operation.ts";
import { updatedSince } from "./filters.ts";
import { recordName } from "./record-names.ts";
import { withAdditions, withCustom } from "./schema.ts";

interface ReadOptions<Query extends TProperties> {
  /** Its own query parameters, required unless `Type.Optional`. */
  query?: Query;
  description?: string;
}

type Filters = Readonly<Record<string, Filter>>;
interface ListOptions<Query extends TProperties, F extends Filters> extends ReadOptions<Query> {
  /** Query parameters that leave out records. */
  filters?: F;
}
type FilterQuery<F extends Filters> = { [name in keyof F]: TOptional<F[name]["schema"]> };

const described = (description: string | undefined) => (description === undefined ? {} : { description });

/** Every list whose records have `updated_at` can be filtered by it. */
type UpdatedSince<R extends TSchema> =
  Static<R> extends { updated_at: unknown } ? { updated_since: TOptional<TString> } : Record<never, never>;

export function list<
  Path extends string,
  R extends TSchema,
  Query extends TProperties = Record<never, never>,
  F extends Filters = Record<never, never>,
>(
  path: Path,
  record: R,
  summary: string,
  { query = {} as Query, filters: own = {} as F, description }: ListOptions<Query, F> = {},
): Operation<"list", Path, NoInfer<Query> & FilterQuery<NoInfer<F>> & UpdatedSince<R>, undefined, R> {
  const { properties = {} } = record as { properties?: TProperties };
  const filters: Filters = { ...own, ...("updated_at" in properties ? { updated_since: updatedSince } : {}) };
  const schemas = Object.entries(filters).map(([name, { schema }]) => [name, Type.Optional(schema)]);
  return {
    kind: "list",
    method: "GET",
    path,
    record: withCustom(record),
    summary,
    body: undefined,
    query: { ...query, ...Object.fromEntries(schemas) } as Query & FilterQuery<F> & UpdatedSince<R>,
    filters,
    ...described(description),
  };
}

export const one = <Path extends string, R extends TSchema, Query extends TProperties = Record<never, never>>(
  path: Path,
  record: R,
  summary: string,
  { query = {} as Query, description }: ReadOptions<Query> = {},
): Operation<"one", Path, NoInfer<Query>, undefined, R> => ({
  kind: "one",
  method: "GET",
  path,
  record: withCustom(record),
  summary,
  body: undefined,
  query,
  ...described(description),
});

interface WriteOptions<Body extends TObject> {
  /** An example body, for documentation and test suites. */
  sample?: Static<Body>;
  description?: string;
}

const defineWrite =
  <Kind extends "create" | "update">(kind: Kind, method: "POST" | "PATCH") =>
  <Path extends string, Body extends TObject, R extends TSchema>(
    path: Path,
    body: Body,
    record: R,
    summary: string,
    { sample, description }: WriteOptions<Body> = {},
  ): Operation<Kind, Path, Record<never, never>, Body, R> => ({
    kind,
    method,
    path,
    record: withCustom(record),
    summary,
    body: withAdditions(body),
    query: {},
    ...(sample === undefined ? {} : { sample: sample as Record<string, unknown> }),
    ...described(description),
  });

export const create = defineWrite("create", "POST");
export const update = defineWrite("update", "PATCH");

const ProviderResponse = Type.Object(
  {},
  { additionalProperties: true, description: "The provider's response, unchanged" },
);

export const send = <Path extends string, Body extends TObject>(
  path: Path,
  body: Body,
  summary: string,
  { sample, description }: WriteOptions<Body> = {},
): Operation<"send", Path, Record<never, never>, Body, typeof ProviderResponse> => ({
  kind: "send",
  method: "POST",
  path,
  record: ProviderResponse,
  summary,
  body,
  query: {},
  ...(sample === undefined ? {} : { sample: sample as Record<string, unknown> }),
  ...described(description),
});

const Bytes = Type.String({ format: "binary", description: "The content of the file" });

export const download = <Path extends string>(
  path: Path,
  summary: string,
  { description }: { description?: string } = {},
): Operation<"download", Path, Record<never, never>, undefined, typeof Bytes> => ({
  kind: "download",
  method: "GET",
  path,
  record: Bytes,
  summary,
  body: undefined,
  query: {},
  ...described(description),
});

/** The request's body is the file. */
export const upload = <Path extends string, R extends TSchema, Query extends TProperties = Record<never, never>>(
  path: Path,
  record: R,
  summary: string,
  { query = {} as Query, description }: ReadOptions<Query> = {},
): Operation<"upload", Path, NoInfer<Query>, undefined, R> => ({
  kind: "upload",
  method: "POST",
  path,
  record: withCustom(record),
  summary,
  body: undefined,
  query,
  ...described(description),
});

const parameterNames = (path: string) => [...path.matchAll(/:(\w+)/g)].map((match) => match[1] as string);

interface CategoryOptions {
  /** What its routes begin with, in place of its id. */
  prefix?: string;
}

/**
 * `parameters` describes each `:name` in the paths; a missing entry is an error at startup. Fields of queries and bodies
 * with the name of an entry have the same source.
 */
export function category<Operations extends Record<string, Operation>>(
  id: string,
  title: string,
  parameters: Record<string, PathParameter>,
  operations: Operations,
  { prefix = `/${id}` }: CategoryOptions = {},
): Category<Operations> {
  const routeOf = ({ path }: Operation) => `/v1${prefix}${path}`;
  const sourcesOf = ({ query, body }: Operation) =>
    Object.fromEntries(
      Object.keys({ ...query, ...body?.properties }).flatMap((field) => {
        const source = parameters[field]?.source;
        return source ? [[field, { ...source, route: routeOf(operations[source.operation]!) }]] : [];
      }),
    );
  const bound = Object.entries(operations).map(
    ([name, operation]): BoundOperation => ({
      ...operation,
      id: `${id}.${name}`,
      name,
      category: id,
      recordName: recordName({ category: id, record: operation.record }),
      route: routeOf(operation),
      sources: sourcesOf(operation),
      parameters: parameterNames(operation.path).map((parameter) => {
        const described = parameters[parameter];
        if (!described) throw new Error(`${id}.${name}: the path parameter "${parameter}" is not described`);
        return { name: parameter, ...described };
      }),
    }),
  );
  return { id, title, operations, bound };
}
