import type { BoundOperation } from "../../../contracts/operation.ts";
import { type Html, html } from "../../../runtime/html.ts";
import type { ConnectionRecord } from "../../shared/platform-records/connection.ts";
import type { SubscriptionRecord } from "../../shared/platform-records/subscription.ts";
import { type ApiError, problemsOf, withQuery } from "../api.ts";
import { BASE } from "../base.ts";
import { checkbox, field, problemOf, problemSummary } from "../components/fields.ts";
import type { DashboardPage } from "../components/layout.ts";
import { providerNames, readPage } from "../components/lists.ts";
import { inputName, operationFields, readValues, subscribedInputs } from "../components/operation-form.ts";
import { breakable, dotTag, empty, head, mono, pager, table, time } from "../components/ui.ts";
import { chooseOperation, type GivenChoice } from "../operation-choice.ts";
import { type PageVisit, Redirect, type Routes } from "../routes.ts";
import { connectionTitle } from "./connection.ts";

const PAGE_SIZE = 50;
/** Connections whose names are shown. The others are shown by their ids. */
const MAX_NAMED = 100;

const states: Record<SubscriptionRecord["status"], Html> = {
  active: dotTag("Active", "good"),
  paused: dotTag("Paused", ""),
  sleeping: dotTag("Waits for its account", "warn"),
  failing: dotTag("Failing", "bad"),
};

export const subscriptionState = ({ status, reason }: SubscriptionRecord): Html =>
  html`${states[status]}${reason && html`<span class="quiet">${reason}</span>`}`;

const intervals: readonly (readonly [seconds: number, text: string])[] = [
  [60, "Every minute"],
  [300, "Every 5 minutes"],
  [900, "Every 15 minutes"],
  [3_600, "Every hour"],
  [21_600, "Every 6 hours"],
  [86_400, "Every day"],
];

export function intervalText(seconds: number): string {
  const known = intervals.find(([one]) => one === seconds)?.[1];
  if (known) return known;
  if (seconds % 3_600 === 0) return `Every ${seconds / 3_600} hours`;
  return seconds % 60 === 0 ? `Every ${seconds / 60} minutes` : `Every ${seconds} seconds`;
}

/** The interval, to choose from the usual ones and the present one. */
export const intervalField = (seconds: number, problem?: string): Html =>
  field({
    name: "interval_seconds",
    label: "How often",
    value: String(seconds),
    problem,
    options: [...new Set([...intervals.map(([known]) => known), seconds])]
      .sort((one, other) => one - other)
      .map((one) => [String(one), intervalText(one)]),
  });

/** What starts it, and why no webhook does. */
export const triggerText = ({ trigger, trigger_reason, poll_with_webhook_seconds }: SubscriptionRecord): Html =>
  trigger === "webhook"
    ? html`${dotTag("Webhook", "good")} <span class="quiet">also read ${intervalText(poll_with_webhook_seconds).toLowerCase()}</span>`
    : html`${dotTag("Interval", "")} <span class="quiet">${trigger_reason}</span>`;

/** What a run has found, so far or in total. */
export const runText = ({ last_run: run }: SubscriptionRecord): Html | string => {
  if (!run) return "Not yet";
  const changes = (["created", "updated", "deleted"] as const).filter((kind) => run[kind] > 0);
  return html`${time(run.started_at)} <span class="quiet">${run.records} records${changes.map((kind) => `, ${run[kind]} ${kind}`)}</span>${run.error && html` <span class="quiet wrong">${run.error}</span>`}`;
};

interface NewSubscriptionState {
  sent?: URLSearchParams;
  problem?: ApiError;
}

