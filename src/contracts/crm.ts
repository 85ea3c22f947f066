import type { Static } from "typebox";
import { category, list } from "./operation.ts";
import { NullableText, Shape, Text } from "./schema.ts";

export const Contact = Shape("Contact", {
  id: Text(),
  name: Text(),
  email: NullableText("An e-mail address"),
});
export type Contact = Static<typeof Contact>;

type Part = string | null | undefined;

/** A name from its parts, without those that are missing or blank. */
export const joinName = (...parts: Part[]): string =>
  parts
    .map((part) => part?.trim())
    .filter(Boolean)
    .join(" ");

/** A contact must have a name: the first that is not blank, else its e-mail address, else its id. */
export function toContact(id: string, email: Part, ...names: Part[]): Contact {
  const address = email?.trim() || null;
  const name = names.map((given) => given?.trim()).find(Boolean);
  return { id, name: name ?? address ?? id, email: address };
}

export const crm = category(
  "crm",
  "CRM",
  {},
  {
    listContacts: list("/contacts", Contact, "List contacts"),
  },
);
