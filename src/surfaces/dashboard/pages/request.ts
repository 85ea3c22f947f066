import type { BoundOperation } from "../../../contracts/operation.ts";
import { html } from "../../../runtime/html.ts";
import type { FullLogRecord, UpstreamAttemptRecord } from "../../shared/platform-records/log-entry.ts";
import { type ApiQuery, withQuery } from "../api.ts";
import { BASE } from "../base.ts";
import { failureCard } from "../components/failure.ts";
import { inputName } from "../components/operation-form.ts";
import { milliseconds, outcomeText } from "../components/request-table.ts";
import { empty, exactTime, facts, head, mono, statusTag, type TableColumn, table, tag } from "../components/ui.ts";
import type { Routes } from "../routes.ts";

/** One request of the log: what it was, why it failed, and the calls to the provider behind it. */
export function requestRoutes(routes: Routes, operations: readonly BoundOperation[]): void {
  routes.page("/requests/:id", "viewer", async ({ api, params, link }) => {
    const entry = await api.get<FullLogRecord>(`/platform/v1/logs/${encodeURIComponent(params.id!)}`);
    const { connection_id, integration_id } = entry;
    const title = `${entry.method} ${entry.path}`;
    const explorer = explorerPath(entry, operations);
    return {
      title,
      section: "requests",
      content: html`${head({
        title,
        trail: [["/requests", "Requests"]],
        lead: html`${statusTag(entry.status)} ${milliseconds(entry.duration_ms)}, ${exactTime(entry.created_at)}`,
        actions: [explorer !== undefined && link(explorer, "Open in the explorer", "button")],
      })}
${failureCard(entry)}
<section class="card"><div class="card-head"><h2>Details</h2></div><div class="in">
${facts([
  ["Request id", mono(entry.request_id)],
  ["API", entry.surface],
  ["Operation", entry.operation],
  ["MCP client", entry.mcp_client],
  ["Person", entry.person],
  ["Outcome", entry.outcome && outcomeText(entry.outcome)],
  ["Connection", connection_id && html`<a href="${BASE}/connections/${connection_id}">${mono(connection_id)}</a>`],
  ["Integration", integration_id && html`<a href="${BASE}/integrations/${integration_id}">${mono(integration_id)}</a>`],
])}
</div></section>
<section class="card"><div class="card-head"><h2>Calls to the provider</h2></div>
${
  entry.upstream.length === 0
    ? empty("None", "Nothing was sent to a provider for this request.")
    : table("Calls to the provider", attemptColumns, entry.upstream)
}
</section>`,
    };
  });
}

const attemptColumns: TableColumn<UpstreamAttemptRecord>[] = [
  {
    label: "Status",
    cell: ({ status, error }) => (status === null ? tag(error ?? "failed", "bad") : statusTag(status)),
  },
  { label: "Call", cell: ({ method, path }) => html`${method} ${mono(path)}` },
  { label: "Attempt", cell: ({ attempt }) => attempt, kind: "number" },
  { label: "Duration", cell: ({ duration_ms }) => milliseconds(duration_ms), kind: "number" },
];

/** The same call in the explorer, with its parameters as far as they are known. */
function explorerPath(
  { connection_id, operation: id, path, failure }: FullLogRecord,
  operations: readonly BoundOperation[],
): string | undefined {
  const operation = operations.find((one) => one.id === id);
  if (!operation || !connection_id) return undefined;
  const values: ApiQuery = { connection: connection_id, operation: operation.id };
  const route = operation.route.replace(/:(\w+)/g, "(?<$1>[^/]+)");
  const { groups = {} } = new RegExp(`${route}$`).exec(path) ?? {};
  for (const [name, value] of Object.entries(groups)) values[inputName("params", name)] = decode(value);
  for (const [name, value] of new URLSearchParams(failure?.query ?? "")) values[inputName("query", name)] = value;
  return withQuery("/explorer", values);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
