// Shapes as the real API sends them: https://www.zoho.com/crm/developer/docs/api/v8/get-records.html
import { joinName } from "../../provider-kit/contact.ts";
import { hour, person, times } from "../../provider-kit/sandbox-data.ts";

export const DOMAIN = "zoho.eu";
export const API_DOMAIN = "www.zohoapis.eu";
const COUNT = 290;

const OWNER = { name: "Zoë Sandbox", id: "572576700000411001", email: "sandbox@example.com" };

/** Zoho writes times in the user's time zone. */
const time = (index: number) => hour(index).toISOString().replace(".000Z", "+00:00");

export type ZohoRecord = { id: string } & Record<string, unknown>;

function contact(index: number): ZohoRecord {
  const { given, family, email } = person(index);
  // The last name is the only required field of a contact; some have just a dash.
  const Last_Name = family?.trim() || "-";
  const First_Name = given?.trim() || null;
  return {
    id: String(572_576_700_000_525_000n + BigInt(index * 7)),
    Full_Name: joinName(First_Name, Last_Name),
    First_Name,
    Last_Name,
    Email: email || null,
    Phone: index % 5 === 0 ? "+49 221 000000" : null,
    Account_Name: index % 4 === 0 ? null : { name: "Größe & Söhne", id: `5725767000004${10_000 + (index % 20)}` },
    Owner: OWNER,
    Created_Time: time(index),
    Modified_Time: time(index + 400),
  };
}

/** Newest first, which is the default order. */
export const makeState = () => ({ contacts: times(COUNT, contact).reverse() });
export type State = ReturnType<typeof makeState>;

export const currentUser = {
  id: OWNER.id,
  full_name: OWNER.name,
  first_name: "Zoë",
  last_name: "Sandbox",
  email: OWNER.email,
  status: "active",
  confirm: true,
  language: "de_DE",
  locale: "de_DE",
  country_locale: "de_DE",
  time_format: "HH:mm",
  zuid: "20100000000",
  created_time: time(0),
  Modified_Time: time(0),
  role: { name: "CEO", id: "572576700000026005" },
  profile: { name: "Administrator", id: "572576700000026011" },
};
