import { eventTypes } from "../../../categories/event-types.ts";
import { categories } from "../../../categories/index.ts";
import type { BoundOperation } from "../../../contracts/operation.ts";
import { type Html, html } from "../../../runtime/html.ts";
import type { WebhookRecord } from "../../shared/platform-records/webhook.ts";
import type { ApiError } from "../api.ts";
import { checkbox, field, problemOf, problemSummary } from "./fields.ts";

const labels = { name: "Name", url: "URL", events: "Events" };

interface WebhookForm {
  operations: readonly BoundOperation[];
  current?: WebhookRecord;
  sent?: URLSearchParams | undefined;
  problem?: ApiError | undefined;
}

const groupOf = (type: string) => type.slice(0, type.indexOf("."));
const groupNames = new Map([
  ["connection", "Connections"],
  ["subscription", "Subscriptions"],
  ["webhook", "Webhooks"],
  ...categories.map(({ id, title }) => [id, title] as const),
]);

/** A pattern as the value of a box: after an exclamation mark, it is left out. */
const toValues = (events: Record<string, boolean>) =>
  Object.entries(events).map(([pattern, wanted]) => (wanted ? pattern : `!${pattern}`));

/** The events that it gets, in words. */
export const eventText = ({ events }: WebhookRecord): string => toValues(events).join(", ").replace(/^\*/, "All");

export function webhookFields({ operations, current, sent, problem }: WebhookForm): Html {
  const fields = problem?.fields ?? {};
  const chosen = new Set(sent ? sent.getAll("events") : toValues(current?.events ?? { "*": true }));
  return html`${problem && problemSummary(fields, labels, problem.message)}
${field({ name: "name", label: labels.name, value: sent?.get("name") ?? current?.name ?? "", required: true, hint: "What it is for", problem: problemOf(fields, "name") })}
${field({ name: "url", label: labels.url, value: sent?.get("url") ?? current?.url ?? "", required: true, placeholder: "https://", hint: "Where events are posted to", problem: problemOf(fields, "url") })}
${eventBoxes(eventTypes(operations), chosen, problemOf(fields, "events"))}`;
}

/** A box for each type and for each group. What the API was given beyond these has a box as well, so that it is kept. */
function eventBoxes(types: readonly string[], chosen: ReadonlySet<string>, problem: string | undefined): Html {
  const checkboxOf = (value: string, label: Html | string = value) =>
    checkbox({ name: "events", value, label, checked: chosen.has(value) });
  const groups = Map.groupBy(types, groupOf);
  const known = new Set(["*", ...types, ...[...groups.keys()].map((group) => `${group}.*`)]);
  const others = [...chosen].filter((value) => !known.has(value));
  return html`<fieldset class="stack" id="events" tabindex="-1"${problem !== undefined && html` aria-describedby="events-problem"`}><legend>${labels.events}</legend>
${problem !== undefined && html`<p class="wrong" id="events-problem">${problem}</p>`}
${checkboxOf("*", "All events, also of types that are added later; untick it to choose some")}
${[...groups].map(([group, members]) => {
  const values = [`${group}.*`, ...members];
  const isOpen = values.some((value) => chosen.has(value));
  const name = groupNames.get(group) ?? group;
  return html`<details${isOpen && html` open`}><summary>${name}</summary><div class="boxes">${checkboxOf(values[0]!, `All of ${name}`)}${members.map((type) => checkboxOf(type))}</div></details>`;
})}
${others.length > 0 && html`<div class="boxes">${others.map((value) => checkboxOf(value, value.startsWith("!") ? html`Not ${value.slice(1)}` : value))}</div>`}
</fieldset>`;
}

export function readWebhookForm(form: URLSearchParams): Record<string, unknown> {
  const events = form.getAll("events").map((value) => [value.replace(/^!/, ""), !value.startsWith("!")] as const);
  return {
    name: form.get("name")?.trim() ?? "",
    url: form.get("url")?.trim() ?? "",
    events: Object.fromEntries(events),
  };
}
