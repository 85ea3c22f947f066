import type { Contact } from "../categories/crm.ts";

type Part = string | null | undefined;

/** A name from its parts, without those that are missing or blank. */
export const joinName = (...parts: Part[]): string =>
  parts
    .map((part) => part?.trim())
    .filter(Boolean)
    .join(" ");

/** A contact must have a name: the first that is not blank, otherwise its email address, otherwise its ID. */
export function toContact(id: string, email: Part, ...names: Part[]): Contact {
  const address = email?.trim() || null;
  const name = names.map((given) => given?.trim()).find(Boolean);
  return { id, name: name ?? address ?? id, email: address };
}
