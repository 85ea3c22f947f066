import Type, { type Static } from "typebox";
import { NullableText, Shape, Text, Timestamp } from "../../../categories/schema.ts";

export const EventRecord = Shape("Event", {
  id: Text("The same as the `webhook-id` of its deliveries"),
  type: Text("What happened, such as `connection.created` or `tasks.task.updated`"),
  timestamp: Timestamp("When it happened, or was noticed"),
  connection_id: NullableText(),
  data: Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true }),
});
export type EventRecord = Static<typeof EventRecord>;

export const EventPage = Shape("EventPage", {
  data: Type.Array(EventRecord),
  next: Text(
    "Pass it as `after`, or as `before` if you read backwards, to continue. Always present: if there are no new events, try again later",
  ),
});
export type EventPage = Static<typeof EventPage>;
