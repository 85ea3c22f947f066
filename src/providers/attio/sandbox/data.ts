// Objects have the same fields as in the real API: https://docs.attio.com/rest-api/endpoint-reference/standard-objects/people/list-person-records

import { awkwardTexts, hour, person, seeded, times } from "../../../emulator-kit/data.ts";
import { joinName } from "../../../provider-kit/contact.ts";

const COUNT = 290;

/** A version 4 UUID, the same for the same number. */
function uuid(number: number): string {
  const random = seeded(number * 2_654_435_761);
  return [random.hex(8), random.hex(4), `4${random.hex(3)}`, `a${random.hex(3)}`, random.hex(12)].join("-");
}

const WORKSPACE = uuid(10_001);
const MEMBER = uuid(10_003);
/** The ID of each object, the number from which the IDs of its records are made, and its name in addresses. */
const OBJECTS = {
  people: { id: uuid(10_002), first: 1, page: "person" },
  companies: { id: uuid(10_004), first: 20_000, page: "company" },
  deals: { id: uuid(10_005), first: 30_000, page: "deals" },
};
export type ObjectName = keyof typeof OBJECTS;

/** The number of a made-up record or value, or the moment at which a client writes one. */
type Moment = number | "now";

/** Attio's times have nanoseconds. */
const time = (moment: Moment) => (moment === "now" ? new Date() : hour(moment)).toISOString().replace("Z", "000000Z");

/** The fields that values of every type have. */
const valueFields = (moment: Moment) => ({
  active_from: time(moment),
  active_until: null,
  created_by_actor:
    moment !== "now" && moment % 7 === 0 ? { type: "system", id: null } : { type: "workspace-member", id: MEMBER },
});

const nameValue = (moment: Moment, first_name: string, last_name: string) => ({
  ...valueFields(moment),
  first_name,
  last_name,
  full_name: joinName(first_name, last_name),
  attribute_type: "personal-name",
});

function emailValue(moment: Moment, email_address: string) {
  const [local = "", domain = ""] = email_address.split("@");
  return {
    ...valueFields(moment),
    original_email_address: email_address,
    email_address,
    email_domain: domain,
    email_root_domain: domain.split(".").slice(-2).join("."),
    email_local_specifier: local,
    attribute_type: "email-address",
  };
}

export const textValue = (index: number, value: string) => ({ ...valueFields(index), value, attribute_type: "text" });

const phoneValue = (moment: Moment, phone_number: string, original_phone_number = phone_number) => ({
  ...valueFields(moment),
  original_phone_number,
  country_code: "DE",
  phone_number,
  attribute_type: "phone-number",
});

const domainValue = (index: number, domain: string) => ({
  ...valueFields(index),
  domain,
  root_domain: domain.split(".").slice(-2).join("."),
  attribute_type: "domain",
});

const recordId = (object: ObjectName, index: number) => uuid(OBJECTS[object].first + index);

const companyValue = (moment: Moment, target_record_id: string) => ({
  ...valueFields(moment),
  target_object: "companies",
  target_record_id,
  attribute_type: "record-reference",
});

/** A quarter of the records have no company. */
const companyValues = (index: number) =>
  index % 4 === 0 ? [] : [companyValue(index, recordId("companies", index % 20))];

const makeRecord = <Values extends object>(
  object: ObjectName,
  index: number,
  values: Values,
  moment: Moment = index,
) => ({
  id: { workspace_id: WORKSPACE, object_id: OBJECTS[object].id, record_id: recordId(object, index) },
  created_at: time(moment),
  web_url: `https://app.attio.com/sandbox/${OBJECTS[object].page}/${recordId(object, index)}`,
  values: {
    ...values,
    created_at: [{ ...valueFields(moment), value: time(moment), attribute_type: "timestamp" }],
  },
});

function personRecord(index: number) {
  const { given, family, email } = person(index);
  const emails = email ? [email, ...(index % 10 === 8 ? [`second-${index}@example.com`] : [])] : [];
  return makeRecord("people", index, {
    name: given === null && family === null ? [] : [nameValue(index, given ?? "", family ?? "")],
    email_addresses: emails.map((address) => emailValue(index, address)),
    phone_numbers: index % 5 === 0 ? [phoneValue(index, "+49221000000")] : [],
    job_title: index % 6 === 0 ? [textValue(index, "Head of Überraschungen")] : [],
    company: companyValues(index),
  });
}

export type Person = ReturnType<typeof personRecord>;

/** What a client may write to a person, as Attio reads it. */
export interface PersonInput {
  name?: { first_name: string; last_name: string }[];
  email_addresses?: string[];
  phone_numbers?: string[];
  company?: { target_record_id: string }[];
}

/** The values of a person that a client writes. A phone number is stored without spaces and punctuation. */
const personValues = ({ name, email_addresses, phone_numbers, company }: PersonInput): Partial<Person["values"]> => ({
  ...(name && { name: name.map(({ first_name, last_name }) => nameValue("now", first_name, last_name)) }),
  ...(email_addresses && { email_addresses: email_addresses.map((address) => emailValue("now", address)) }),
  ...(phone_numbers && {
    phone_numbers: phone_numbers.map((number) => phoneValue("now", number.replace(/[^+\d]/g, ""), number)),
  }),
  ...(company && { company: company.map(({ target_record_id }) => companyValue("now", target_record_id)) }),
});

export const newPerson = (index: number, input: PersonInput): Person =>
  makeRecord(
    "people",
    index,
    { name: [], email_addresses: [], phone_numbers: [], job_title: [], company: [], ...personValues(input) },
    "now",
  );

export const changedPerson = (person: Person, input: PersonInput): Person => ({
  ...person,
  values: { ...person.values, ...personValues(input) },
});

/** The id and the page of a new record. */
export const newRecordId = (object: ObjectName, number: number, id: Person["id"]) => {
  const record_id = recordId(object, 1_000_000 + number);
  return {
    id: { ...id, record_id },
    web_url: `https://app.attio.com/sandbox/${OBJECTS[object].page}/${record_id}`,
  };
};

/** Some have no domain, some several; some have no name. */
const companyRecord = (index: number) =>
  makeRecord("companies", index, {
    name: index % 17 === 16 ? [] : [textValue(index, `${awkwardTexts[index % awkwardTexts.length]} ${index}`)],
    domains: times(index % 3, (number) => domainValue(index, `company-${index}-${number}.example.com`)),
  });

const STAGES = ["Lead", "In Progress", "Won 🎉", "Lost"];

const stageValue = (index: number) => ({
  ...valueFields(index),
  status: {
    title: STAGES[index % STAGES.length]!,
    id: {
      workspace_id: WORKSPACE,
      object_id: OBJECTS.deals.id,
      attribute_id: uuid(10_006),
      status_id: uuid(10_010 + (index % STAGES.length)),
    },
    is_archived: false,
    celebration_enabled: index % STAGES.length === 2,
    target_time_in_status: null,
  },
  attribute_type: "status",
});

const dealRecord = (index: number) =>
  makeRecord("deals", index, {
    name: [textValue(index, `${awkwardTexts[index % awkwardTexts.length]} ${index}`)],
    stage: [stageValue(index)],
    value:
      index % 6 === 5
        ? []
        : [
            {
              ...valueFields(index),
              currency_value: index % 6 === 4 ? 0 : index * 100.25,
              currency_code: "EUR",
              attribute_type: "currency",
            },
          ],
    associated_company: companyValues(index),
  });

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
