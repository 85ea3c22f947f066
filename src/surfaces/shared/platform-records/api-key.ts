import Type, { type Static } from "typebox";
import { Nullable, NullableText, NullableTimestamp, Shape, Text, Timestamp } from "../../../categories/schema.ts";
import { type Scope, scopes } from "../../../contracts/access.ts";

export const ScopeList = Type.Array(Type.Unsafe<Scope>({ type: "string", enum: [...scopes] }), {
  minItems: 1,
  maxItems: 50,
  description: "What the key may do. `write` includes `read`, and `*` is everything",
});

const apiKeyFields = {
  id: Text(),
  name: NullableText(),
  prefix: Text("The key's first characters"),
  scopes: ScopeList,
  expires_at: NullableTimestamp("When it stops working; null if it does not"),
  external_id: NullableText("It sees and uses only connections with this external id; null for all"),
  connection_ids: Nullable(
    Type.Array(Type.String(), { description: "It sees and uses only these connections; null for all" }),
  ),
  tool_pack_id: NullableText("What limits it to some tools of Unified MCP, the only place where it works then"),
  last_used_at: NullableTimestamp("At most a minute behind; null if it was not used yet"),
  created_at: Timestamp(),
};

export const ApiKeyRecord = Shape("ApiKey", apiKeyFields);
export type ApiKeyRecord = Static<typeof ApiKeyRecord>;

export const CreatedApiKey = Shape("CreatedApiKey", {
  ...apiKeyFields,
  api_key: Text("The key itself; shown only once"),
});
export type CreatedApiKey = Static<typeof CreatedApiKey>;
