import { html } from "../../../runtime/html.ts";
import type { LogRecord } from "../../shared/platform-records/log-entry.ts";
import { BASE } from "../base.ts";
import { statusTag, type TableColumn, time } from "./ui.ts";

/** Whose error a request ended with, in words. */
export const errorSources: Record<string, string> = {
  application: "Your application",
  provider: "The provider",
  plugboard: "Plugboard",
};

/** Why a response did not end, in words. Error codes are shown as they are, since they can be searched for. */
const unfinished: Record<string, string> = {
  client_disconnected: "The client disconnected before it had the whole response",
  provider_broke_off: "The provider broke off its response",
  service_stopped: "Plugboard was stopped before the response ended",
  request_timeout: "The rest of the request did not arrive",
};

export const outcomeText = (outcome: string): string => unfinished[outcome] ?? outcome;

export const milliseconds = (duration: number): string =>
  duration >= 10_000 ? `${(duration / 1000).toFixed(1)} s` : `${Math.round(duration)} ms`;

/** The columns of every table of requests. */
export const requestColumns: TableColumn<LogRecord>[] = [
  { label: "Status", cell: ({ status }) => statusTag(status) },
  {
    label: "Request",
    cell: ({ id, method, path, operation, outcome }) =>
      html`<a href="${BASE}/requests/${id}">${method} <span class="mono">${path}</span></a>${[operation, outcome && outcomeText(outcome)].map((text) => text && html`<span class="quiet">${text}</span>`)}`,
  },
  { label: "Error of", cell: ({ error_source: source }) => (source ? (errorSources[source] ?? source) : "") },
  { label: "API", cell: ({ surface }) => surface, kind: "wide-only" },
  { label: "Provider calls", cell: ({ upstream_calls }) => upstream_calls, kind: "number" },
  { label: "Duration", cell: ({ duration_ms }) => milliseconds(duration_ms), kind: "number" },
  { label: "When", cell: ({ created_at }) => time(created_at) },
];
