import type { Contact } from "../categories/crm.ts";
import { orNull } from "./optional.ts";
import { isoTime } from "./time.ts";

type Part = string | null | undefined;

/** A name from its parts, without those that are missing or blank. */
export const joinName = (...parts: Part[]): string =>
  parts
    .map((part) => part?.trim())
    .filter(Boolean)
    .join(" ");

/** A contact as a provider has it. What is left out or blank is null in the record. */
export interface RawContact {
  id: string;
  email: Part;
  first_name?: Part;
  last_name?: Part;
  /** Names to prefer to first and last name. */
  names?: Part[];
  phone?: Part;
  company_id?: Part;
  url?: Part;
  created_at?: Part | number;
  updated_at?: Part | number;
}

/** A contact must have a name: the first that is not blank, otherwise its email address, otherwise its ID. */
export function toContact({ id, names = [], ...raw }: RawContact): Contact {
  const email = orNull(raw.email);
  return {
    id,
    name: orNull(...names, joinName(raw.first_name, raw.last_name)) ?? email ?? id,
    email,
    first_name: orNull(raw.first_name),
    last_name: orNull(raw.last_name),
    phone: orNull(raw.phone),
    company_id: orNull(raw.company_id),
    url: orNull(raw.url),
    created_at: isoTime(raw.created_at),
    updated_at: isoTime(raw.updated_at),
  };
}
