// The SDK's types of events: what a webhook receives, by the event's type.
import { ownEventTypes, recordChanges, recordEventType } from "../../src/categories/event-types.ts";
import type { BoundOperation } from "../../src/contracts/operation.ts";
import type { JsonSchema } from "./schema.ts";
import { typeOf } from "./types.ts";

/** Only sent on request, to one webhook. */
export const TEST_EVENT_TYPE = "webhook.test";

const dataOf = (type: string) => (type.startsWith("connection.") ? "Connection" : "Record<string, unknown>");

export function eventTypes(operations: readonly BoundOperation[]): string {
  const lists = operations.filter(({ kind }) => kind === "list");
  const records = lists.map(({ record }) => typeOf(record as JsonSchema));
  const own = [...ownEventTypes, TEST_EVENT_TYPE].map((type) => `  "${type}": ${dataOf(type)};`);
  const changes = lists.flatMap((operation, index) =>
    recordChanges.map((change) => {
      // Nothing but its ID is known of a record that is gone.
      const record = change === "deleted" ? `Partial<${records[index]}>` : records[index];
      return `  "${recordEventType(operation, change)}": RecordEventData<${record}>;`;
    }),
  );
  return `// Written by \`npm run gen\` from the table of operations. Do not edit.
import type { Connection } from "./platform.gen.ts";
import type { ${[...new Set(records)].toSorted().join(", ")} } from "./unified.gen.ts";

/** What a subscription reports about a record. */
export interface RecordEventData<T> {
  subscription_id: string;
  connection_id: string;
  external_id: string | null;
  record: T;
}

/** The \`data\` of each type of event. */
export interface EventData {
${[...own, ...changes].join("\n")}
}

/** An event as a webhook has it. Its \`type\` says what \`data\` is. */
export type WebhookEvent = {
  [Type in keyof EventData]: {
    type: Type;
    /** When it happened, or was noticed, in ISO 8601 */
    timestamp: string;
    data: EventData[Type];
  };
}[keyof EventData];
`;
}
