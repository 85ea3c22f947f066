import Type from "typebox";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute } from "./route.ts";
import { ListLogs, LogRecord, toOffsetPage } from "./schemas.ts";

export function logRoutes(app: PlatformApp, { store }: PlatformOptions): void {
  const route = describeRoute("Request log");
  app.get(
    "/v1/logs",
    {
      schema: route("listLogs", "List requests, newest first", {
        querystring: ListLogs,
        200: Type.Array(LogRecord),
        description: "Entries are written about once a second and kept for 7 days.",
      }),
    },
    (request) => {
      const { connection_id, ...paging } = request.query;
      return store.requestLog.list(request.workspace.id, toOffsetPage(paging), connection_id ? { connection_id } : {});
    },
  );
}
