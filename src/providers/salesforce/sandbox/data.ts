// Shapes as the real API sends them: https://developer.salesforce.com/docs/atlas.en-us.object_reference.meta/object_reference/sforce_api_objects_contact.htm
import { awkwardName, hour, person, times, toDay } from "../../../emulator-kit/index.ts";
import { OWN_FIELDS, ownValues } from "./fields.ts";
import type { Row } from "./soql.ts";

export const HOST = "sandbox-dev-ed.develop.my.salesforce.com";
export const ORG = "00D5g000004XKqzEAG";
export const USER = "0055g00000FmYQkAAN";
const COUNT = 300;

/** In byte order, so that ids sort like the numbers that they are made from. */
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SUFFIXES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345";

const base62 = (number: number) =>
  times(5, (position) => DIGITS[Math.floor(number / 62 ** (4 - position)) % 62]).join("");

/**
 * An id's last three characters encode which of the others are capitals, five characters each.
 * https://help.salesforce.com/s/articleView?id=000385008&type=1
 */
export function withSuffix(id: string): string {
  const suffix = times(3, (chunk) => {
    const letters = [...id.slice(chunk * 5, chunk * 5 + 5)];
    return SUFFIXES[letters.reduce((bits, letter, position) => bits + (/[A-Z]/.test(letter) ? 1 << position : 0), 0)];
  });
  return id + suffix.join("");
}

/** Times are to the second, and their zone has no colon. */
export const salesforceTime = (date: Date) => date.toISOString().replace(/\.\d+Z/, ".000+0000");
const time = (index: number) => salesforceTime(hour(index));

const accountId = (index: number) => withSuffix(`0015g00000${base62(index * 11)}`);

function common(index: number) {
  const modified = time(400 + ((index * 37) % COUNT));
  return {
    IsDeleted: index % 41 === 40,
    OwnerId: USER,
    CreatedDate: time(index),
    LastModifiedDate: modified,
    SystemModstamp: modified,
    ...ownValues(index),
  };
}

// Ids have gaps, and many differ only in the case of a letter.
const contactId = (index: number) => withSuffix(`0035g00000${base62(3000 + index * 13)}`);

const nameOf = ({ FirstName, LastName }: Row) => (FirstName === null ? LastName! : `${FirstName} ${LastName}`);

/** Fields of a contact that a client may set. */
export const WRITABLE = ["AccountId", "LastName", "FirstName", "Email", "Phone", ...OWN_FIELDS];

/** A contact that a client creates. Its id is higher than those of all others. */
export function newContact(index: number, fields: Row): Row {
  const none = Object.fromEntries(WRITABLE.map((name) => [name, null]));
  const CreatedDate = salesforceTime(new Date());
  return changeContact({ Id: contactId(index), IsDeleted: false, ...none, OwnerId: USER, CreatedDate }, fields);
}

/** Sets fields of a contact; its name and times follow. */
export function changeContact(contact: Row, fields: Row): Row {
  const now = salesforceTime(new Date());
  Object.assign(contact, fields, { LastModifiedDate: now, SystemModstamp: now });
  return Object.assign(contact, { Name: nameOf(contact) });
}

function contact(index: number): Row {
  const { given, family, email } = person(index);
  // The last name is the only required field of a contact.
  const LastName = family?.trim() || "Unknown";
  const FirstName = given?.trim() || null;
  return {
    Id: contactId(index),
    AccountId: index % 4 === 0 ? null : accountId(index % 20),
    LastName,
    FirstName,
    Name: nameOf({ FirstName, LastName }),
    Email: email || null,
    Phone: index % 5 === 0 ? "+49 221 000000" : null,
    ...common(index),
  };
}

const account = (index: number): Row => ({
  Id: accountId(index),
  Name: awkwardName(index),
  // As it was typed, with or without a scheme.
  Website: index % 3 === 0 ? null : index % 3 === 1 ? `www.company-${index}.example.com` : "https://example.com/über",
  Phone: index % 5 === 0 ? "+49 221 000000" : null,
  ...common(index),
});

const opportunity = (index: number): Row => ({
  Id: withSuffix(`0065g00000${base62(5000 + index * 17)}`),
  Name: awkwardName(index),
  Amount: index % 6 === 5 ? null : index % 6 === 4 ? 0 : index * 1000.5,
  StageName: ["Prospecting", "Closed Won", "Verhandlung/Prüfung"][index % 3]!,
  AccountId: index % 4 === 0 ? null : accountId(index % 20),
  // A date without a time.
  CloseDate: toDay(hour(index * 30)),
  ...common(index),
});

/** Not sorted by id, as a query without ORDER BY may return them. Some are deleted. */
const shuffled = (make: (index: number) => Row) => times(COUNT, (index) => make((index * 7) % COUNT));

/** The rows of each object. */
export const makeState = () => ({
  Contact: shuffled(contact),
  Account: shuffled(account),
  Opportunity: shuffled(opportunity),
});
export type State = ReturnType<typeof makeState>;
