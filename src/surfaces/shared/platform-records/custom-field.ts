import type { Static } from "typebox";
import { NullableText, OneOf, Shape, Text, Timestamp } from "../../../categories/schema.ts";
import { customFieldTypes } from "../../../contracts/custom-fields.ts";
import { MapOf } from "./schema.ts";

export const CustomFieldRecord = Shape("CustomField", {
  id: Text(),
  record: Text("The record that has it, such as crm.contact"),
  name: Text("Its name in `custom`"),
  type: OneOf(customFieldTypes),
  paths: MapOf<string>({ type: "string" }, "Where it is in the provider's own item, as a JSON Pointer, by provider"),
  integration_id: NullableText("Only for connections of this integration; null for all"),
  connection_id: NullableText("Only for this connection; null for all"),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});
export type CustomFieldRecord = Static<typeof CustomFieldRecord>;
