import { changeableList } from "../../../emulator-kit/index.ts";
import { makeRecord, newPerson, personValues, type State, textValue } from "./data.ts";

const named = (title: string) => ({ name: [{ first_name: title, last_name: "" }] });

const people = changeableList({
  items: ({ people }: State) => people,
  id: ({ id }) => id.record_id,
  update: ({ title }, { values }) => ({ values: { ...values, ...personValues(named(title)) } }),
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
  update: ({ title }, { values }) => ({ values: { ...values, name: [textValue("now", title)] } }),
  create: ({ nth, title }) =>
    makeRecord("companies", 1_000_000 + nth, { name: [textValue("now", title)], domains: [] }, "now"),
});

const deals = changeableList({
  items: ({ deals }: State) => deals,
  id: ({ id }) => id.record_id,
  update: ({ title }, { values }) => ({ values: { ...values, name: [textValue("now", title)] } }),
  create: ({ nth, title }, { values }) =>
    makeRecord("deals", 1_000_000 + nth, { ...values, name: [textValue("now", title)] }, "now"),
});

export const changes = { "crm.listContacts": people, "crm.listCompanies": companies, "crm.listDeals": deals };
