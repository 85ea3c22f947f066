import type { JobKind } from "../../contracts/events.ts";
import type { HookState } from "../../contracts/hooks.ts";
import type { SubscriptionStatus } from "../../contracts/subscriptions.ts";
import type { DeliveryState } from "../../contracts/webhooks.ts";
import type { Encrypted, Json, Time } from "./column-types.ts";

/** The tables of events, webhooks and subscriptions. */
export interface EventTables {
  events: EventRow;
  event_positions: EventPositionRow;
  jobs: JobRow;
  webhooks: WebhookRow;
  deliveries: DeliveryRow;
  delivery_attempts: DeliveryAttemptRow;
  subscriptions: SubscriptionRow;
  tracked_records: TrackedRecordRow;
  walk_checkpoints: WalkCheckpointRow;
  hooks: HookRow;
}

export interface EventRow {
  id: string;
  workspace_id: string;
  type: string;
  connection_id: string | null;
  payload: Encrypted;
  /** Its position in the log; null until it is published. */
  position: number | null;
  created_at: Time;
}

/** Its only row has the last position of the event log. */
interface EventPositionRow {
  id: number;
  last: number;
}

interface JobRow {
  id: string;
  kind: JobKind;
  due_at: Time;
  /** 0 if it is not claimed. */
  lease_expires_at: Time;
  /** Which claim may change the row. */
  owner: string | null;
  /** How often it was woken. */
  wakes: number;
  /** How often a hint arrived. */
  hints: number;
  /** A hint does not make it due earlier. */
  not_before: Time;
}

export interface HookRow {
  /** Also of its job. */
  id: string;
  workspace_id: string;
  connection_id: string;
  integration_id: string;
  target: string;
  state: HookState;
  reason: string | null;
  secret: Encrypted | null;
  remote: Encrypted | null;
  account: string | null;
  made_at: Time | null;
  expires_at: Time | null;
  last_hint_at: Time | null;
  missed_at: Time | null;
  created_at: Time;
  updated_at: Time;
}

export interface SubscriptionRow {
  /** Also of its job. */
  id: string;
  workspace_id: string;
  connection_id: string;
  operation: string;
  parameters: Json;
  interval_seconds: number;
  full_walk_seconds: number;
  include_existing: number;
  /** Null for the default. */
  poll_with_webhook_seconds: number | null;
  hook_target: string | null;
  hook_reason: string | null;
  full_hint_at: Time | null;
  status: SubscriptionStatus;
  reason: string | null;
  failing_since: Time | null;
  last_run: Json | null;
  progress: Json;
  created_at: Time;
  updated_at: Time;
}

interface TrackedRecordRow {
  subscription_id: string;
  record_id: string;
  hash: string;
  missed_since: number;
  updated_at: Time;
}

interface WalkCheckpointRow {
  subscription_id: string;
  number: number;
  walk: Json;
  /** Base64. */
  seen: string;
}

export interface WebhookRow {
  id: string;
  workspace_id: string;
  name: string;
  url: Encrypted;
  events: Json;
  enabled: number;
  disabled_reason: string | null;
  failing_since: Time | null;
  last_triggered_at: Time | null;
  secret: Encrypted;
  /** Also signed with for some time after a rotation. */
  previous_secret: Encrypted | null;
  previous_secret_expires_at: Time | null;
  created_at: Time;
  updated_at: Time;
}

export interface DeliveryRow {
  id: string;
  workspace_id: string;
  webhook_id: string;
  event_id: string;
  state: DeliveryState;
  /** Attempts since it was created or sent again. */
  tries: number;
  /** Null unless it is pending. */
  next_attempt_at: Time | null;
  created_at: Time;
}

export interface DeliveryAttemptRow {
  id: string;
  delivery_id: string;
  status: number | null;
  error: string | null;
  duration_ms: number;
  answer: Encrypted | null;
  created_at: Time;
}
