/** What Plugboard tells your application by webhook. */
export interface WebhookEvent {
  /** `connection.created`, `tasks.task.updated`, … */
  type: string;
  /** When it happened, in ISO 8601. */
  timestamp: string;
  data: Record<string, unknown>;
}
