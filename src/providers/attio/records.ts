import { type Contact, toContact } from "../../provider-kit/index.ts";

// Only the fields that are read here. Every attribute is a list of values, empty if there is none.
export interface AttioRecord<Values> {
  id: { record_id: string };
  web_url?: string | null;
  created_at?: string | null;
  values: Values;
}
export type Reference = { target_record_id?: string | null }[];

export type AttioPerson = AttioRecord<{
  name?: { full_name?: string | null; first_name?: string | null; last_name?: string | null }[];
  email_addresses?: { email_address?: string | null }[];
  phone_numbers?: { phone_number?: string | null }[];
  company?: Reference;
}>;

export function contactRecord({ id, values, web_url, created_at }: AttioPerson): Contact {
  const [name] = values.name ?? [];
  return toContact({
    id: id.record_id,
    email: values.email_addresses?.[0]?.email_address,
    names: [name?.full_name],
    first_name: name?.first_name,
    last_name: name?.last_name,
    phone: values.phone_numbers?.[0]?.phone_number,
    company_id: values.company?.[0]?.target_record_id,
    url: web_url,
    created_at,
  });
}
