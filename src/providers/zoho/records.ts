import { type Contact, type Context, toContact } from "../../provider-kit/index.ts";

// Only the fields that are requested.
export interface ZohoRecord {
  id: string;
  Created_Time?: string | null;
  Modified_Time?: string | null;
}
export interface ZohoContact extends ZohoRecord {
  Full_Name?: string | null;
  First_Name?: string | null;
  Last_Name?: string | null;
  Email?: string | null;
  Phone?: string | null;
  Account_Name?: { id: string } | null;
}

export type Settings = Pick<Context, "settings">;

/** What the records of every module have. */
export const restOf = (module: string, { id, Created_Time, Modified_Time }: ZohoRecord, { settings }: Settings) => ({
  id,
  // Zoho adds the organization that a page's own address has.
  url: `https://crm.${settings.domain}/crm/EntityInfo.do?module=${module}&id=${id}`,
  created_at: Created_Time,
  updated_at: Modified_Time,
});

export const CONTACT = ["Full_Name", "First_Name", "Last_Name", "Email", "Phone", "Account_Name"] as const;

export const contactRecord = (contact: ZohoContact, context: Settings): Contact =>
  toContact({
    ...restOf("Contacts", contact, context),
    email: contact.Email,
    names: [contact.Full_Name],
    first_name: contact.First_Name,
    last_name: contact.Last_Name,
    phone: contact.Phone,
    company_id: contact.Account_Name?.id,
  });
