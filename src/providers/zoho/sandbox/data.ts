// Shapes as the real API sends them: https://www.zoho.com/crm/developer/docs/api/v8/get-records.html

import { awkwardName, hour, person, times, toDay } from "../../../emulator-kit/index.ts";
import { joinName } from "../../../provider-kit/index.ts";
import { OWN_FIELDS, ownValues } from "./fields.ts";

export const DOMAIN = "zoho.eu";
export const API_DOMAIN = "www.zohoapis.eu";
const COUNT = 290;

const OWNER = { name: "Zoë Sandbox", id: "572576700000411001", email: "sandbox@example.com" };

/** Zoho writes times in the user's time zone. */
export const zohoTime = (date: Date) => date.toISOString().replace(/\.\d+Z/, "+00:00");
const time = (index: number) => zohoTime(hour(index));

export type ZohoRecord = { id: string } & Record<string, unknown>;

/** IDs of different modules share no range. */
const idOf = (module: number, index: number) => String(572_576_700_000_525_000n + BigInt(module * 10_000 + index * 7));

const audit = (index: number) => ({
  Owner: OWNER,
  Created_Time: time(index),
  Modified_Time: time(400 + ((index * 37) % COUNT)),
  ...ownValues(index),
});

const account = (index: number): ZohoRecord => ({
  id: idOf(1, index),
  Account_Name: awkwardName(index),
  // As it was typed, with or without a scheme.
  Website: index % 3 === 0 ? null : index % 3 === 1 ? `www.company-${index}.example.com` : "https://example.com/über",
  Phone: index % 5 === 0 ? "+49 221 000000" : null,
  ...audit(index),
});

/** A record of another module is named by its ID and its name. */
const accountOf = (index: number) =>
  index % 4 === 0 ? null : { name: awkwardName(index % 20), id: idOf(1, index % 20) };

const deal = (index: number): ZohoRecord => ({
  id: idOf(2, index),
  Deal_Name: awkwardName(index),
  Amount: index % 6 === 5 ? null : index % 6 === 4 ? 0 : index * 100.25,
  Currency: index % 3 ? "EUR" : "USD",
  Stage: ["Qualification", "Closed Won", "Verhandlung/Prüfung"][index % 3],
  Account_Name: accountOf(index),
  Closing_Date: index % 7 === 0 ? null : toDay(hour(index * 30)),
  ...audit(index),
});

function contact(index: number): ZohoRecord {
  const { given, family, email } = person(index);
  // The last name is the only required field of a contact; some have just a dash.
  const Last_Name = family?.trim() || "-";
  const First_Name = given?.trim() || null;
  return {
    id: idOf(0, index),
    Full_Name: joinName(First_Name, Last_Name),
    First_Name,
    Last_Name,
    Email: email || null,
    Phone: index % 5 === 0 ? "+49 221 000000" : null,
    Account_Name: accountOf(index),
    ...audit(index),
  };
}

/** Fields of a contact that a client may set. */
export const WRITABLE = ["First_Name", "Last_Name", "Email", "Phone", "Account_Name", ...OWN_FIELDS];

/** A contact that a client creates. */
export function newContact(index: number, fields: object): ZohoRecord {
  const none = Object.fromEntries(WRITABLE.map((name) => [name, null]));
  return changedContact({ id: idOf(0, index), ...none, Owner: OWNER, Created_Time: zohoTime(new Date()) }, fields);
}

/** A contact with other fields; its full name and its time follow. */
export function changedContact(contact: ZohoRecord, fields: object): ZohoRecord {
  const changed = { ...contact, ...fields } as ZohoRecord & Record<"First_Name" | "Last_Name", string | null>;
  const Full_Name = joinName(changed.First_Name, changed.Last_Name);
  return { ...changed, Full_Name, Modified_Time: zohoTime(new Date()) };
}

export const AUTHOR = { name: OWNER.name, id: OWNER.id };

/** The records of each module, newest first, which is the default order. */
export const makeState = () => ({
  Contacts: times(COUNT, contact).reverse(),
  Accounts: times(COUNT, account).reverse(),
  Deals: times(COUNT, deal).reverse(),
});
export type State = ReturnType<typeof makeState>;

export const currentUser = {
  id: OWNER.id,
  full_name: OWNER.name,
  first_name: "Zoë",
  last_name: "Sandbox",
  email: OWNER.email,
  status: "active",
  role: { name: "CEO", id: "572576700000026005" },
  profile: { name: "Administrator", id: "572576700000026011" },
};
