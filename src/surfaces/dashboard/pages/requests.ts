import { type Html, html } from "../../../runtime/html.ts";
import type { LogRecord, UpstreamAttemptRecord } from "../../shared/platform-records/log-entry.ts";
import { type ApiQuery, readFiltered, withQuery } from "../api.ts";
import { BASE } from "../base.ts";
import { field, filterStatus, problemOf } from "../components/fields.ts";
import {
  empty,
  exactTime,
  facts,
  head,
  mono,
  pager,
  statusTag,
  type TableColumn,
  table,
  tag,
  time,
} from "../components/ui.ts";
import type { Routes } from "../routes.ts";

const PAGE_SIZE = 50;
/** What the API can skip. */
const MAX_OFFSET = 1_000;
const surfaces = ["unified", "proxy", "mcp", "platform", "auth"];

/** The columns of every table of requests. */
export const requestColumns: TableColumn<LogRecord>[] = [
  { label: "Status", cell: ({ status }) => statusTag(status) },
  {
    label: "Request",
    cell: ({ id, method, path, outcome }) =>
      html`<a href="${BASE}/requests/${id}">${method} <span class="mono">${path}</span></a>${outcome && html`<span class="quiet">${outcomeText(outcome)}</span>`}`,
  },
  { label: "Surface", cell: ({ surface }) => surface, kind: "wide-only" },
  { label: "Calls", cell: ({ upstream_calls }) => upstream_calls, kind: "number" },
  { label: "Duration", cell: ({ duration_ms }) => milliseconds(duration_ms), kind: "number" },
  { label: "When", cell: ({ created_at }) => time(created_at) },
];

/** Why a response did not end, in words. Error codes are shown as they are, since they can be searched for. */
const unfinished: Record<string, string> = {
  client_disconnected: "The client disconnected before it had the whole response",
  provider_broke_off: "The provider broke off its response",
  service_stopped: "Plugboard was stopped before the response ended",
  request_timeout: "The rest of the request did not arrive",
};

const outcomeText = (outcome: string): string => unfinished[outcome] ?? outcome;

export const milliseconds = (duration: number): string =>
  duration >= 10_000 ? `${(duration / 1000).toFixed(1)} s` : `${Math.round(duration)} ms`;

export function requestRoutes(routes: Routes): void {
  routes.page("/requests", async ({ api, query }) => {
    const { connection_id = "", request_id = "", surface = "", status = "", error_source = "" } = query;
    const filter: ApiQuery = {
      connection_id: connection_id.trim(),
      request_id: request_id.trim(),
      surface,
      status,
      error_source,
    };
    const isFiltered = Object.values(filter).some((value) => value !== "");
    const offset = Math.min(MAX_OFFSET, Math.max(0, Number.parseInt(query.offset ?? "0", 10) || 0));
    const wanted = { ...filter, offset, limit: PAGE_SIZE + 1 };
    const { result: found, problems } = await readFiltered<LogRecord[]>(() => api.get("/platform/v1/logs", wanted), []);
    const rows = found.slice(0, PAGE_SIZE);
    const hasNext = found.length > PAGE_SIZE && offset + PAGE_SIZE <= MAX_OFFSET;
    return {
      title: "Requests",
      section: "requests",
      ...filterStatus(problems),
      content: html`${head({
        title: "Requests",
        lead: "What your application called in the last seven days, newest first. Each shows the calls to the provider behind it.",
        actions: html`<a class="button" href="${BASE}${withQuery("/requests", filter)}">Reload</a>`,
      })}
<section class="card">
<form method="get" action="${BASE}/requests" class="filters" role="search">
${field({ name: "connection_id", label: "Connection id", value: connection_id, problem: problemOf(problems, "connection_id") })}
${field({ name: "request_id", label: "Request id", value: request_id, problem: problemOf(problems, "request_id") })}
${field({ name: "surface", label: "Surface", value: surface, problem: problemOf(problems, "surface"), options: [["", "All"], ...surfaces.map((one) => [one, one] as const)] })}
${field({
  name: "status",
  label: "Status",
  value: status,
  problem: problemOf(problems, "status"),
  options: [
    ["", "All"],
    ["2xx", "2xx succeeded"],
    ["4xx", "4xx refused"],
    ["5xx", "5xx failed"],
  ],
})}
${field({
  name: "error_source",
  label: "Errors of",
  value: error_source,
  problem: problemOf(problems, "error_source"),
  options: [
    ["", "Anybody"],
    ["provider", "The provider"],
    ["plugboard", "Plugboard"],
  ],
})}
<button>Search</button>${isFiltered && html`<a class="button" href="${BASE}/requests">Clear</a>`}
</form>
${rows.length > 0 ? table("Requests", requestColumns, rows) : noRequests(isFiltered)}
${pager(`${offset + 1} to ${offset + rows.length}`, {
  first: offset > 0 ? withQuery("/requests", filter) : undefined,
  next: hasNext ? withQuery("/requests", { ...filter, offset: offset + PAGE_SIZE }) : undefined,
})}
</section>`,
    };
  });

  routes.page("/requests/:id", async ({ api, params }) => {
    const entry = await api.get<LogRecord>(`/platform/v1/logs/${encodeURIComponent(params.id!)}`);
    const title = `${entry.method} ${entry.path}`;
    return {
      title,
      section: "requests",
      content: html`${head({
        title,
        trail: [["/requests", "Requests"]],
        lead: html`${statusTag(entry.status)} ${milliseconds(entry.duration_ms)}, ${exactTime(entry.created_at)}`,
      })}
<section class="card"><div class="card-head"><h2>Details</h2></div><div class="in">
${facts([
  ["Request id", mono(entry.request_id)],
  ["Surface", entry.surface],
  ["Outcome", entry.outcome && outcomeText(entry.outcome)],
  ["Whose error", entry.error_source && (entry.error_source === "provider" ? "The provider's" : "Plugboard's")],
  [
    "Connection",
    entry.connection_id && html`<a href="${BASE}/connections/${entry.connection_id}">${mono(entry.connection_id)}</a>`,
  ],
  [
    "Integration",
    entry.integration_id &&
      html`<a href="${BASE}/integrations/${entry.integration_id}">${mono(entry.integration_id)}</a>`,
  ],
])}
</div></section>
<section class="card"><div class="card-head"><h2>Calls to the provider</h2><span class="quiet">Without queries and bodies, which are not kept</span></div>
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

const noRequests = (isFiltered: boolean): Html =>
  isFiltered
    ? empty(
        "No request matches",
        html`A request appears about a second after it was made. <a href="${BASE}/requests">Show all requests</a>`,
      )
    : empty("No requests yet", html`<a href="${BASE}/explorer">Make the first call in the explorer.</a>`);
