import { type Html, html } from "../../../runtime/html.ts";
import type { ConnectionRecord } from "../../shared/platform-records/connection.ts";
import type { LogRecord } from "../../shared/platform-records/log-entry.ts";
import type { UsageRecord } from "../../shared/platform-records/usage.ts";
import { BASE } from "../base.ts";
import { barChart } from "../components/charts.ts";
import { firstSteps } from "../components/first-steps.ts";
import { providerNames } from "../components/lists.ts";
import { milliseconds, requestColumns } from "../components/request-table.ts";
import { breakable, empty, head, table, time } from "../components/ui.ts";
import type { Routes } from "../routes.ts";
import { health } from "./connection.ts";

/** More are counted on the connections page. */
const MAX_COUNTED = 100;
const SHOWN = 8;

const HOUR_MS = 3_600_000;
const periods = [
  ["hour", "Last hour", HOUR_MS],
  ["day", "Last 24 hours", 24 * HOUR_MS],
  ["week", "Last 7 days", 7 * 24 * HOUR_MS],
] as const;

const number = (value: number) => value.toLocaleString("en");
const failuresOf = ({ application_errors, plugboard_errors, provider_errors }: UsageRecord["total"]) =>
  application_errors + plugboard_errors + provider_errors;
const sourcesOf = ({ application_errors, plugboard_errors, provider_errors }: UsageRecord["total"]) =>
  `${number(application_errors)} of your application, ${number(provider_errors)} of providers, ${number(plugboard_errors)} of Plugboard`;
const percent = (part: number, whole: number) => (whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`);

/** When a bucket begins, as its tooltip shows it. */
const startOf = (iso: string) => `${iso.slice(5, 16).replace("T", " ")} UTC`;

export function overviewRoutes(routes: Routes): void {
  routes.page("/", "viewer", async (visit) => {
    const { api, query } = visit;
    const [period, periodName, length] = periods.find(([id]) => id === query.period) ?? periods[1];
    const since = new Date(Date.now() - length).toISOString();
    const [usage, invalid, failed, logs, steps, names] = await Promise.all([
      api.get<UsageRecord>("/platform/v1/usage", { since }),
      api.get<ConnectionRecord[]>("/platform/v1/connections", { is_valid: false, limit: MAX_COUNTED }),
      api.get<LogRecord[]>("/platform/v1/logs", { error_source: "any", limit: SHOWN }),
      api.get<LogRecord[]>("/platform/v1/logs", { platform_reads: false, limit: SHOWN }),
      firstSteps(visit),
      providerNames(api),
    ]);
    return {
      title: "Overview",
      section: "overview",
      content: html`${head({
        title: "Overview",
        actions: [
          html`<nav class="row" aria-label="Period">${periods.map(
            ([id, name]) =>
              html`<a class="button small${id === period && " primary"}" href="${BASE}?period=${id}"${id === period && html` aria-current="true"`}>${name}</a>`,
          )}</nav>`,
        ],
      })}
${steps}
${figures(usage, invalid.length, periodName.toLowerCase())}
${
  invalid.length > 0 &&
  html`<section class="card"><div class="card-head"><h2>Connections that need attention</h2>${invalid.length > SHOWN && html`<a href="${BASE}/connections?health=invalid">All of them</a>`}</div>
${table(
  "Connections that need attention",
  [
    {
      label: "External id",
      cell: ({ id, external_id }) => html`<a href="${BASE}/connections/${id}">${breakable(external_id ?? id)}</a>`,
    },
    {
      label: "Provider",
      cell: ({ integration_identifier: id }) => names.get(id) ?? id,
    },
    { label: "State", cell: (connection) => health(connection), kind: "wide-only" },
    { label: "Why", cell: ({ invalid_reason }) => invalid_reason ?? "" },
    { label: "Since", cell: ({ updated_at }) => time(updated_at) },
  ],
  invalid.slice(0, SHOWN),
)}</section>`
}
${
  failed.length > 0 &&
  html`<section class="card"><div class="card-head"><h2>Latest errors</h2><a href="${BASE}/requests?error_source=any">All errors</a></div>
${table("Latest errors", requestColumns, failed)}</section>`
}
<section class="card"><div class="card-head"><h2>Latest requests</h2>${logs.length > 0 && html`<a href="${BASE}/requests">All requests</a>`}</div>
${
  logs.length === 0
    ? empty("No requests yet", visit.link("/explorer", "Make the first call in the explorer."))
    : table("Latest requests", requestColumns, logs)
}</section>`,
    };
  });
}

function figures({ total, buckets }: UsageRecord, invalid: number, period: string): Html {
  const failures = failuresOf(total);
  const bars = buckets.map((bucket) => ({
    value: bucket.requests,
    bad: failuresOf(bucket),
    label: `${startOf(bucket.start)}: ${bucket.requests} requests, ${failuresOf(bucket)} failed`,
  }));
  const errorBars = buckets.map((bucket) => ({
    value: failuresOf(bucket),
    bad: failuresOf(bucket),
    label: `${startOf(bucket.start)}: ${sourcesOf(bucket)}`,
  }));
  const ends = html`<div class="chart-ends" aria-hidden="true"><span>${buckets[0] && startOf(buckets[0].start)}</span><span>now</span></div>`;
  return html`<div class="grid">
<section class="card in figure"><h2>Requests</h2><p class="value">${number(total.requests)} <small>${number(total.requests - failures)} succeeded</small></p>
${barChart({ bars, summary: `Requests in the ${period}: ${total.requests}, of which ${failures} failed`, format: number })}${ends}</section>
<section class="card in figure"><h2>Errors</h2><p class="value">${percent(failures, total.requests)} <small>${sourcesOf(total)}</small></p>
${barChart({ bars: errorBars, summary: `Errors in the ${period}: ${sourcesOf(total)}`, format: number })}${ends}</section>
<section class="card in figure"><h2>Latency</h2><p class="value">${total.p50_ms === null ? "–" : milliseconds(total.p50_ms)} <small>median${total.p95_ms !== null && `, ${milliseconds(total.p95_ms)} for 95 %`}</small></p>
${barChart({
  bars: buckets.map(({ start, p95_ms }) => ({
    value: p95_ms ?? 0,
    label: `${startOf(start)}: ${p95_ms === null ? "no requests" : `${p95_ms} ms for 95 %`}`,
  })),
  summary:
    total.p95_ms === null
      ? `No requests in the ${period}`
      : `95 % of the requests took at most ${total.p95_ms} ms in the ${period}`,
  format: milliseconds,
})}${ends}</section>
<section class="card in figure"><h2>Connections</h2><p class="value">${invalid >= MAX_COUNTED ? `${MAX_COUNTED}+` : invalid} <small>need attention</small></p>
<p class="small"><a href="${BASE}/connections${invalid > 0 && "?health=invalid"}">${invalid > 0 ? "See which, and why" : "All connections"}</a></p></section>
</div>`;
}
