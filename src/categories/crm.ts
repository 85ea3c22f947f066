import Type, { type Static } from "typebox";
import { category, create, list, update } from "./define.ts";
import { email, fullText } from "./filters.ts";
import { Body, Given, Nullable, NullableText, NullableTimestamp, Shape, Text } from "./schema.ts";

export const Contact = Shape("Contact", {
  id: Text(),
  name: Text(),
  email: NullableText("Email address"),
  first_name: NullableText(),
  last_name: NullableText(),
  phone: NullableText("Phone number, as the provider stores it"),
  company_id: NullableText("ID of the company that the contact works for"),
  url: NullableText("Page of the contact"),
  created_at: NullableTimestamp(),
  updated_at: NullableTimestamp(),
});
export type Contact = Static<typeof Contact>;

export const Company = Shape("Company", {
  id: Text(),
  name: NullableText("Name; the domain of its website if it has none, and null if it has neither"),
  website: NullableText(),
  phone: NullableText("Phone number, as the provider stores it"),
  url: NullableText("Page of the company"),
  created_at: NullableTimestamp(),
  updated_at: NullableTimestamp(),
});
export type Company = Static<typeof Company>;

export const Deal = Shape("Deal", {
  id: Text(),
  name: NullableText(),
  amount: Nullable(Type.Number()),
  currency: NullableText("ISO 4217, as in `EUR`"),
  stage: NullableText("The stage, as the provider names it; its ID if the provider returns no name"),
  company_id: NullableText("ID of the company that it is made with"),
  closes_at: NullableTimestamp("When it was or should be closed; midnight UTC if the provider only has a date"),
  url: NullableText("Page of the deal"),
  created_at: NullableTimestamp(),
  updated_at: NullableTimestamp(),
});
export type Deal = Static<typeof Deal>;

const contactFields = {
  first_name: Type.Optional(Given(255, "First name")),
  last_name: Type.Optional(Given(255, "Last name")),
  email: Type.Optional(Type.String({ format: "email", maxLength: 255, description: "Email address" })),
  phone: Type.Optional(Given(255, "Phone number")),
  company_id: Type.Optional(Given(255, "An `id` from the list of companies")),
};
const NewContact = Body(contactFields, { minProperties: 1 });
/** What can be written of a contact. */
export type ContactFields = Static<typeof NewContact>;
const ContactChange = Body(contactFields, { minProperties: 1 });

export const crm = category(
  "crm",
  "CRM",
  {
    contact_id: {
      description: "ID of the contact, as returned by the list of contacts",
      source: { operation: "listContacts", field: "id" },
    },
    company_id: {
      description: "ID of the company, as returned by the list of companies",
      source: { operation: "listCompanies", field: "id" },
    },
  },
  {
    listContacts: list("/contacts", Contact, "List contacts", { filters: { email, query: fullText } }),
    listCompanies: list("/companies", Company, "List companies"),
    listDeals: list("/deals", Deal, "List deals"),
    createContact: create("/contacts", NewContact, Contact, "Create a contact", {
      sample: { first_name: "Zoë", last_name: "Müller", email: "zoe.mueller@example.com", phone: "+49 221 1234" },
    }),
    updateContact: update("/contacts/:contact_id", ContactChange, Contact, "Change a contact", {
      sample: { last_name: "Müller-Lüdenscheidt" },
      description: "Fields that are left out stay as they are.",
    }),
  },
);
