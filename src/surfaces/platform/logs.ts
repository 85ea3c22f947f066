import Type from "typebox";
import { errorSources } from "../../contracts/entities.ts";
import type { LogFilter } from "../../contracts/request-log.ts";
import { textHeader } from "../shared/openapi.ts";
import { FullLogRecord, LogRecord, SEARCHED_UNTIL_HEADER } from "../shared/platform-records/log-entry.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute, IdParameter } from "./route.ts";
import { Filter, Paging, toOffsetPage } from "./schemas.ts";
import { readTimes } from "./times.ts";
import { ofVisibleConnection, visibleConnectionIds } from "./visible.ts";

const ListLogs = Type.Object({
  ...Paging,
  connection_id: Filter("only requests that used this connection"),
  external_id: Filter("only requests that used a connection with this external id"),
  integration_id: Filter("only requests that used a connection of this integration"),
  surface: Filter("only requests to this surface: unified, proxy, mcp, platform or auth"),
  status: Type.Optional(
    Type.String({
      pattern: "^[1-5](xx|[0-9]{2})$",
      maxLength: 3,
      minLength: 3,
      description: "only responses with this status, such as 404, or of this class, such as 5xx",
    }),
  ),
  outcome: Filter("only requests with this outcome, such as rate_limited, provider_404 or client_disconnected"),
  error_source: Type.Optional(
    Type.String({
      enum: [...errorSources, "any"],
      description: "Only errors of this origin, or of any",
    }),
  ),
  request_id: Filter("only the request with this X-Request-Id"),
  operation: Filter("only calls of this operation, such as git.listRepositories"),
  path: Filter("only requests with this text in their path"),
  platform_reads: Type.Optional(
    Type.Boolean({ default: true, description: "Whether to include successful reads of the Platform API" }),
  ),
  since: Filter("only requests from this time on (ISO 8601)"),
  until: Filter(
    "only requests before this time (ISO 8601), or before this entry: the id of the last one of the previous page, which reaches further than `offset`",
  ),
});

const FILTERS = [
  "connection_id",
  "integration_id",
  "surface",
  "status",
  "outcome",
  "error_source",
  "request_id",
  "operation",
  "path",
] as const;

export function logRoutes(app: PlatformApp, { store }: PlatformOptions): void {
  const route = describeRoute("Request log");

  app.get(
    "/v1/logs",
    {
      schema: route("listLogs", "logs:read", "List requests, newest first", {
        querystring: ListLogs,
        200: Type.Array(LogRecord),
        responseHeaders: {
          [SEARCHED_UNTIL_HEADER]: textHeader(
            "What is older was not searched: pass it as `until` to search further back",
          ),
        },
        description:
          "Entries are written about once a second. The newest `REQUEST_LOG_ENTRIES` (100,000) of the last 7 days are kept. A search that has to read many entries ends early, with the header `X-Searched-Until`: pass its time as `until` to search further back.",
      }),
    },
    async ({ query, workspace, caller }, reply) => {
      const given = FILTERS.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]]));
      const { external_id, platform_reads = true, since, until } = query;
      const isEntry = until?.startsWith("log_");
      const connection_ids = await visibleConnectionIds(store, caller, { external_id });
      const filter: LogFilter = {
        ...Object.fromEntries(given),
        ...readTimes({ since, ...(isEntry ? {} : { until }) }),
        ...(isEntry ? { before: until } : {}),
        ...(connection_ids ? { connection_ids } : {}),
        without_platform_reads: !platform_reads,
      };
      if (filter.connection_ids?.length === 0) return [];
      const { entries, searched_until } = await store.requestLog.list(workspace.id, toOffsetPage(query), filter);
      if (searched_until !== null) reply.header(SEARCHED_UNTIL_HEADER, searched_until);
      return entries;
    },
  );

  app.get(
    "/v1/logs/:id",
    { schema: route("getLog", "logs:read", "Get a request", { params: IdParameter, 200: FullLogRecord }) },
    async ({ workspace, caller, params }) =>
      ofVisibleConnection(store, caller, await store.requestLog.get(workspace.id, params.id)),
  );
}
