import type { Static, TObject, TProperties, TSchema } from "typebox";

/**
 * What an operation does and returns: a page of records (`list`), one record (`one`), the record that was written
 * (`create`, `update`), the provider's own response (`send`), a file (`download`), or the record of a file that the
 * client sends (`upload`).
 */
export type OperationKind = "list" | "one" | "create" | "update" | "send" | "download" | "upload";

/** Kinds that change something at the provider. */
export const isWrite = (kind: OperationKind): boolean =>
  kind === "create" || kind === "update" || kind === "send" || kind === "upload";

export interface PathParameter {
  description: string;
  /** Where a client finds its values: a field of another list of the same category. */
  source: { operation: string; field: string };
  /**
   * A client may send a short name instead: this field of that list's records, or the part of the full value after
   * `unless`. The engine looks up the full value, except if the given one contains `unless` and so is full already.
   */
  shortName?: { field: string; unless: string };
}

/** A query parameter that leaves out some records of a list. */
export interface Filter<Schema extends TSchema = TSchema> {
  schema: Schema;
  /** By what the record says. Without it only the provider can filter, and a list that does not pass it on refuses it. */
  matches?(record: never, value: string): boolean;
  /** Its value is an ID. Nothing has one that does not exist, also if the provider answers it with an error. */
  isId?: true;
  /** The value `me` is the user whose connection it is. */
  acceptsMe?: true;
}

/** Whether it says what is listed, such as a project, and not what the records have to be like. */
export const isContainer = ({ isId, matches }: Filter): boolean => isId === true && matches === undefined;

export interface Operation<
  Kind extends OperationKind = OperationKind,
  Path extends string = string,
  Query extends TProperties = TProperties,
  Body extends TObject | undefined = TObject | undefined,
  Record extends TSchema = TSchema,
> {
  kind: Kind;
  method: "GET" | "POST" | "PATCH";
  path: Path;
  summary: string;
  description?: string;
  /** Its own query parameters, in addition to those of every list. */
  query: Query;
  /** Those of them that are filters. */
  filters?: Readonly<{ [name: string]: Filter }>;
  body: Body;
  /** An example of the body, for documentation and test suites. */
  sample?: { [name: string]: unknown };
  record: Record;
}

/** An operation with its name and category: what routes, documentation and test suites are made from. */
export interface BoundOperation extends Operation {
  /** `git.listIssues` */
  id: string;
  name: string;
  category: string;
  /** `/v1/git/repos/:repo/issues` */
  route: string;
  /** Path parameters, in order. */
  parameters: ReadonlyArray<PathParameter & { name: string }>;
  /** The record that it returns, as events name it: `crm.contact`. Undefined if it returns a file or the provider's own response. */
  recordName: string | undefined;
  /** Where a client finds the values of fields of the query and the body, with the route of that list. */
  sources: Readonly<Record<string, PathParameter["source"] & { route: string }>>;
}

export interface Category<Operations extends Record<string, Operation> = Record<string, Operation>> {
  id: string;
  title: string;
  operations: Operations;
  bound: BoundOperation[];
}

/** `"/repos/:repo/issues"` gives `{ repo: string }`. */
export type PathParameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [key in Name]: string } & PathParameters<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? { [key in Name]: string }
    : unknown;

/** What a provider's functions receive from the client's request. */
export type InputOf<O extends Operation> = PathParameters<O["path"]> &
  Static<TObject<O["query"]>> &
  (O["body"] extends TObject ? Static<O["body"]> : unknown);

/** What a provider's functions make. The table and the engine add `custom`. */
export type RecordOf<O extends Operation> = Static<O["record"]>;
