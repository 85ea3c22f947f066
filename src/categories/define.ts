import Type, { type TObject, type TProperties, type TSchema } from "typebox";
import type { BoundOperation, Category, Operation, PathParameter } from "../contracts/operation.ts";

interface ReadOptions<Query extends TProperties> {
  query?: Query;
  description?: string;
}

const defineRead =
  <Kind extends "list" | "one">(kind: Kind) =>
  <Path extends string, R extends TSchema, Query extends TProperties = Record<never, never>>(
    path: Path,
    record: R,
    summary: string,
    { query = {} as Query, description }: ReadOptions<Query> = {},
  ): Operation<Kind, Path, Query, undefined, R> => ({
    kind,
    method: "GET",
    path,
    record,
    summary,
    body: undefined,
    query,
    ...(description === undefined ? {} : { description }),
  });

export const list = defineRead("list");
export const one = defineRead("one");

const ProviderResponse = Type.Object(
  {},
  { additionalProperties: true, description: "The provider's response, unchanged" },
);

export function send<Path extends string, Body extends TObject>(
  path: Path,
  body: Body,
  summary: string,
): Operation<"send", Path, Record<never, never>, Body, typeof ProviderResponse> {
  return { kind: "send", method: "POST", path, record: ProviderResponse, summary, body, query: {} };
}

const parameterNames = (path: string) => [...path.matchAll(/:(\w+)/g)].map((match) => match[1] as string);

/** `parameters` describes each `:name` in the paths; a missing entry is an error at startup. */
export function category<Operations extends Record<string, Operation>>(
  id: string,
  title: string,
  parameters: Record<string, PathParameter>,
  operations: Operations,
): Category<Operations> {
  const bound = Object.entries(operations).map(
    ([name, operation]): BoundOperation => ({
      ...operation,
      id: `${id}.${name}`,
      name,
      category: id,
      route: `/v1/${id}${operation.path}`,
      parameters: parameterNames(operation.path).map((parameter) => {
        const described = parameters[parameter];
        if (!described) throw new Error(`${id}.${name}: the path parameter "${parameter}" is not described`);
        return { name: parameter, ...described };
      }),
    }),
  );
  return { id, title, operations, bound };
}
