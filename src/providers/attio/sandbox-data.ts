// Objects have the same fields as in the real API: https://docs.attio.com/rest-api/endpoint-reference/standard-objects/people/list-person-records
import { joinName } from "../../provider-kit/contact.ts";
import { hour, person, seeded, times } from "../../provider-kit/sandbox-data.ts";

const COUNT = 290;

/** A version 4 UUID, the same for the same number. */
function uuid(number: number): string {
  const random = seeded(number * 2_654_435_761);
  return [random.hex(8), random.hex(4), `4${random.hex(3)}`, `a${random.hex(3)}`, random.hex(12)].join("-");
}

const WORKSPACE = uuid(10_001);
const PEOPLE = uuid(10_002);
const MEMBER = uuid(10_003);

/** Attio's times have nanoseconds. */
const time = (index: number) => hour(index).toISOString().replace("Z", "000000Z");

/** The fields that values of every type have. */
const valueFields = (index: number) => ({
  active_from: time(index),
  active_until: null,
  created_by_actor: index % 7 === 0 ? { type: "system", id: null } : { type: "workspace-member", id: MEMBER },
});

const nameValue = (index: number, first_name: string, last_name: string) => ({
  ...valueFields(index),
  first_name,
  last_name,
  full_name: joinName(first_name, last_name),
  attribute_type: "personal-name",
});

function emailValue(index: number, email_address: string) {
  const [local = "", domain = ""] = email_address.split("@");
  return {
    ...valueFields(index),
    original_email_address: email_address,
    email_address,
    email_domain: domain,
    email_root_domain: domain.split(".").slice(-2).join("."),
    email_local_specifier: local,
    attribute_type: "email-address",
  };
}

function personRecord(index: number) {
  const { given, family, email } = person(index);
  const emails = email ? [email, ...(index % 10 === 8 ? [`second-${index}@example.com`] : [])] : [];
  return {
    id: { workspace_id: WORKSPACE, object_id: PEOPLE, record_id: uuid(1 + index) },
    created_at: time(index),
    web_url: `https://app.attio.com/sandbox/person/${uuid(1 + index)}`,
    values: {
      name: given === null && family === null ? [] : [nameValue(index, given ?? "", family ?? "")],
      email_addresses: emails.map((address) => emailValue(index, address)),
      job_title:
        index % 6 === 0 ? [{ ...valueFields(index), value: "Head of Überraschungen", attribute_type: "text" }] : [],
      company:
        index % 4 === 0
          ? []
          : [
              {
                ...valueFields(index),
                target_object: "companies",
                target_record_id: uuid(20_000 + (index % 20)),
                attribute_type: "record-reference",
              },
            ],
      created_at: [{ ...valueFields(index), value: time(index), attribute_type: "timestamp" }],
    },
  };
}

/** People in no particular order: the query decides how they are sorted. */
export const makeState = () => ({ people: times(COUNT, (index) => personRecord((index * 7) % COUNT)) });
export type State = ReturnType<typeof makeState>;

/** The response to a valid token that asks who it is. */
export const identity = {
  active: true,
  scope: "record_permission:read object_configuration:read",
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
  workspace_logo_url: null,
};
