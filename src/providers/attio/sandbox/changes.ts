import { changeableList } from "../../../emulator-kit/changes.ts";
import { changedPerson, newPerson, newRecordId, type State, textValue } from "./data.ts";

/** Attio's times have nanoseconds. */
const nanoseconds = (now: Date) => now.toISOString().replace("Z", "000000Z");
const named = (title: string) => ({ name: [{ first_name: title, last_name: "" }] });

const people = changeableList({
  items: ({ people }: State) => people,
  id: ({ id }) => id.record_id,
  update: ({ title }, person) => changedPerson(person, named(title)),
  create: ({ nth, title }) =>
    newPerson(1_000_000 + nth, { ...named(title), email_addresses: [`created-${nth}@example.com`] }),
});

const companies = changeableList({
  items: ({ companies }: State) => companies,
  keeps: ({ people, deals }) =>
    [
      ...people.flatMap(({ values }) => values.company),
      ...deals.flatMap(({ values }) => values.associated_company),
    ].map(({ target_record_id }) => target_record_id),
  id: ({ id }) => id.record_id,
  update: ({ title }, { values }) => ({ values: { ...values, name: [textValue(0, title)] } }),
  create: ({ nth, title, now }, { values, id }) => ({
    ...newRecordId("companies", nth, id),
    values: { ...values, name: [textValue(0, title)], domains: [] },
    created_at: nanoseconds(now),
  }),
});

const deals = changeableList({
  items: ({ deals }: State) => deals,
  id: ({ id }) => id.record_id,
  update: ({ title }, { values }) => ({ values: { ...values, name: [textValue(0, title)] } }),
  create: ({ nth, now }, { id }) => ({ ...newRecordId("deals", nth, id), created_at: nanoseconds(now) }),
});

export const changes = { "crm.listContacts": people, "crm.listCompanies": companies, "crm.listDeals": deals };
