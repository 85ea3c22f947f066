import type { BoundOperation } from "../../../contracts/operation.ts";
import { html } from "../../../runtime/html.ts";
import type { CreatedWebhook, WebhookRecord } from "../../shared/platform-records/webhook.ts";
import { type ApiError, problemsOf } from "../api.ts";
import { BASE } from "../base.ts";
import type { DashboardPage } from "../components/layout.ts";
import { readPage } from "../components/lists.ts";
import { breakable, card, copyable, dotTag, empty, head, pager, table, time } from "../components/ui.ts";
import { eventText, readWebhookForm, webhookFields } from "../components/webhook-form.ts";
import type { PageVisit, Routes } from "../routes.ts";

const PAGE_SIZE = 50;

export const webhookState = ({ enabled, failing_since }: WebhookRecord) => {
  if (!enabled) return dotTag("Off", "warn");
  return failing_since ? dotTag("Failing", "bad") : dotTag("On", "good");
};

interface WebhooksPageState {
  sent?: URLSearchParams;
  problem?: ApiError | undefined;
  created?: CreatedWebhook;
}

export function webhookListRoutes(routes: Routes, { operations }: { operations: readonly BoundOperation[] }): void {
  async function show(visit: PageVisit, { sent, problem, created }: WebhooksPageState = {}): Promise<DashboardPage> {
    const { after } = visit.query;
    const { rows, next } = await readPage<WebhookRecord>(visit.api, "/platform/v1/webhooks", { after }, PAGE_SIZE);
    return {
      title: "Webhooks",
      section: "webhooks",
      ...(problem ? { status: 400, hasProblem: true } : {}),
      content: html`${head({
        title: "Webhooks",
        lead: "Addresses of yours that get events as they happen, signed by the Standard Webhooks specification.",
      })}
${
  created &&
  html`<section class="card in stack" role="status"><h2>The webhook was created</h2><p>Your receiver verifies the signatures with this secret.</p>${copyable("webhook-secret", "Secret", created.secret)}<p><a href="${BASE}/webhooks/${created.id}">Send a test event from its page</a></p></section>`
}
<section class="card">${
        rows.length === 0
          ? empty("No webhooks yet", visit.maySend("/webhooks") && "Add the address of your receiver below.")
          : table(
              "Webhooks",
              [
                {
                  label: "Name",
                  cell: ({ id, name, url }) =>
                    html`<a href="${BASE}/webhooks/${id}">${breakable(name)}</a><span class="quiet">${breakable(url)}</span>`,
                },
                { label: "State", cell: (webhook) => webhookState(webhook) },
                {
                  label: "Events",
                  cell: eventText,
                  kind: "wide-only",
                },
                { label: "Last sent", cell: ({ last_triggered_at }) => time(last_triggered_at) },
                { label: "Created", cell: ({ created_at }) => time(created_at), kind: "wide-only" },
              ],
              rows,
            )
      }${pager(`${rows.length} webhooks`, { first: after && "/webhooks", next: next && `/webhooks?after=${next}` })}</section>
${card("New webhook", visit.form("/webhooks", html`${webhookFields({ operations, sent, problem })}<div><button class="primary">Create the webhook</button></div>`, { className: "stack" }))}`,
    };
  }

  routes.page("/webhooks", "viewer", (visit) => show(visit));

  routes.action("/webhooks", "developer", async (visit, sent) => {
    let created: CreatedWebhook | undefined;
    const problem = await problemsOf(async () => {
      created = await visit.api.send("POST", "/platform/v1/webhooks", readWebhookForm(sent));
    });
    return show(visit, problem ? { sent, problem } : { created: created! });
  });
}
