// Shapes as the real API sends them: https://developers.pipedrive.com/docs/api/v1/Persons#getPersons

import { awkwardTexts, hour, person, times } from "../../../emulator-kit/data.ts";
import { joinName } from "../../../provider-kit/contact.ts";

export const COMPANY = "sandbox";
const COUNT = 300;

/** RFC 3339 without fractions of a second, as in version 2. */
const time = (index: number) => hour(index).toISOString().replace(".000Z", "Z");
const currentTime = () => new Date().toISOString().replace(/\.\d+Z/, "Z");

/** Most have one address. Some have none, a blank one, or several with the primary one last or not marked. */
function addresses(index: number, email: string | null) {
  if (!email) return index % 2 ? [] : [{ value: "", primary: true, label: "work" }];
  const own = { value: email, primary: true, label: "work" };
  const other = { value: `second-${index}@example.com`, primary: false, label: "home" };
  if (index % 10 === 8) return [other, own];
  if (index % 10 === 9) return [{ ...own, primary: false }, other];
  return [own];
}

/** What persons, organizations and deals have in common. IDs have gaps. */
const common = (index: number) => ({
  id: 9 + index * 7,
  owner_id: 1,
  add_time: time(index),
  update_time: time(400 + ((index * 37) % COUNT)),
  is_deleted: index % 41 === 40,
  visible_to: 3,
  label_ids: index % 6 === 0 ? [1, 2] : [],
  custom_fields: { d4de1c1518b4531717c676029a45911c340390a6: index % 3 === 0 ? null : "Größe M" },
});
export type SandboxItem = ReturnType<typeof common>;

const organizationOf = (index: number) => (index % 4 === 0 ? null : common(index % 20).id);

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
    picture_id: null,
  };
}

/** A person that a client creates. */
export function newPerson(id: number, fields: PersonFields): Person {
  const now = currentTime();
  const person = { ...makePerson(0), id, add_time: now, org_id: null, emails: [], phones: [], label_ids: [] };
  return changedPerson({ ...person, custom_fields: {} as Person["custom_fields"] }, fields);
}

export type Person = ReturnType<typeof makePerson>;
export type PersonFields = Partial<Pick<Person, "name" | "emails" | "phones" | "org_id">>;

/** A person with other fields. The last word of the name becomes the last name; a single word is a first name. */
export function changedPerson(person: Person, fields: PersonFields): Person {
  const changed = { ...person, ...fields, update_time: currentTime() };
  if (fields.name === undefined) return changed;
  const [, first, last] = /^(.*?)(?: +([^ ]+))?$/.exec(fields.name.trim())!;
  return { ...changed, first_name: first || null, last_name: last ?? null };
}

function phones(index: number) {
  if (index % 5 !== 0) return [];
  const work = { value: "+49 221 000000", primary: true, label: "work" };
  return index % 10 === 0 ? [work] : [{ value: "0800", primary: false, label: "home" }, work];
}

const makeOrganization = (index: number) => ({
  ...common(index),
  name: `${awkwardTexts[index % awkwardTexts.length]} ${index}`,
  address: index % 2 ? { value: "Domkloster 4, 50667 Köln", country: "Germany", locality: "Köln" } : null,
  website: index % 3 ? `https://company-${index}.example.com` : null,
});

/** Some are open with or without a date, others were won or lost. */
function makeDeal(index: number) {
  const status = ["open", "open", "won", "lost"][index % 4]!;
  const closed = status === "open" ? null : time(index + 800);
  return {
    ...common(index),
    title: `${awkwardTexts[index % awkwardTexts.length]} ${index}`,
    value: index % 6 === 5 ? 0 : index * 100.25,
    currency: index % 3 ? "EUR" : "JPY",
    person_id: index % 5 === 0 ? null : common(index % 50).id,
    org_id: organizationOf(index + 1),
    pipeline_id: 1,
    stage_id: 1 + (index % 5),
    stage_change_time: index % 2 ? time(index + 1) : null,
    is_archived: false,
    status,
    probability: index % 7 === 0 ? 40 : null,
    lost_reason: status === "lost" ? "Zu teuer" : null,
    close_time: closed,
    won_time: status === "won" ? closed : null,
    lost_time: status === "lost" ? closed : null,
    expected_close_date:
      index % 4 === 1
        ? null
        : hour(index * 30)
            .toISOString()
            .slice(0, 10),
    origin: "ManuallyCreated",
    origin_id: null,
    channel: null,
    channel_id: null,
    arr: null,
    mrr: null,
    acv: null,
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
  default_currency: "EUR",
  locale: "de_DE",
  lang: 1,
  email: "sandbox@example.com",
  phone: null,
  activated: true,
  last_login: "2024-01-01 08:00:00",
  created: "2023-01-01 08:00:00",
  modified: "2024-01-01 08:00:00",
  has_created_company: true,
  active_flag: true,
  timezone_name: "Europe/Berlin",
  timezone_offset: "+01:00",
  role_id: 1,
  icon_url: "https://upload-cdn.pipedrive.com/profile.png",
  is_you: true,
  is_deleted: false,
  company_id: 4_242_424,
  company_name: "Sandbox",
  company_domain: COMPANY,
  company_country: "DE",
  company_industry: "Überraschungen",
  language: { language_code: "de", country_code: "DE" },
};
