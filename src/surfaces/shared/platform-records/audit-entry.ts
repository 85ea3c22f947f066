import Type, { type Static } from "typebox";
import { Nullable, NullableText, OneOf, Shape, Text, TextList, Timestamp } from "../../../categories/schema.ts";

export const AuditRecord = Shape("AuditEntry", {
  id: Text(),
  at: Timestamp(),
  actor: Shape("Actor", {
    kind: OneOf(["key", "person", "command", "system"]),
    id: NullableText("Of the API key, of the person, or the name of the user who ran the command"),
    name: NullableText(),
  }),
  action: Text("Such as `connection.delete`"),
  target: Shape("AuditTarget", { kind: Text("How the action begins"), id: NullableText() }),
  outcome: OneOf(["success", "refused"]),
  request_id: NullableText("Finds the request in the request log"),
  ip: NullableText("Where the request came from"),
  changes: Nullable(TextList("Names of the fields that were changed; never their values")),
  hash: Text("SHA-256 of the entry and of the hash before it"),
  previous_hash: Text("The hash of the entry before it; empty if there was none"),
});
export type AuditRecord = Static<typeof AuditRecord>;

export const AuditRecords = Type.Array(AuditRecord);
