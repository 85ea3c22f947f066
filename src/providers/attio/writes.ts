import {
  type CategoryImplementation,
  type ContactFields,
  type crm,
  get,
  joinName,
  one,
  path,
  post,
  put,
} from "../../provider-kit/index.ts";
import { type AttioPerson, contactRecord } from "./records.ts";

/** A name is written with all of its parts. https://docs.attio.com/docs/attribute-types/attribute-types-personal-name */
function nameOf({ first_name, last_name }: ContactFields, known: AttioPerson["values"]) {
  if (first_name === undefined && last_name === undefined) return undefined;
  const [name] = known.name ?? [];
  const first = first_name ?? name?.first_name ?? "";
  const last = last_name ?? name?.last_name ?? "";
  return [{ first_name: first, last_name: last, full_name: joinName(first, last) }];
}

/** The values with another first one; the others stay. */
const withFirst = (value: string | undefined, known: (string | null | undefined)[] = []) =>
  value === undefined ? undefined : [value, ...known.slice(1)];

const valuesOf = (input: ContactFields, known: AttioPerson["values"] = {}) => ({
  values: {
    name: nameOf(input, known),
    email_addresses: withFirst(
      input.email,
      known.email_addresses?.map(({ email_address }) => email_address),
    ),
    phone_numbers: withFirst(
      input.phone,
      known.phone_numbers?.map(({ phone_number }) => phone_number),
    ),
    company: input.company_id && [{ target_object: "companies", target_record_id: input.company_id }],
  },
});

type PersonAnswer = { data: AttioPerson };

export const writes: CategoryImplementation<typeof crm.operations> = {
  createContact: one({
    request: ({ input }) => post("/objects/people/records", { data: valuesOf(input) }),
    record: ({ data }: PersonAnswer) => contactRecord(data),
    original: ({ data }: PersonAnswer) => data,
  }),
  // A PATCH would add email addresses and phone numbers. A PUT replaces them all, so those that stay are sent again.
  updateContact: one({
    async load({ input, upstream, write }) {
      const address = path`/objects/people/records/${input.contact_id}`;
      const { data } = (await upstream<PersonAnswer>(get(address))).body;
      return (await write<PersonAnswer>(put(address, { data: valuesOf(input, data.values) }))).body;
    },
    record: ({ data }: PersonAnswer) => contactRecord(data),
    original: ({ data }: PersonAnswer) => data,
  }),
};
