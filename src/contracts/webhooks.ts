import type { Job, LoggedEvent } from "./events.ts";
import type { PageRequest } from "./page.ts";

/** Per workspace. Limited because each event is a delivery for each webhook. */
export const MAX_WEBHOOKS = 100;

export interface Webhook {
  id: string;
  workspace_id: string;
  name: string;
  /** Encrypted at rest: it may contain a secret. */
  url: string;
  /** Types of events, or prefixes such as `tasks.*`, and whether it gets them. */
  events: Record<string, boolean>;
  enabled: boolean;
  /** Why Plugboard turned it off. Null if it is on, or its owner turned it off. */
  disabled_reason: string | null;
  /** When the first failed attempt since the last success was made. */
  failing_since: string | null;
  /** When an attempt was last made, at most a minute behind. */
  last_triggered_at: string | null;
  created_at: string;
  updated_at: string;
}

export type WebhookChange = Partial<Pick<Webhook, "name" | "url" | "events" | "enabled">>;

/** `pending`: there will be another attempt. `failed`: there will be none, unless it is sent again on request. */
export const deliveryStates = ["pending", "delivered", "failed"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** An event for a webhook: sent, to be sent, or given up. */
export interface Delivery {
  id: string;
  webhook_id: string;
  event_id: string;
  /** Of the event. */
  type: string;
  state: DeliveryState;
  next_attempt_at: string | null;
  created_at: string;
  attempts: DeliveryAttempt[];
}

export interface DeliveryAttempt {
  at: string;
  /** Of the answer; null if there was none. */
  status: number | null;
  /** Why there was no answer. */
  error: string | null;
  duration_ms: number;
  /** The beginning of the answer's body. Encrypted at rest. */
  answer: string | null;
}

/** What the worker of a webhook has to send now. */
export interface DueDeliveries {
  webhook: Pick<Webhook, "id" | "workspace_id" | "name" | "url" | "enabled" | "failing_since" | "last_triggered_at">;
  /** To sign with. Several during a rotation. */
  secrets: string[];
  deliveries: { id: string; tries: number; event: LoggedEvent }[];
  /** When the next delivery is due, if none is due now. */
  next_at: string | null;
}

/** The result of one attempt. */
export interface AttemptResult extends DeliveryAttempt {
  delivery_id: string;
  state: DeliveryState;
  next_attempt_at: string | null;
}

/** The webhook's state after attempts. A `disabled_reason` turns it off and emits `webhook.disabled`. */
export interface WebhookOutcome {
  was_failing_since: string | null;
  failing_since: string | null;
  /** Undefined if what is stored is recent enough. */
  last_triggered_at?: string | undefined;
  disabled_reason?: string | undefined;
}

export interface WebhookStore {
  webhooks: {
    create(
      webhook: Pick<Webhook, "id" | "workspace_id" | "name" | "url" | "events" | "enabled"> & { secret: string },
    ): Promise<Webhook>;
    get(workspaceId: string, id: string): Promise<Webhook | undefined>;
    list(workspaceId: string, page: PageRequest): Promise<Webhook[]>;
    /** Turning it on also clears its failures. */
    update(workspaceId: string, id: string, change: WebhookChange): Promise<Webhook | undefined>;
    delete(workspaceId: string, id: string): Promise<boolean>;
    /** Undefined if there is no such webhook, or the secret cannot be decrypted. */
    secret(workspaceId: string, id: string): Promise<string | undefined>;
    /** Signs with the new secret, and until `previousUntil` also with the current one. */
    rotateSecret(workspaceId: string, id: string, secret: string, previousUntil: string): Promise<boolean>;
    /** Logs a test event that only this webhook gets. */
    test(workspaceId: string, id: string): Promise<Delivery | undefined>;
    /** How many are turned off because their endpoints kept failing. */
    countDisabled(): Promise<number>;
  };

  deliveries: {
    get(workspaceId: string, id: string): Promise<Delivery | undefined>;
    /** Newest first. */
    list(
      workspaceId: string,
      webhookId: string,
      page: { after?: string; limit: number },
      filter: { state?: DeliveryState },
    ): Promise<Delivery[]>;
    /** Sends it again, now and with all further attempts. */
    resend(workspaceId: string, id: string): Promise<Delivery | undefined>;
    /** The same for all since then whose last attempt failed, with or without further attempts; returns how many. */
    resendFailed(workspaceId: string, webhookId: string, since: string): Promise<number>;

    /** What is due at this time. Undefined if there is no such webhook. */
    due(webhookId: string, at: string, limit: number): Promise<DueDeliveries | undefined>;
    /** Stores the results of attempts and the webhook's new state. Rejects with `JobLost` if the job was lost. */
    record(job: Job, results: readonly AttemptResult[], webhook: WebhookOutcome): Promise<void>;
  };
}
