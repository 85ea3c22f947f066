import Type from "typebox";
import type { LogFilter } from "../../contracts/store.ts";
import { ListLogs, LogRecord } from "./log-schemas.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute, IdParameter, requireFound } from "./route.ts";
import { toOffsetPage } from "./schemas.ts";
import { readTimes } from "./times.ts";

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
