// Shapes as the real API sends them: https://developers.pipedrive.com/docs/api/v1/Persons#getPersons
import { joinName } from "../../provider-kit/contact.ts";
import { hour, person, times } from "../../provider-kit/sandbox-data.ts";

export const COMPANY = "sandbox";
const COUNT = 300;

/** RFC 3339 without fractions of a second, as in version 2. */
const time = (index: number) => hour(index).toISOString().replace(".000Z", "Z");

/** Most have one address. Some have none, a blank one, or several with the primary one last or not marked. */
function addresses(index: number, email: string | null) {
  if (!email) return index % 2 ? [] : [{ value: "", primary: true, label: "work" }];
  const own = { value: email, primary: true, label: "work" };
  const other = { value: `second-${index}@example.com`, primary: false, label: "home" };
  if (index % 10 === 8) return [other, own];
  if (index % 10 === 9) return [{ ...own, primary: false }, other];
  return [own];
}

function makePerson(index: number) {
  const { given, family, email } = person(index);
  return {
    id: 9 + index * 7,
    // A person always has a name, but it can be anything that was typed.
    name: joinName(given, family) || "?",
    first_name: given?.trim() || null,
    last_name: family?.trim() || null,
    owner_id: 1,
    org_id: index % 4 === 0 ? null : 1 + (index % 20),
    add_time: time(index),
    update_time: time(400 + ((index * 37) % COUNT)),
    emails: addresses(index, email),
    phones: index % 5 === 0 ? [{ value: "+49 221 000000", primary: true, label: "work" }] : [],
    is_deleted: index % 41 === 40,
    visible_to: 3,
    label_ids: index % 6 === 0 ? [1, 2] : [],
    picture_id: null,
    custom_fields: { d4de1c1518b4531717c676029a45911c340390a6: index % 3 === 0 ? null : "Größe M" },
  };
}
export type SandboxPerson = ReturnType<typeof makePerson>;

export const makeState = () => ({ persons: times(COUNT, makePerson) });
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
  icon_url: null,
  is_you: true,
  is_deleted: false,
  company_id: 4_242_424,
  company_name: "Sandbox",
  company_domain: COMPANY,
  company_country: "DE",
  company_industry: null,
  language: { language_code: "de", country_code: "DE" },
};
