import { type Contact, type Context, toContact } from "../../provider-kit/index.ts";

/** The fields that are selected of each object. */
export const COMMON = ["Id", "CreatedDate", "SystemModstamp"] as const;
export const CONTACT = [...COMMON, "Name", "FirstName", "LastName", "Email", "Phone", "AccountId"] as const;

export type Row<Field extends string> = { Id: string } & {
  [name in Exclude<Field, "Id" | "Amount">]: string | null;
} & {
  [name in Field & "Amount"]: number | null;
};
export type SalesforceContact = Row<(typeof CONTACT)[number]>;

export type Settings = Pick<Context, "settings">;
export type CommonRow = Row<(typeof COMMON)[number]>;

/** What the records of every object have. */
export const restOf = (item: CommonRow, { settings }: Settings) => ({
  id: item.Id,
  url: `https://${settings.host}/${item.Id}`,
  created_at: item.CreatedDate,
  updated_at: item.SystemModstamp,
});

export const contactRecord = (contact: SalesforceContact, context: Settings): Contact =>
  toContact({
    ...restOf(contact, context),
    email: contact.Email,
    names: [contact.Name],
    first_name: contact.FirstName,
    last_name: contact.LastName,
    phone: contact.Phone,
    company_id: contact.AccountId,
  });
