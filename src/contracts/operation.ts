import type { Static, TObject, TProperties, TSchema } from "typebox";

/** What an operation answers with: a page of records, one record, or whatever the provider said to a send. */
export type OperationKind = "list" | "one" | "send";

export interface PathParameter {
  description: string;
  /** Where a client finds its values: a field of another list of the same category. */
  source: { operation: string; field: string };
  /**
   * A client may also give this field of that list's records instead, or what stands behind the last `unless` in the
   * full value. The engine looks it up and hands the provider the full value, unless the value contains `unless` and so
   * is the full one already.
   */
  shortName?: { field: string; unless: string };
}

export interface Operation<
  Kind extends OperationKind = OperationKind,
  Path extends string = string,
  Query extends TProperties = TProperties,
  Body extends TObject | undefined = TObject | undefined,
  Record extends TSchema = TSchema,
> {
  kind: Kind;
  method: "GET" | "POST";
  path: Path;
  summary: string;
  description?: string;
  /** Query parameters of its own, beside those that every list takes. */
  query: Query;
  body: Body;
  record: Record;
}

/** An operation with its place: what routes, documents and suites are made from. */
export interface BoundOperation extends Operation {
  /** `git.listIssues` */
  id: string;
  name: string;
  category: string;
  /** `/v1/git/repos/:repo/issues` */
  route: string;
  /** Names in the path, in order, each with what it means. */
  parameters: ReadonlyArray<PathParameter & { name: string }>;
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

/** What a provider's functions get to know of the client's request. */
export type InputOf<O extends Operation> = PathParameters<O["path"]> &
  Static<TObject<O["query"]>> &
  (O["body"] extends TObject ? Static<O["body"]> : unknown);

export type RecordOf<O extends Operation> = Static<O["record"]>;
