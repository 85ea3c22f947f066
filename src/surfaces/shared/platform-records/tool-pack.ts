import Type, { type Static } from "typebox";
import { Nullable, OneOf, Shape, Text, TextList, Timestamp } from "../../../categories/schema.ts";

export const toolAccess = ["read", "write"] as const;

export const ToolPackRecord = Shape("ToolPack", {
  id: Text(),
  name: Text(),
  categories: Nullable(Type.Array(Type.String(), { description: "Only tools of these categories; null for all" })),
  tools: Nullable(Type.Array(Type.String(), { description: "Only these tools; null for all" })),
  access: OneOf(toolAccess, "`read`: without the tools that create, change or send something"),
  hide: TextList("Fields that records do not have, such as crm.contact.email"),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});
export type ToolPackRecord = Static<typeof ToolPackRecord>;
