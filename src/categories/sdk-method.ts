import type { BoundOperation } from "../contracts/operation.ts";

/** Verbs that are methods of what they list, get or change. Others are methods of the category: `drive.download`. */
const RECORD_VERBS = ["list", "get", "create", "update", "delete"];

const camelCase = (segment: string) => segment.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());

const fixedSegments = (path: string) => path.split("/").filter((segment) => segment !== "" && !segment.startsWith(":"));

/**
 * Where the SDK has an operation: `["git", "issues", "list"]` is `connection.git.issues.list(…)`. That is the category,
 * the last fixed segment of the path, and the verb of the operation's name. A segment that is named like its category is
 * left out (`tasks.create`), and an operation whose route has no category is named by its path (`me`).
 */
export function sdkMethod({ category, name, route, path }: BoundOperation): string[] {
  const segments = fixedSegments(path);
  if (!route.startsWith(`/v1/${category}/`)) return segments.map(camelCase);
  const verb = /^[a-z]+/.exec(name)![0];
  const collection = segments.at(-1);
  if (!RECORD_VERBS.includes(verb) || collection === undefined || collection === category) return [category, verb];
  return [category, camelCase(collection), verb];
}

export interface SdkCallInput {
  /** Path parameters by name. */
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: Record<string, unknown>;
}

/** The SDK code of a call: `pb.connection("conn_1").git.issues.list("acme/rocket", {"limit":10})`. */
export function sdkCall(operation: BoundOperation, connectionId: string, input: SdkCallInput = {}): string {
  const { params = {}, query = {}, body } = input;
  const options = (given: object) => (Object.keys(given).length > 0 ? [JSON.stringify(given)] : []);
  const sent = {
    list: options(query),
    one: [],
    download: [],
    create: [JSON.stringify(body ?? {})],
    update: [JSON.stringify(body ?? {})],
    send: [JSON.stringify(body ?? {})],
    upload: ["file", JSON.stringify(query)],
  }[operation.kind];
  const values = operation.parameters.map(({ name }) => JSON.stringify(params[name] ?? ""));
  const method = sdkMethod(operation).join(".");
  return `pb.connection(${JSON.stringify(connectionId)}).${method}(${[...values, ...sent].join(", ")})`;
}

const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

/** What the body of an operation is called, in documents and in the SDK: `NewIssue`, `TaskChange`, `SendMessageBody`. */
export function bodyName({ kind, name, record }: Pick<BoundOperation, "kind" | "name" | "record">): string {
  const { title } = record as { title?: string };
  if (title && kind === "create") return `New${title}`;
  return title && kind === "update" ? `${title}Change` : `${capitalized(name)}Body`;
}

/** What a successful response is called in documents: `IssuePage`, `IssueResponse`, `SendMessageResponse`. */
export function responseName({ kind, name, record }: Pick<BoundOperation, "kind" | "name" | "record">): string {
  const { title } = record as { title?: string };
  return `${title ?? capitalized(name)}${kind === "list" ? "Page" : "Response"}`;
}
