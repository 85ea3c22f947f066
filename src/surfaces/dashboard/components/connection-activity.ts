// What happened over one connection lately: requests, events, subscriptions.
import type { Static } from "typebox";
import { type Html, html } from "../../../runtime/html.ts";
import type { EventPage, EventRecord } from "../../shared/platform-records/event.ts";
import type { LogRecord } from "../../shared/platform-records/log-entry.ts";
import type { SubscriptionRecord } from "../../shared/platform-records/subscription.ts";
import type { Api } from "../api.ts";
import { BASE } from "../base.ts";
import type { PageVisit } from "../routes.ts";
import { errorSources, outcomeText, requestColumns } from "./request-table.ts";
import { empty, table, tag, time } from "./ui.ts";

const SHOWN = 5;
/** So many requests in a row that fail are no accident. */
const FAILURES_IN_A_ROW = 3;

type Subscription = Static<typeof SubscriptionRecord>;

export interface Activity {
  requests: LogRecord[];
  lastError: LogRecord | undefined;
  events: EventRecord[];
  subscriptions: Subscription[];
}

export async function readActivity(api: Api, connection_id: string): Promise<Activity> {
  const logs = (query: object) =>
    api.get<LogRecord[]>("/platform/v1/logs", { connection_id, platform_reads: false, limit: SHOWN, ...query });
  const [requests, [lastError], events, subscriptions] = await Promise.all([
    logs({}),
    logs({ error_source: "any", limit: 1 }),
    api.get<EventPage>("/platform/v1/events", { connection_id, before: "latest", limit: SHOWN }),
    api.get<Subscription[]>("/platform/v1/subscriptions", { connection_id }),
  ]);
  return { requests, lastError, events: events.data, subscriptions };
}

/** Whether the latest requests all failed, other than by mistakes of the application. */
export const isFailing = ({ requests }: Activity): boolean =>
  requests.length > 0 &&
  requests.slice(0, FAILURES_IN_A_ROW).every(({ error_source: source }) => source && source !== "application");

export const activityCards = (
  { params: { id }, link }: PageVisit,
  { requests, lastError, events, subscriptions }: Activity,
): Html => html`
<section class="card"><div class="card-head"><h2>Latest requests</h2>${requests.length > 0 && html`<a href="${BASE}/requests?connection_id=${id}">All requests</a>`}</div>
${lastError && html`<p class="in">Last error ${time(lastError.created_at)}: <a href="${BASE}/requests/${lastError.id}">${errorSources[lastError.error_source!]}, ${outcomeText(lastError.outcome ?? String(lastError.status))}</a></p>`}
${requests.length > 0 ? table("Latest requests", requestColumns, requests) : empty("None in the last seven days", link(`/explorer?connection=${id}`, "Make a call in the explorer."))}
</section>
<div class="halves">
<section class="card"><div class="card-head"><h2>Events</h2>${events.length > 0 && html`<a href="${BASE}/events?connection_id=${id}">All events</a>`}</div>
${
  events.length > 0
    ? table(
        "Events",
        [
          { label: "Type", cell: ({ type }) => type },
          { label: "When", cell: ({ timestamp }) => time(timestamp) },
        ],
        events,
      )
    : empty("None", "Events about the connection and its records appear here.")
}</section>
<section class="card"><div class="card-head"><h2>Subscriptions</h2></div>
${
  subscriptions.length > 0
    ? table(
        "Subscriptions",
        [
          { label: "List", cell: ({ operation }) => operation },
          {
            label: "State",
            cell: ({ status, reason }) =>
              html`${tag(status, status === "active" ? "good" : "warn")}${reason && html`<span class="quiet">${reason}</span>`}`,
          },
          { label: "Last run", cell: ({ last_run }) => time(last_run?.started_at ?? null) },
        ],
        subscriptions,
      )
    : empty("None", "A subscription makes events of what changes in a list.")
}</section>
</div>`;
