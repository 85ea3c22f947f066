import type { BoundOperation } from "../../../contracts/operation.ts";
import { html } from "../../../runtime/html.ts";
import type { SubscriptionRecord } from "../../shared/platform-records/subscription.ts";
import { type ApiError, problemsOf, withQuery } from "../api.ts";
import { BASE } from "../base.ts";
import { problemOf, problemSummary } from "../components/fields.ts";
import type { DashboardPage } from "../components/layout.ts";
import { card, exactTime, facts, head, mono } from "../components/ui.ts";
import { type PageVisit, Redirect, type Routes } from "../routes.ts";
import { intervalField, intervalText, runText, subscriptionState, triggerText } from "./subscriptions.ts";

/** What can be done with a subscription, and what the page says afterwards. */
const actions = { run: "started", pause: "saved", resume: "saved" };

export function subscriptionRoutes(routes: Routes, { operations }: { operations: readonly BoundOperation[] }): void {
  const pathOf = ({ params }: PageVisit) => `/subscriptions/${encodeURIComponent(params.id!)}`;
  const read = (visit: PageVisit) => visit.api.get<SubscriptionRecord>(`/platform/v1${pathOf(visit)}`);
  const titleOf = ({ operation }: SubscriptionRecord) =>
    operations.find(({ id }) => id === operation)?.summary ?? operation;

  async function show(visit: PageVisit, problem?: ApiError): Promise<DashboardPage> {
    const subscription = await read(visit);
    const { connection_id, operation, parameters, last_run, status, interval_seconds } = subscription;
    const path = pathOf(visit);
    const title = titleOf(subscription);
    const button = (action: keyof typeof actions, text: string) =>
      visit.form(`${path}/${action}`, html`<button>${text}</button>`);
    return {
      title,
      section: "subscriptions",
      ...(problem ? { status: 400, hasProblem: true } : {}),
      content: html`${head({
        title,
        trail: [["/subscriptions", "Subscriptions"]],
        lead: subscriptionState(subscription),
        actions: [
          ...(status === "paused"
            ? [button("resume", "Resume")]
            : [button("run", "Run now"), button("pause", "Pause")]),
          visit.link(`${path}/delete`, "Delete", "button danger"),
        ],
      })}
<div class="halves">
<section class="card"><div class="card-head"><h2>Details</h2></div><div class="in">${facts([
        ["Subscription id", mono(subscription.id)],
        ["Connection", html`<a href="${BASE}/connections/${connection_id}">${mono(connection_id)}</a>`],
        ["List", mono(operation)],
        ...Object.entries(parameters).map(([name, value]) => [`Parameter ${name}`, value] as const),
        ["How often", intervalText(interval_seconds)],
        ["Started by", triggerText(subscription)],
        ["Last webhook", subscription.last_hint_at && exactTime(subscription.last_hint_at)],
        ["Webhook ends", subscription.webhook_expires_at && exactTime(subscription.webhook_expires_at)],
        ["Last run", runText(subscription)],
        [
          "What it read",
          last_run && (last_run.kind === "full" ? "The whole list" : "What was updated since the run before"),
        ],
        ["Next run", subscription.next_run && exactTime(subscription.next_run)],
        ["Failing since", subscription.failing_since && exactTime(subscription.failing_since)],
        ["Calls to the provider", `About ${subscription.estimated_calls_per_day} a day`],
        ["Created", exactTime(subscription.created_at)],
        ["Events", html`<a href="${BASE}${withQuery("/events", { connection_id })}">Events of this connection</a>`],
      ])}</div></section>
${card(
  "Change it",
  visit.form(
    path,
    html`${problem && problemSummary(problem.fields, { interval_seconds: "How often" }, problem.message)}
${intervalField(interval_seconds, problem && problemOf(problem.fields, "interval_seconds"))}<div><button>Save</button></div>`,
    { className: "stack" },
  ),
)}
</div>`,
    };
  }

  routes.page("/subscriptions/:id", "viewer", (visit) => show(visit));

  routes.action("/subscriptions/:id", "developer", async (visit, form) => {
    const change = { interval_seconds: Number(form.get("interval_seconds")) };
    const problem = await problemsOf(() => visit.api.send("PATCH", `/platform/v1${pathOf(visit)}`, change));
    return problem ? show(visit, problem) : new Redirect(`${pathOf(visit)}?done=saved`);
  });

  for (const [action, done] of Object.entries(actions))
    routes.action(`/subscriptions/:id/${action}`, "developer", async (visit) => {
      await visit.api.send("POST", `/platform/v1${pathOf(visit)}/${action}`);
      return new Redirect(`${pathOf(visit)}?done=${done}`);
    });

  routes.page("/subscriptions/:id/delete", "developer", async (visit) => {
    const subscription = await read(visit);
    const title = "Delete this subscription?";
    return {
      title,
      section: "subscriptions",
      content: html`${head({
        title,
        trail: [
          ["/subscriptions", "Subscriptions"],
          [`/subscriptions/${subscription.id}`, titleOf(subscription)],
        ],
      })}
<section class="card in stack"><p>Changes of the list are no longer noticed. Events that exist stay in the log.</p>
${visit.form(
  `${pathOf(visit)}/delete`,
  html`<button class="danger">Delete the subscription</button><a class="button" href="${BASE}${pathOf(visit)}">Keep it</a>`,
  { className: "row" },
)}</section>`,
    };
  });

  routes.action("/subscriptions/:id/delete", "developer", async (visit) => {
    await visit.api.send("DELETE", `/platform/v1${pathOf(visit)}`);
    return new Redirect("/subscriptions?done=subscription-deleted");
  });
}
