import Type, { type TObject, type TProperties, type TSchema } from "typebox";
import type { BoundOperation, Category, Operation, PathParameter } from "../contracts/operation.ts";

interface Extra<Query extends TProperties> {
  query?: Query;
  description?: string;
}

const reads =
  <Kind extends "list" | "one">(kind: Kind) =>
  <Path extends string, R extends TSchema, Query extends TProperties = Record<never, never>>(
    path: Path,
    record: R,
    summary: string,
    { query = {} as Query, description }: Extra<Query> = {},
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

export const list = reads("list");
export const one = reads("one");

const Freeform = Type.Object({}, { additionalProperties: true, description: "The provider's response, as it came" });

export function send<Path extends string, Body extends TObject>(
  path: Path,
  body: Body,
  summary: string,
): Operation<"send", Path, Record<never, never>, Body, typeof Freeform> {
  return { kind: "send", method: "POST", path, record: Freeform, summary, body, query: {} };
}

const namesIn = (path: string) => [...path.matchAll(/:(\w+)/g)].map((match) => match[1] as string);

/** `parameters` says what each `:name` in the paths means; a name without an entry is a mistake, caught at start. */
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
      parameters: namesIn(operation.path).map((parameter) => {
        const meaning = parameters[parameter];
        if (!meaning) throw new Error(`${id}.${name}: the path parameter "${parameter}" is not described`);
        return { name: parameter, ...meaning };
      }),
    }),
  );
  return { id, title, operations, bound };
}
