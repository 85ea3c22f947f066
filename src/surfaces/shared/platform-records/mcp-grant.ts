import Type, { type Static } from "typebox";
import { NullableText, NullableTimestamp, OneOf, Shape, Text, Timestamp } from "../../../categories/schema.ts";

export const McpGrantRecord = Shape("McpGrant", {
  id: Text(),
  client_id: Text("The client's id, or the address of its metadata document"),
  client_name: Text("The name that the client has chosen itself"),
  redirect_host: Text("The host that got the access; the scheme with its colon if it is an app's own"),
  external_id: NullableText("The user who gave it; null if it was somebody with a key or a dashboard session"),
  actor: Shape("McpGrantActor", {
    kind: OneOf(["key", "person", "command", "system"], "What they are"),
    id: NullableText(),
    name: NullableText(),
  }),
  connection_ids: Type.Array(Type.String(), { description: "The connections that the client may use" }),
  access: OneOf(["read", "write"], "Whether the client may only read, or also create, change and send"),
  call_api: Type.Boolean({
    description:
      "Whether the client may also call the providers' own APIs; with the access `read` only to read, and not with a tool pack",
  }),
  tool_pack_id: NullableText("The tool pack that limits it"),
  resource: Text("The address that its tokens are for"),
  expires_at: NullableTimestamp("When it ends; null if only when it is revoked, or not used for 30 days"),
  last_used_at: NullableTimestamp("At most a minute behind; null if it was not used yet"),
  created_at: Timestamp(),
});
export type McpGrantRecord = Static<typeof McpGrantRecord>;

export const McpSignInRecord = Shape("McpSignIn", {
  id: Text("The request"),
  url: Text("Where to send the user's browser next: it works only in the one that began"),
  client_name: Text("The name that the client has chosen itself"),
  expires_at: Timestamp("Until when the user can decide"),
});
