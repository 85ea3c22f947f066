import type { BoundOperation } from "../../../contracts/operation.ts";
import { type Html, html } from "../../../runtime/html.ts";
import type {
  DeliveryAttemptRecord,
  DeliveryRecord,
  RotatedSecret,
  WebhookRecord,
} from "../../shared/platform-records/webhook.ts";
import { type ApiError, problemsOf, withQuery } from "../api.ts";
import { BASE } from "../base.ts";
import { field } from "../components/fields.ts";
import type { DashboardPage } from "../components/layout.ts";
import { readPage } from "../components/lists.ts";
import { milliseconds } from "../components/request-table.ts";
import {
  card,
  copyable,
  dotTag,
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
import { eventText, readWebhookForm, webhookFields } from "../components/webhook-form.ts";
import { type PageVisit, Redirect, type Routes } from "../routes.ts";
import { webhookState } from "./webhooks.ts";

const PAGE_SIZE = 25;
const DAY_MS = 86_400_000;
const states: Record<string, Html> = {
  pending: dotTag("Pending", "warn"),
  delivered: dotTag("Delivered", "good"),
  failed: dotTag("Failed", "bad"),
};

interface WebhookPageState {
  result?: Html;
  sent?: URLSearchParams;
  problem?: ApiError | undefined;
}

export function webhookRoutes(routes: Routes, { operations }: { operations: readonly BoundOperation[] }): void {
  const pathOf = ({ params }: PageVisit) => `/webhooks/${encodeURIComponent(params.id!)}`;

  async function show(visit: PageVisit, { result, sent, problem }: WebhookPageState = {}): Promise<DashboardPage> {
    const { api, form, maySend, query } = visit;
    const path = pathOf(visit);
    const { state = "", after } = query;
    const [webhook, { rows, next }] = await Promise.all([
      api.get<WebhookRecord>(`/platform/v1${path}`),
      // Always newest first.
      readPage<DeliveryRecord>(api, `/platform/v1${path}/deliveries`, { state, after, order: undefined }, PAGE_SIZE),
    ]);
    return {
      title: webhook.name,
      section: "webhooks",
      ...(problem ? { status: 400, hasProblem: true } : {}),
      content: html`${head({
        title: webhook.name,
        trail: [["/webhooks", "Webhooks"]],
        lead: webhookState(webhook),
        actions: [
          webhook.enabled && form(`${path}/test`, html`<button class="primary">Send a test event</button>`),
          form(
            `${path}/enabled`,
            html`<button name="enabled" value="${webhook.enabled ? "false" : "true"}">Turn it ${webhook.enabled ? "off" : "on"}</button>`,
          ),
          form(`${path}/rotate`, html`<button>New secret</button>`),
          visit.link(`${path}/delete`, "Delete", "button danger"),
        ],
      })}
${result}
<section class="card"><div class="card-head"><h2>Deliveries</h2>${form(`${path}/resend`, html`<button class="small">Send the failed ones of the last day again</button>`)}</div>
<form method="get" action="${BASE}${path}" class="filters" role="search">${field({ name: "state", label: "State", value: state, options: [["", "All"], ...Object.keys(states).map((one) => [one, one] as const)] })}<button>Search</button></form>
${
  rows.length === 0
    ? empty("No deliveries", webhook.enabled ? maySend(path) && "Send a test event to see one." : "The webhook is off.")
    : table(
        "Deliveries",
        [
          { label: "State", cell: ({ state }) => states[state] ?? state },
          {
            label: "Event",
            cell: ({ type, event_id }) => html`${type}<span class="quiet mono wide-only">${event_id}</span>`,
          },
          { label: "Attempts", cell: ({ attempts }) => attemptList(attempts) },
          { label: "When", cell: ({ created_at }) => time(created_at) },
          ...(maySend(path) ? [resendColumn(visit)] : []),
        ],
        rows,
      )
}
${pager(`${rows.length} deliveries`, { first: after && withQuery(path, { state }), next: next && withQuery(path, { state, after: next }) })}
</section>
<div class="halves">
<section class="card"><div class="card-head"><h2>Details</h2></div><div class="in">${facts([
        ["Webhook id", mono(webhook.id)],
        ["URL", webhook.url],
        ["Events", eventText(webhook)],
        ["Why it is off", webhook.disabled_reason],
        ["Failing since", webhook.failing_since && exactTime(webhook.failing_since)],
        ["Last sent", webhook.last_triggered_at ? exactTime(webhook.last_triggered_at) : "Never"],
        ["Created", exactTime(webhook.created_at)],
      ])}</div></section>
${card("Change it", form(path, html`${webhookFields({ operations, current: webhook, sent, problem })}<div><button>Save</button></div>`, { className: "stack" }))}
</div>`,
    };
  }

  const resendColumn = (visit: PageVisit): TableColumn<DeliveryRecord> => ({
    label: "Action",
    cell: ({ id, type }) =>
      visit.form(
        `${pathOf(visit)}/deliveries/${id}/resend`,
        html`<button class="small" title="Send ${type} again">Send again</button>`,
      ),
    kind: "number",
  });

  routes.page("/webhooks/:id", "viewer", (visit) => show(visit));

  routes.action("/webhooks/:id", "developer", async (visit, sent) => {
    const problem = await problemsOf(() =>
      visit.api.send("PATCH", `/platform/v1${pathOf(visit)}`, readWebhookForm(sent)),
    );
    return problem ? show(visit, { sent, problem }) : new Redirect(`${pathOf(visit)}?done=saved`);
  });

  routes.action("/webhooks/:id/enabled", "developer", async (visit, form) => {
    await visit.api.send("PATCH", `/platform/v1${pathOf(visit)}`, { enabled: form.get("enabled") === "true" });
    return new Redirect(`${pathOf(visit)}?done=saved`);
  });

  routes.action("/webhooks/:id/test", "developer", async (visit) => {
    await visit.api.send("POST", `/platform/v1${pathOf(visit)}/test`);
    return new Redirect(`${pathOf(visit)}?done=sent`);
  });

  routes.action("/webhooks/:id/resend", "developer", async (visit) => {
    const since = new Date(Date.now() - DAY_MS).toISOString();
    await visit.api.send("POST", `/platform/v1${pathOf(visit)}/resend`, { since });
    return new Redirect(`${pathOf(visit)}?done=sent`);
  });

  routes.action("/webhooks/:id/deliveries/:delivery/resend", "developer", async (visit) => {
    await visit.api.send("POST", `/platform/v1/deliveries/${encodeURIComponent(visit.params.delivery!)}/resend`);
    return new Redirect(`${pathOf(visit)}?done=sent`);
  });

  routes.action("/webhooks/:id/rotate", "developer", async (visit) => {
    const { secret, previous_secret_valid_until } = await visit.api.send<RotatedSecret>(
      "POST",
      `/platform/v1${pathOf(visit)}/rotate-secret`,
    );
    return show(visit, {
      result: html`<section class="card in stack" role="status"><h2>The new secret</h2><p>Until ${exactTime(previous_secret_valid_until)}, events are signed with both.</p>${copyable("webhook-secret", "Secret", secret)}</section>`,
    });
  });

  routes.page("/webhooks/:id/delete", "developer", async (visit) => {
    const { name } = await visit.api.get<WebhookRecord>(`/platform/v1${pathOf(visit)}`);
    return {
      title: `Delete ${name}?`,
      section: "webhooks",
      content: html`${head({ title: `Delete ${name}?`, trail: [["/webhooks", "Webhooks"]] })}
<section class="card in stack"><p>It gets no more events, and its deliveries are deleted.</p>
${visit.form(`${pathOf(visit)}/delete`, html`<button class="danger">Delete the webhook</button><a class="button" href="${BASE}${pathOf(visit)}">Keep it</a>`, { className: "row" })}</section>`,
    };
  });

  routes.action("/webhooks/:id/delete", "developer", async (visit) => {
    await visit.api.send("DELETE", `/platform/v1${pathOf(visit)}`);
    return new Redirect("/webhooks?done=webhook-deleted");
  });
}

/** What the receiver answered to each attempt. */
const attemptList = (attempts: readonly DeliveryAttemptRecord[]): Html =>
  attempts.length === 0
    ? html`none yet`
    : html`<ul class="plain">${attempts.map(
        ({ at, status, error, duration_ms, answer }) =>
          html`<li>${status === null ? tag("No answer", "bad") : statusTag(status)} ${milliseconds(duration_ms)}, ${time(at)}${error && html`<span class="quiet">${error}</span>`}${answer && html`<span class="quiet">${answer.slice(0, 200)}</span>`}</li>`,
      )}</ul>`;
