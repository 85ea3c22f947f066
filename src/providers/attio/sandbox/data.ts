// Objects have the same fields as in the real API: https://docs.attio.com/rest-api/endpoint-reference/standard-objects/people/list-person-records

import { awkwardName, person, times } from "../../../emulator-kit/index.ts";
import { joinName } from "../../../provider-kit/index.ts";
import { noValues, ownValues, sampleValues } from "./attributes.ts";
import { MEMBER, type Moment, OBJECTS, type ObjectName, textValue, time, uuid, value, WORKSPACE } from "./values.ts";

const COUNT = 290;

const nameValue = (moment: Moment, first_name: string, last_name: string) =>
  value("personal-name", moment, { first_name, last_name, full_name: joinName(first_name, last_name) });

const rootOf = (domain: string) => domain.split(".").slice(-2).join(".");

function emailValue(moment: Moment, email_address: string) {
  const [local = "", domain = ""] = email_address.split("@");
  return value("email-address", moment, {
    original_email_address: email_address,
    email_address,
    email_domain: domain,
    email_root_domain: rootOf(domain),
    email_local_specifier: local,
  });
}

/** A phone number is stored without spaces and punctuation. */
const phoneValue = (moment: Moment, original_phone_number: string) =>
  value("phone-number", moment, {
    original_phone_number,
    country_code: "DE",
    phone_number: original_phone_number.replace(/[^+\d]/g, ""),
  });

const recordId = (object: ObjectName, index: number) => uuid(OBJECTS[object].first + index);

const companyValue = (moment: Moment, target_record_id: string) =>
  value("record-reference", moment, { target_object: "companies", target_record_id });

/** A quarter of the records have no company. */
const companyValues = (index: number) =>
  index % 4 === 0 ? [] : [companyValue(index, recordId("companies", index % 20))];

export const makeRecord = <Values extends object>(
  object: ObjectName,
  index: number,
  values: Values,
  moment: Moment = index,
) => ({
  id: { workspace_id: WORKSPACE, object_id: OBJECTS[object].id, record_id: recordId(object, index) },
  created_at: time(moment),
  web_url: `https://app.attio.com/sandbox/${OBJECTS[object].page}/${recordId(object, index)}`,
  values,
});

function personRecord(index: number) {
  const { given, family, email } = person(index);
  const emails = email ? [email, ...(index % 10 === 8 ? [`second-${index}@example.com`] : [])] : [];
  return makeRecord("people", index, {
    name: given === null && family === null ? [] : [nameValue(index, given ?? "", family ?? "")],
    email_addresses: emails.map((address) => emailValue(index, address)),
    phone_numbers: index % 5 === 0 ? [phoneValue(index, "+49221000000")] : [],
    company: companyValues(index),
    ...sampleValues("people", index),
  });
}
export type Person = ReturnType<typeof personRecord>;

/** What a client may write to a person, as Attio reads it. */
export interface PersonInput {
  name?: { first_name: string; last_name: string }[];
  email_addresses?: string[];
  phone_numbers?: string[];
  company?: { target_record_id: string }[];
  /** Of the workspace's own attributes. */
  [slug: string]: unknown;
}

/** The values of the attributes that a client writes. */
export const personValues = ({ name, email_addresses, phone_numbers, company, ...own }: PersonInput) => ({
  ...(name && { name: name.map(({ first_name, last_name }) => nameValue("now", first_name, last_name)) }),
  ...(email_addresses && { email_addresses: email_addresses.map((address) => emailValue("now", address)) }),
  ...(phone_numbers && { phone_numbers: phone_numbers.map((number) => phoneValue("now", number)) }),
  ...(company && { company: company.map(({ target_record_id }) => companyValue("now", target_record_id)) }),
  ...ownValues("people", "now", own),
});

export const newPerson = (index: number, input: PersonInput): Person =>
  makeRecord(
    "people",
    index,
    { name: [], email_addresses: [], phone_numbers: [], company: [], ...noValues(), ...personValues(input) },
    "now",
  );

/** Some have no domain, some several; some have no name. */
const companyRecord = (index: number) =>
  makeRecord("companies", index, {
    name: index % 17 === 16 ? [] : [textValue(index, awkwardName(index))],
    domains: times(index % 3, (number) => {
      const domain = `company-${index}-${number}.example.com`;
      return value("domain", index, { domain, root_domain: rootOf(domain) });
    }),
    ...sampleValues("companies", index),
  });

const STAGES = ["Lead", "In Progress", "Won 🎉", "Lost"];

const status = (index: number) => ({
  title: STAGES[index]!,
  id: {
    workspace_id: WORKSPACE,
    object_id: OBJECTS.deals.id,
    attribute_id: uuid(10_006),
    status_id: uuid(10_010 + index),
  },
  is_archived: false,
  celebration_enabled: index === 2,
  target_time_in_status: null,
});

function dealRecord(index: number) {
  const amount = { currency_value: index % 6 === 4 ? 0 : index * 100.25, currency_code: "EUR" };
  return makeRecord("deals", index, {
    name: [textValue(index, awkwardName(index))],
    stage: [value("status", index, { status: status(index % STAGES.length) })],
    value: index % 6 === 5 ? [] : [value("currency", index, amount)],
    associated_company: companyValues(index),
    ...sampleValues("deals", index),
  });
}

/** Records in no particular order: the query decides how they are sorted. */
const shuffled = <Made>(make: (index: number) => Made) => times(COUNT, (index) => make((index * 7) % COUNT));

export const makeState = () => ({
  people: shuffled(personRecord),
  companies: shuffled(companyRecord),
  deals: shuffled(dealRecord),
});
export type State = ReturnType<typeof makeState>;

/** The response to a valid token that asks who it is. */
export const identity = {
  active: true,
  scope: "record_permission:read-write object_configuration:read",
  client_id: "sandbox",
  token_type: "Bearer",
  exp: null,
  iat: 1_704_067_200,
  sub: WORKSPACE,
  aud: "sandbox",
  iss: "attio.com",
  authorized_by_workspace_member_id: MEMBER,
  workspace_id: WORKSPACE,
  workspace_name: "Sandbox",
  workspace_slug: "sandbox",
  workspace_logo_url: "https://assets.attio.com/logos/sandbox.png",
};
