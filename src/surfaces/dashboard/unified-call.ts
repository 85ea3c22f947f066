import Type from "typebox";
import type { BoundOperation } from "../../contracts/operation.ts";
import type { Api, ApiAnswer } from "./api.ts";

export interface OperationCall {
  operation: BoundOperation;
  connectionId: string;
  /** Path parameters. */
  params: Record<string, string>;
  query: Record<string, string>;
  body?: Record<string, unknown> | undefined;
}

/** The path below the Unified API's address, such as `/v1/git/repos/acme%2Frocket/issues`. */
export const operationPath = ({ operation, params }: Pick<OperationCall, "operation" | "params">): string =>
  operation.route.replace(/:(\w+)/g, (_, name: string) =>
    params[name] ? encodeURIComponent(params[name]) : `{${name}}`,
  );

/** Runs an operation through the Unified API. */
export const callOperation = (api: Api, call: OperationCall, headerPrefix: string): Promise<ApiAnswer> =>
  api.call({
    method: call.operation.method,
    path: `/unified${operationPath(call)}`,
    query: call.query,
    headers: { [`${headerPrefix}connection-id`]: call.connectionId },
    body: call.body,
  });

/** Whether it cannot be called without knowing something. */
export const needsInput = ({ parameters, query }: BoundOperation) =>
  parameters.length > 0 || (Type.Object(query).required ?? []).length > 0;

/** A read that needs no input: one that is about the account, or else the first list. */
export const testOperation = (
  operations: readonly BoundOperation[],
  supported: readonly string[],
): BoundOperation | undefined => {
  const possible = operations.filter((operation) => supported.includes(operation.id) && !needsInput(operation));
  return possible.find(({ kind }) => kind === "one") ?? possible.find(({ kind }) => kind === "list");
};

/** Whose answer it is: the provider's own errors are passed on unchanged. */
export const isProvidersAnswer = ({ headers }: ApiAnswer, headerPrefix: string): boolean =>
  headers[`${headerPrefix}error-source`.toLowerCase()] === "provider";

/** What is wrong, in our own words. */
export function errorText({ body }: ApiAnswer): string {
  const { errors = [] } = (body ?? {}) as { errors?: { message: string; detail?: string; path?: string[] }[] };
  return Array.isArray(errors)
    ? errors
        .map(({ message, detail, path }) => [path?.join("."), detail ?? message].filter(Boolean).join(": "))
        .join("; ")
    : "";
}
