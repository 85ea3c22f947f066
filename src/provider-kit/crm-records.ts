import type { Company, Deal } from "../categories/crm.ts";
import { orNull } from "./optional.ts";
import { isoTime } from "./time.ts";

type Part = string | null | undefined;
type Time = Part | number;

/** A company as a provider has it. What is left out or blank is null in the record. */
export interface RawCompany {
  id: string;
  name: Part;
  website?: Part;
  phone?: Part;
  url?: Part;
  created_at?: Time;
  updated_at?: Time;
}

/** The host of a website, which may be sent without a protocol. */
const domainOf = (website: string | null): string | null =>
  website &&
  (URL.parse(website.includes("://") ? website : `https://${website}`)?.hostname.replace(/^www\./, "") ?? null);

export const toCompany = ({ id, ...raw }: RawCompany): Company => ({
  id,
  name: orNull(raw.name) ?? domainOf(orNull(raw.website)),
  website: orNull(raw.website),
  phone: orNull(raw.phone),
  url: orNull(raw.url),
  created_at: isoTime(raw.created_at),
  updated_at: isoTime(raw.updated_at),
});

/** A deal as a provider has it. What is left out or blank is null in the record. */
export interface RawDeal {
  id: string;
  name: Part;
  /** A number, or a text that is one. */
  amount?: Part | number;
  currency?: Part;
  stage?: Part;
  company_id?: Part;
  closes_at?: Time;
  url?: Part;
  created_at?: Time;
  updated_at?: Time;
}

/** A blank text is no number, although `Number` takes it for zero. */
function toAmount(value: RawDeal["amount"]): number | null {
  const amount = typeof value === "string" && value.trim() === "" ? Number.NaN : Number(value ?? Number.NaN);
  return Number.isFinite(amount) ? amount : null;
}

export const toDeal = ({ id, ...raw }: RawDeal): Deal => ({
  id,
  name: orNull(raw.name),
  amount: toAmount(raw.amount),
  currency: orNull(raw.currency),
  stage: orNull(raw.stage),
  company_id: orNull(raw.company_id),
  closes_at: isoTime(raw.closes_at),
  url: orNull(raw.url),
  created_at: isoTime(raw.created_at),
  updated_at: isoTime(raw.updated_at),
});
