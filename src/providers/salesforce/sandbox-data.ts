// Shapes as the real API sends them: https://developer.salesforce.com/docs/atlas.en-us.object_reference.meta/object_reference/sforce_api_objects_contact.htm
import { hour, person, times } from "../../provider-kit/sandbox-data.ts";
import type { Row } from "./sandbox-soql.ts";

export const HOST = "sandbox-dev-ed.develop.my.salesforce.com";
export const ORG = "00D5g000004XKqzEAG";
export const USER = "0055g00000FmYQkAAN";
const COUNT = 300;

/** In byte order, so that ids sort like the numbers that they are made from. */
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const SUFFIXES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345";

function base62(number: number, length: number): string {
  return times(length, (position) => DIGITS[Math.floor(number / 62 ** (length - 1 - position)) % 62]).join("");
}

/**
 * An id's last three characters encode which of the others are capitals, five characters each.
 * https://help.salesforce.com/s/articleView?id=000385008&type=1
 */
function withSuffix(id: string): string {
  const suffix = times(3, (chunk) => {
    const letters = [...id.slice(chunk * 5, chunk * 5 + 5)];
    return SUFFIXES[letters.reduce((bits, letter, position) => bits + (/[A-Z]/.test(letter) ? 1 << position : 0), 0)];
  });
  return id + suffix.join("");
}

/** Salesforce writes the time zone without a colon. */
const time = (index: number) => hour(index).toISOString().replace("Z", "+0000");

function contact(index: number): Row {
  const { given, family, email } = person(index);
  // The last name is the only required field of a contact.
  const LastName = family?.trim() || "Unknown";
  const FirstName = given?.trim() || null;
  return {
    // Ids have gaps, and many differ only in the case of a letter.
    Id: withSuffix(`0035g00000${base62(3000 + index * 13, 5)}`),
    IsDeleted: index % 41 === 40,
    AccountId: index % 4 === 0 ? null : withSuffix(`0015g00000${base62(index % 20, 5)}`),
    LastName,
    FirstName,
    Salutation: index % 9 === 0 ? "Dr." : null,
    Name: FirstName === null ? LastName : `${FirstName} ${LastName}`,
    Email: email || null,
    Phone: index % 5 === 0 ? "+49 221 000000" : null,
    Title: index % 6 === 0 ? "Head of Überraschungen" : null,
    OwnerId: USER,
    CreatedDate: time(index),
    LastModifiedDate: time(index + 400),
    SystemModstamp: time(index + 400),
  };
}

/** Contacts not sorted by id, as a query without ORDER BY may return them. Some are deleted. */
export const makeState = () => ({ contacts: times(COUNT, (index) => contact((index * 7) % COUNT)) });
export type State = ReturnType<typeof makeState>;
