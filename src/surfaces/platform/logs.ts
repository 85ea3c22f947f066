import Type from "typebox";
import type { LogFilter } from "../../contracts/store.ts";
import { LogRecord } from "../shared/platform-records/log-entry.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute, IdParameter, requireFound } from "./route.ts";
import { Filter, Paging, toOffsetPage } from "./schemas.ts";
import { readTimes } from "./times.ts";

const ListLogs = Type.Object({
  ...Paging,
  connection_id: Filter("only requests that used this connection"),
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
    Type.String({ enum: ["plugboard", "provider"], description: "Only errors of this origin" }),
  ),
  request_id: Filter("only the request with this X-Request-Id"),
  since: Filter("only requests from this time on (ISO 8601)"),
  until: Filter("only requests before this time (ISO 8601)"),
});

const FILTERS = [
  "connection_id",
  "integration_id",
  "surface",
  "status",
  "outcome",
  "error_source",
  "request_id",
] as const;

export function logRoutes(app: PlatformApp, { store }: PlatformOptions): void {
  const route = describeRoute("Request log");

  app.get(
    "/v1/logs",
    {
      schema: route("listLogs", "List requests, newest first", {
        querystring: ListLogs,
        200: Type.Array(LogRecord),
        description: "Entries are written about once a second. The newest 100,000 of the last 7 days are kept.",
      }),
    },
    ({ query, workspace }) => {
      const given = FILTERS.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]]));
      const filter: LogFilter = { ...Object.fromEntries(given), ...readTimes(query) };
      return store.requestLog.list(workspace.id, toOffsetPage(query), filter);
    },
  );

  app.get(
    "/v1/logs/:id",
    { schema: route("getLog", "Get a request", { params: IdParameter, 200: LogRecord }) },
    async ({ workspace, params }) => requireFound(await store.requestLog.get(workspace.id, params.id)),
  );
}
