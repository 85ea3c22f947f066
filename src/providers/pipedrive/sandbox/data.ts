// Shapes as the real API sends them: https://developers.pipedrive.com/docs/api/v1/Persons#getPersons

import { awkwardName, hour, person, times, toDay, toSecond } from "../../../emulator-kit/index.ts";
import { joinName } from "../../../provider-kit/index.ts";
import { noValues, ownValues } from "./fields.ts";

export const COMPANY = "sandbox";
const COUNT = 300;

/** RFC 3339 without fractions of a second, as in version 2. */
const time = (index: number) => toSecond(hour(index));

/** What persons, organizations and deals have in common. IDs have gaps. */
const common = (index: number) => ({
  id: 9 + index * 7,
  owner_id: 1,
  add_time: time(index),
  update_time: time(400 + ((index * 37) % COUNT)),
  is_deleted: index % 41 === 40,
  custom_fields: ownValues(index),
});
export type SandboxItem = ReturnType<typeof common>;

const organizationOf = (index: number) => (index % 4 === 0 ? null : common(index % 20).id);

const work = (value: string, primary = true) => ({ value, primary, label: "work" });
const home = (value: string) => ({ value, primary: false, label: "home" });

/** Most have one address. Some have none, a blank one, or several with the primary one last or not marked. */
function addresses(index: number, email: string | null) {
  if (!email) return index % 2 ? [] : [work("")];
  const other = home(`second-${index}@example.com`);
  if (index % 10 === 8) return [other, work(email)];
  if (index % 10 === 9) return [work(email, false), other];
  return [work(email)];
}

function phones(index: number) {
  if (index % 5 !== 0) return [];
  return index % 10 === 0 ? [work("+49 221 000000")] : [home("0800"), work("+49 221 000000")];
}

function makePerson(index: number) {
  const { given, family, email } = person(index);
  return {
    ...common(index),
    // A person always has a name, but it can be anything that was typed.
    name: joinName(given, family) || "?",
    first_name: given?.trim() || null,
    last_name: family?.trim() || null,
    org_id: organizationOf(index),
    emails: addresses(index, email),
    phones: phones(index),
  };
}
export type Person = ReturnType<typeof makePerson>;
export type PersonFields = Partial<Pick<Person, "name" | "emails" | "phones" | "org_id" | "custom_fields">>;

/** A person that a client creates. */
export const newPerson = (id: number, fields: PersonFields): Person => ({
  ...makePerson(0),
  ...{ id, add_time: toSecond(new Date()), org_id: null, emails: [], phones: [], custom_fields: noValues() },
  ...changedPerson(fields),
});

/** The fields that change. The last word of the name becomes the last name; a single word is a first name. */
export function changedPerson(fields: PersonFields): Partial<Person> {
  const [, first, last] = /^(.*?)(?: +([^ ]+))?$/.exec(fields.name?.trim() ?? "")!;
  const names = fields.name === undefined ? {} : { first_name: first || null, last_name: last ?? null };
  return { ...fields, ...names, update_time: toSecond(new Date()) };
}

const makeOrganization = (index: number) => ({
  ...common(index),
  name: awkwardName(index),
  address: index % 2 ? { value: "Domkloster 4, 50667 Köln", country: "Germany", locality: "Köln" } : null,
  website: index % 3 ? `https://company-${index}.example.com` : null,
});

/** Some are open with or without a date, others were won or lost. */
function makeDeal(index: number) {
  const status = ["open", "open", "won", "lost"][index % 4]!;
  return {
    ...common(index),
    title: awkwardName(index),
    value: index % 6 === 5 ? 0 : index * 100.25,
    currency: index % 3 ? "EUR" : "JPY",
    org_id: organizationOf(index + 1),
    stage_id: 1 + (index % 5),
    status,
    close_time: status === "open" ? null : time(index + 800),
    expected_close_date: index % 4 === 1 ? null : toDay(hour(index * 30)),
  };
}

export const makeState = () => ({
  persons: times(COUNT, makePerson),
  organizations: times(COUNT, makeOrganization),
  deals: times(COUNT, makeDeal),
});
export type State = ReturnType<typeof makeState>;

export const currentUser = {
  id: 1,
  name: "Zoë Sandbox",
  email: "sandbox@example.com",
  icon_url: "https://upload-cdn.pipedrive.com/profile.png",
  is_you: true,
  company_id: 4_242_424,
  company_name: "Sandbox",
  company_domain: COMPANY,
};
