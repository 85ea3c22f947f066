import Type, { type Static } from "typebox";
import {
  Nullable,
  NullableText,
  NullableTimestamp,
  OneOf,
  Shape,
  Text,
  Timestamp,
} from "../../../categories/schema.ts";
import { subscriptionStatuses, subscriptionTriggers } from "../../../contracts/subscriptions.ts";
import { closed, MapOf } from "./schema.ts";

/** Without a title: a schema that has one is not nullable where it is referred to. */
const Run = Type.Object(
  {
    started_at: Timestamp(),
    finished_at: NullableTimestamp("Null if it has not reached the end of the list: it continues with `next_run`"),
    kind: OneOf(["full", "incremental"], "`full`: the whole list. `incremental`: what was updated since the last run"),
    pages: Type.Integer(),
    records: Type.Integer({ description: "Records that were read" }),
    created: Type.Integer({ description: "Events of this kind" }),
    updated: Type.Integer({ description: "Events of this kind" }),
    deleted: Type.Integer({ description: "Events of this kind" }),
    error: NullableText("Why it stopped before the end of the list"),
  },
  closed,
);

export const SubscriptionRecord = Shape("Subscription", {
  id: Text(),
  connection_id: Text(),
  operation: Text("The list that is read, such as `tasks.listTasks`"),
  parameters: MapOf<string>({ type: "string" }, "The operation's own path and query parameters"),
  interval_seconds: Type.Integer(),
  full_walk_seconds: Type.Integer(),
  include_existing: Type.Boolean(),
  status: OneOf(
    subscriptionStatuses,
    "`sleeping`: its connection is invalid until the user connects again. `failing`: its last runs failed; it is still tried",
  ),
  reason: NullableText("Why it sleeps or fails"),
  failing_since: NullableTimestamp(),
  last_run: Nullable(Run),
  trigger: OneOf(
    subscriptionTriggers,
    "`webhook`: the provider's own webhook starts a run when something changes, and the list is read every `poll_with_webhook_seconds`. `polling`: the list is read every `interval_seconds`",
  ),
  trigger_reason: NullableText("Why it is polling; null with a webhook"),
  last_hint_at: NullableTimestamp("When the provider's webhook last said that something changed"),
  webhook_expires_at: NullableTimestamp("When the provider's webhook ends; it is renewed before that"),
  poll_with_webhook_seconds: Type.Integer({ description: "How often the list is read while a webhook starts it" }),
  next_run: NullableTimestamp("In the past while it runs; null if it is paused"),
  estimated_calls_per_day: Type.Integer({
    description: "Calls to the provider, judged by the last runs. Before the first, one call for each run",
  }),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});
export type SubscriptionRecord = Static<typeof SubscriptionRecord>;
