import type { Static } from "typebox";
import { category, list } from "./define.ts";
import { NullableText, Shape, Text } from "./schema.ts";

export const Contact = Shape("Contact", {
  id: Text(),
  name: Text(),
  email: NullableText("Email address"),
});
export type Contact = Static<typeof Contact>;

export const crm = category(
  "crm",
  "CRM",
  {},
  {
    listContacts: list("/contacts", Contact, "List contacts"),
  },
);
