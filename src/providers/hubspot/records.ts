import { type Contact, toContact } from "../../provider-kit/index.ts";

// Only the fields that are read here. A property without a value is null, or missing if it was not requested.
export interface HubSpotObject<Property extends string = string> {
  id: string;
  properties: { [name in Property]?: string | null };
  url?: string | null;
  createdAt?: string | null;
  updatedAt?: string | null;
  /** Only if they were requested, and only of the kinds that the object has. */
  associations?: Record<string, { results: { id: string; type: string }[] }>;
}

export const CONTACT = ["email", "firstname", "lastname", "phone", "associatedcompanyid"] as const;
export type HubSpotContact = HubSpotObject<(typeof CONTACT)[number]>;

export const contactRecord = ({ id, properties, url, createdAt, updatedAt }: HubSpotContact): Contact =>
  toContact({
    id,
    email: properties.email,
    first_name: properties.firstname,
    last_name: properties.lastname,
    phone: properties.phone,
    company_id: properties.associatedcompanyid,
    url,
    created_at: createdAt,
    updated_at: updatedAt,
  });
