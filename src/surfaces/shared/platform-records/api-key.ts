import type { Static } from "typebox";
import { NullableText, Shape, Text, Timestamp } from "../../../categories/schema.ts";

const apiKeyFields = {
  id: Text(),
  name: NullableText(),
  prefix: Text("The key's first characters"),
  created_at: Timestamp(),
};

export const ApiKeyRecord = Shape("ApiKey", apiKeyFields);
export type ApiKeyRecord = Static<typeof ApiKeyRecord>;

export const CreatedApiKey = Shape("CreatedApiKey", {
  ...apiKeyFields,
  api_key: Text("The key itself; shown only once"),
});
export type CreatedApiKey = Static<typeof CreatedApiKey>;
