import Type, { type Static } from "typebox";
import { NullableText, NullableTimestamp, OneOf, Shape, Text, Timestamp } from "../../../categories/schema.ts";
import { deliveryStates } from "../../../contracts/webhooks.ts";
import { MapOf, NullableInteger } from "./schema.ts";

export const eventsDescription =
  "Types of events and whether it gets them: `connection.created`, `tasks.*` for every type that starts with `tasks.`, `*` for all. If several match a type, the longest counts";

const webhookFields = {
  id: Text(),
  name: Text(),
  url: Text("Where events are posted to"),
  events: MapOf<boolean>({ type: "boolean" }, eventsDescription),
  enabled: Type.Boolean({ description: "Whether it gets events" }),
  disabled_reason: NullableText("Why Plugboard turned it off; null if it is on, or you turned it off"),
  failing_since: NullableTimestamp("When the first failed attempt since the last success was made"),
  last_triggered_at: NullableTimestamp(
    "When something was last sent to it, successfully or not, at most a minute behind; null before that",
  ),
  created_at: Timestamp(),
  updated_at: Timestamp(),
};
export const WebhookRecord = Shape("Webhook", webhookFields);
export type WebhookRecord = Static<typeof WebhookRecord>;

export const CreatedWebhook = Shape("CreatedWebhook", {
  ...webhookFields,
  secret: Text("The secret that its signatures are verified with"),
});
export type CreatedWebhook = Static<typeof CreatedWebhook>;

export const WebhookSecret = Shape("WebhookSecret", {
  secret: Text("The secret that its signatures are verified with"),
});
export const RotatedSecret = Shape("RotatedWebhookSecret", {
  secret: Text("The new secret"),
  previous_secret_valid_until: Timestamp("Until then, what is sent has a signature with the previous secret as well"),
});
export type RotatedSecret = Static<typeof RotatedSecret>;

export const DeliveryAttemptRecord = Shape("DeliveryAttempt", {
  at: Timestamp(),
  status: NullableInteger("Of the answer; null if there was none"),
  error: NullableText("Why there was no answer"),
  duration_ms: Type.Integer(),
  answer: NullableText("The first 2 kB of the answer's body; null if it was empty"),
});
export type DeliveryAttemptRecord = Static<typeof DeliveryAttemptRecord>;

export const DeliveryRecord = Shape("Delivery", {
  id: Text(),
  webhook_id: Text(),
  event_id: Text("The event's id, and the `webhook-id` that is sent"),
  type: Text("The event's type"),
  state: OneOf(
    deliveryStates,
    "`pending`: there will be another attempt; `failed`: there will be none, unless you send it again",
  ),
  next_attempt_at: NullableTimestamp("When the next attempt is, at the earliest"),
  created_at: Timestamp(),
  attempts: Type.Array(DeliveryAttemptRecord, { description: "Oldest first" }),
});
export type DeliveryRecord = Static<typeof DeliveryRecord>;

export const ResentDeliveries = Shape("ResentDeliveries", {
  count: Type.Integer({ description: "How many are being sent again" }),
});