export function subscriptionListRoutes(
  routes: Routes,
  { operations }: { operations: readonly BoundOperation[] },
): void {
  const lists = operations.filter(({ kind }) => kind === "list");
  const summaries = new Map(lists.map(({ id, category, summary }) => [id, `${category} · ${summary}`]));

  routes.page("/subscriptions", "viewer", async ({ api, query: { after }, link }) => {
    const [{ rows, next }, connections, names] = await Promise.all([
      readPage<SubscriptionRecord>(api, "/platform/v1/subscriptions", { after }, PAGE_SIZE),
      api.get<ConnectionRecord[]>("/platform/v1/connections", { order: "newest", limit: MAX_NAMED }),
      providerNames(api),
    ]);
    const subscribe = link("/subscriptions/new", "Subscribe to a list");
    const named = new Map(connections.map((connection) => [connection.id, connection]));
    return {
      title: "Subscriptions",
      section: "subscriptions",
      content: html`${head({
        title: "Subscriptions",
        lead: "Lists that Plugboard reads again and again: each record that was created, updated or deleted becomes an event.",
        actions: [link("/subscriptions/new", "Subscribe to a list", "button primary")],
      })}
<section class="card">${
        rows.length === 0
          ? empty(
              "No subscriptions yet",
              subscribe && html`${subscribe}, and its changes appear under ${link("/events", "events")}.`,
            )
          : table(
              "Subscriptions",
              [
                {
                  label: "List",
                  cell: ({ id, operation }) =>
                    html`<a href="${BASE}/subscriptions/${id}">${summaries.get(operation) ?? operation}</a>`,
                },
                {
                  label: "Connection",
                  cell: ({ connection_id }) => {
                    const connection = named.get(connection_id);
                    const identifier = connection?.integration_identifier;
                    return html`<a href="${BASE}/connections/${connection_id}">${connection ? breakable(connectionTitle(connection)) : mono(connection_id)}</a>${identifier && html`<span class="quiet">${names.get(identifier) ?? identifier}</span>`}`;
                  },
                },
                { label: "State", cell: subscriptionState },
                {
                  label: "How often",
                  cell: ({ interval_seconds }) => intervalText(interval_seconds),
                  kind: "wide-only",
                },
                { label: "Started by", cell: triggerText, kind: "wide-only" },
                { label: "Last run", cell: runText },
              ],
              rows,
            )
      }${pager(`${rows.length} subscriptions`, { first: after && "/subscriptions", next: next && `/subscriptions?after=${next}` })}</section>`,
    };
  });

  async function showNew(visit: PageVisit, given: GivenChoice, { sent, problem }: NewSubscriptionState = {}) {
    const { form, chosen } = await chooseOperation(visit.api, "/subscriptions/new", lists, given);
    const page: DashboardPage = {
      title: "Subscribe to a list",
      section: "subscriptions",
      ...(problem ? { status: 400, hasProblem: true } : {}),
      content: html`${head({ title: "Subscribe to a list", trail: [["/subscriptions", "Subscriptions"]] })}
${form}
${chosen && newForm(visit, chosen.connection, chosen.operation, sent, problem)}`,
    };
    return page;
  }

  function newForm(
    visit: PageVisit,
    connection: ConnectionRecord,
    operation: BoundOperation,
    sent = new URLSearchParams(),
    problem?: ApiError,
  ): Html {
    const fields = problem?.fields ?? {};
    const inputs = subscribedInputs(operation);
    const problems = new Map(
      inputs.flatMap(({ part, key }) => {
        const own = (fields.parameters ?? []).filter((text) => text.startsWith(`${key}: `));
        return own.length === 0 ? [] : [[inputName(part, key), own.join(". ").slice(key.length + 2)] as const];
      }),
    );
    return html`<section class="card"><div class="card-head"><h2>${operation.summary}</h2></div><div class="in">${visit.form(
      "/subscriptions/new",
      html`${problem && problemSummary(fields, { interval_seconds: "How often" }, problem.message)}
<input type="hidden" name="connection" value="${connection.id}"><input type="hidden" name="operation" value="${operation.id}">
${operationFields({
  operation,
  inputs,
  values: sent,
  problems,
  sourceLink: (id) => withQuery(`${BASE}/explorer`, { connection: connection.id, operation: id }),
})}
${intervalField(Number(sent.get("interval_seconds") ?? 300), problemOf(fields, "interval_seconds"))}
${checkbox({ name: "include_existing", value: "true", label: "Also create an event for each record that exists already", checked: sent.get("include_existing") === "true" })}
<div data-chosen><button class="primary">Subscribe</button></div>`,
      { className: "stack" },
    )}</div></section>`;
  }

  routes.page("/subscriptions/new", "developer", (visit) => showNew(visit, visit.query));

  routes.action("/subscriptions/new", "developer", async (visit, sent) => {
    const given = { connection: sent.get("connection") ?? "", operation: sent.get("operation") ?? "" };
    const operation = lists.find(({ id }) => id === given.operation);
    let created: SubscriptionRecord | undefined;
    const problem = await problemsOf(async () => {
      const { params, query } = operation
        ? readValues(operation, sent, subscribedInputs(operation))
        : { params: {}, query: {} };
      created = await visit.api.send("POST", "/platform/v1/subscriptions", {
        connection_id: given.connection,
        operation: given.operation,
        parameters: { ...params, ...query },
        interval_seconds: Number(sent.get("interval_seconds")),
        include_existing: sent.get("include_existing") === "true",
      });
    });
    if (problem) return showNew(visit, given, { sent, problem });
    return new Redirect(`/subscriptions/${created!.id}?done=subscribed`);
  });
}
