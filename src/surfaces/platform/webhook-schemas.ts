import Type from "typebox";
import { Nullable, NullableText, NullableTimestamp, OneOf, Shape, Text, Timestamp } from "../../categories/schema.ts";
import { deliveryStates } from "../../contracts/webhooks.ts";
import { closed, Filter, InputText, MapOf, Paging } from "./schemas.ts";

const eventsDescription =
  "Types of events and whether it gets them: `connection.created`, `tasks.*` for all that begin so, `*` for all. Of several that cover a type, the longest counts";

const webhookFields = {
  id: Text(),
  name: Text(),
  url: Text("Where events are posted to"),
  events: MapOf<boolean>({ type: "boolean" }, eventsDescription),
  enabled: Type.Boolean({ description: "Whether it gets events" }),
  disabled_reason: NullableText("Why it was turned off, unless you did it yourself"),
  failing_since: NullableTimestamp("When its first failed attempt since the last success was"),
  created_at: Timestamp(),
  updated_at: Timestamp(),
};
export const WebhookRecord = Shape("Webhook", webhookFields);
export const CreatedWebhook = Shape("CreatedWebhook", {
  ...webhookFields,
  secret: Text("Its signatures are verified with it"),
});

export const WebhookSecret = Shape("WebhookSecret", { secret: Text("Its signatures are verified with it") });
export const RotatedSecret = Shape("RotatedWebhookSecret", {
  secret: Text("The new secret"),
  previous_secret_valid_until: Timestamp("Until then, what is sent has a signature with the previous secret as well"),
});

const fields = {
  name: InputText(200, "what it is for"),
  url: InputText(2_000, "where events are posted to"),
  events: MapOf<boolean>({ type: "boolean" }, eventsDescription, { maxProperties: 200 }),
  enabled: Type.Boolean({ description: "Whether it gets events" }),
};
export const NewWebhook = Type.Object(
  { name: fields.name, url: fields.url, events: fields.events, enabled: Type.Optional(fields.enabled) },
  { title: "NewWebhook", ...closed },
);
export const WebhookChange = Type.Object(
  {
    name: Type.Optional(fields.name),
    url: Type.Optional(fields.url),
    events: Type.Optional(fields.events),
    enabled: Type.Optional(fields.enabled),
  },
  { title: "WebhookChange", ...closed },
);

const AttemptRecord = Shape("DeliveryAttempt", {
  at: Timestamp(),
  status: Nullable(Type.Integer({ description: "Of the answer; null if there was none" })),
  error: NullableText("Why there was no answer"),
  duration_ms: Type.Integer(),
  answer: NullableText("The first 2 kB of the answer's body; null if it was empty"),
});

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
  attempts: Type.Array(AttemptRecord, { description: "Oldest first" }),
});

export const ListDeliveries = Type.Object({
  limit: Paging.limit,
  after: Filter("the id of the last entry of the previous page"),
  state: Type.Optional(OneOf(deliveryStates, "Only deliveries in this state")),
});

export const ResendFailed = Type.Object(
  { since: Type.String({ minLength: 1, maxLength: 50, description: "an ISO 8601 date and time" }) },
  { title: "ResendFailed", ...closed },
);
export const ResentDeliveries = Shape("ResentDeliveries", {
  count: Type.Integer({ description: "How many are being sent again" }),
});
