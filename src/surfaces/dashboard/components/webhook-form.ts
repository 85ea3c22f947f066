import { type Html, html } from "../../../runtime/html.ts";
import type { WebhookRecord } from "../../shared/platform-records/webhook.ts";
import type { ApiError } from "../api.ts";
import { field, problemOf, problemSummary } from "./fields.ts";

const labels = { name: "Name", url: "URL", events: "Events" };

interface WebhookForm {
  current?: WebhookRecord;
  sent?: URLSearchParams | undefined;
  problem?: ApiError | undefined;
}

/** One type per line, with an exclamation mark before those that it does not get. */
const toLines = (events: Record<string, boolean>) =>
  Object.entries(events)
    .map(([type, wanted]) => (wanted ? type : `!${type}`))
    .join("\n");

export function webhookFields({ current, sent, problem }: WebhookForm): Html {
  const fields = problem?.fields ?? {};
  return html`${problem && problemSummary(fields, labels, problem.message)}
${field({ name: "name", label: labels.name, value: sent?.get("name") ?? current?.name ?? "", required: true, hint: "What it is for", problem: problemOf(fields, "name") })}
${field({ name: "url", label: labels.url, value: sent?.get("url") ?? current?.url ?? "", required: true, placeholder: "https://", hint: "Where events are posted to", problem: problemOf(fields, "url") })}
${field({ name: "events", label: labels.events, input: "lines", value: sent?.get("events") ?? (current ? toLines(current.events) : "*"), required: true, hint: "One type per line: connection.invalid, tasks.* for every type that starts with tasks., * for all; a type after ! is left out", problem: problemOf(fields, "events") })}`;
}

export function readWebhookForm(form: URLSearchParams): Record<string, unknown> {
  const lines = (form.get("events") ?? "").split("\n").map((line) => line.trim());
  const events = lines.filter(Boolean).map((line) => [line.replace(/^!\s*/, ""), !line.startsWith("!")] as const);
  return {
    name: form.get("name")?.trim() ?? "",
    url: form.get("url")?.trim() ?? "",
    events: Object.fromEntries(events),
  };
}
