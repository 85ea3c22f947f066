import { Fault } from "../../contracts/fault.ts";
import { pathProblem } from "../../contracts/path-problem.ts";
import type { Query, UpstreamRequest } from "../../contracts/upstream.ts";
import type { ConnectionContext } from "../connection/connection-context.ts";
import { queryString } from "../http/query-string.ts";
import type { TransportRequest } from "../http/transport.ts";

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

/** A provider call with its address, credentials and headers. Nothing that is sent can leave the base address. */
export function prepareRequest(
  connection: ConnectionContext,
  request: UpstreamRequest,
  passthrough?: Query,
): TransportRequest {
  const { origin, path } = connection.address(request.to);
  const { authorization, pathSecrets } = connection;
  const { query, body } = withPassthrough(request, passthrough);
  const problem = pathProblem(request.path);
  if (problem) throw new Fault("upstream_forbidden", `the path of the provider call ${problem}`);
  return {
    origin,
    path: `${path}${authorization.path ?? ""}${request.path}${queryString(query, authorization.query)}` || "/",
    method: request.method,
    headers: headersOf(connection, request, body),
    body: body && JSON.stringify(body),
    pathSecrets,
  };
}
