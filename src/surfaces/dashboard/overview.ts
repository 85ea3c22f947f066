import { html } from "../../runtime/html.ts";
import { BASE } from "./base.ts";
import { barChart } from "./charts.ts";
import type { ConnectionRecord, LogRecord } from "./records.ts";
import type { Routes, Visit } from "./routes.ts";
import { dotTag, empty, head, mono, statusTag, table, time } from "./ui.ts";

const RECENT = 100;
const SHOWN = 8;

export function overviewRoutes(routes: Routes): void {
  routes.page("/", async ({ api }: Visit) => {
    const [connections, logs] = await Promise.all([
      api.get<ConnectionRecord[]>("/platform/v1/connections", { limit: RECENT }),
      api.get<LogRecord[]>("/platform/v1/logs", { limit: RECENT }),
    ]);
    const invalid = connections.filter(({ is_valid }) => !is_valid);
    const failed = logs.filter(({ status }) => status >= 400);
    const bars = logs.toReversed().map(({ duration_ms, status, method, path }) => ({
      value: duration_ms,
      bad: status >= 400 ? duration_ms : 0,
      label: `${method} ${path}: ${status}, ${duration_ms} ms`,
    }));
    return {
      title: "Overview",
      section: "overview",
      content: html`${head({ title: "Overview" })}
<div class="grid">
<section class="card in figure"><h2>The latest ${logs.length} requests</h2>
<p class="value">${logs.length - failed.length} <small>succeeded, ${failed.length} failed</small></p>
${barChart(bars, `Durations of the latest ${logs.length} requests; ${failed.length} failed`)}</section>
<section class="card in figure"><h2>Connections that need attention</h2><p class="value">${invalid.length}</p></section>
</div>
<section class="card"><div class="card-head"><h2>Needs attention</h2></div>
${
  invalid.length === 0
    ? empty("Every connection works", "A connection whose account has to be connected again appears here.")
    : table(
        "Connections that need attention",
        [
          { label: "Connection", cell: ({ id, external_id }) => external_id ?? mono(id) },
          { label: "Provider", cell: ({ integration_identifier }) => integration_identifier },
          { label: "State", cell: () => dotTag("Invalid", "bad") },
          { label: "Why", cell: ({ invalid_reason }) => invalid_reason ?? "" },
        ],
        invalid.slice(0, SHOWN),
      )
}</section>
<section class="card"><div class="card-head"><h2>Latest requests</h2></div>
${
  logs.length === 0
    ? empty("No requests yet", html`Make the first call: <a href="${BASE}/connections">choose a connection</a>.`)
    : table(
        "Latest requests",
        [
          { label: "Status", cell: ({ status }) => statusTag(status) },
          { label: "Request", cell: ({ method, path }) => html`${method} ${mono(path)}` },
          { label: "Outcome", cell: ({ outcome }) => outcome ?? "", kind: "wide-only" },
          { label: "Duration", cell: ({ duration_ms }) => `${duration_ms} ms`, kind: "number" },
          { label: "When", cell: ({ created_at }) => time(created_at) },
        ],
        logs.slice(0, SHOWN),
      )
}</section>`,
    };
  });
}
