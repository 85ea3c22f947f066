import { Fault, invalidInput } from "../../contracts/fault.ts";
import { pathProblem } from "../../contracts/path-problem.ts";
import type { Query, UpstreamRequest } from "../../contracts/upstream.ts";
import type { ConnectionContext } from "../connection/connection-context.ts";
import { queryString } from "../http/query-string.ts";
import type { TransportRequest } from "../http/transport.ts";

/** What a client sends with an operation. Path parameters are checked before. */
export interface Given {
  query: Record<string, unknown>;
  body?: Record<string, unknown> | undefined;
}

/** Puts the client's own parameters where the provider expects them; locked values win over them. */
function withPassthrough(request: UpstreamRequest, passthrough: Query | undefined) {
  const { query, body, locked, paramsIn } = request;
  if (paramsIn === "query") return { query: { ...query, ...passthrough, ...locked }, body };
  if (paramsIn === "body") return { query, body: { ...body, ...passthrough, ...locked } };
  const variables = body?.variables as Query | undefined;
  return { query, body: { ...body, variables: { ...variables, ...passthrough, ...locked } } };
}

/** Most calls have those that every call over the connection has. */
function headersOf({ headers, authorization }: ConnectionContext, request: UpstreamRequest, body: unknown) {
  if (body === undefined && !request.headers) return headers;
  const type = body !== undefined && { "content-type": "application/json; charset=utf-8" };
  // Credentials win over whatever else is sent.
  return { ...type, ...headers, ...request.headers, ...authorization.headers };
}

/** The error for a path that must not be sent. It names the value of the client that is the reason, if one is. */
function unsafePath(path: string, problem: string, { query, body = {} }: Given): Fault {
  // At some providers, a colon separates a name from what is around it.
  const parts = path.split(/[/:]/);
  for (const [place, values] of Object.entries({ query, body }))
    for (const [name, value] of Object.entries(values)) {
      if (typeof value !== "string" || !value.isWellFormed()) continue;
      const encoded = encodeURIComponent(value);
      const message = pathProblem(`/${encoded}`);
      if (message && parts.includes(encoded)) return invalidInput({ path: [place, name], message });
    }
  return new Fault("upstream_forbidden", `the path of the provider call ${problem}`);
}

/** A provider call with its address, credentials and headers. Nothing that is sent can leave the base address. */
export function prepareRequest(
  connection: ConnectionContext,
  request: UpstreamRequest,
  passthrough?: Query,
  given: Given = { query: {} },
): TransportRequest {
  const { origin, path } = connection.address(request.to);
  const { authorization, pathSecrets } = connection;
  const { query, body } = withPassthrough(request, passthrough);
  const problem = pathProblem(request.path);
  if (problem) throw unsafePath(request.path, problem, given);
  return {
    origin,
    path: `${path}${authorization.path ?? ""}${request.path}${queryString(query, authorization.query)}` || "/",
    method: request.method,
    headers: headersOf(connection, request, body),
    body: body && JSON.stringify(body),
    pathSecrets,
  };
}
