import { changeableList } from "../../../emulator-kit/index.ts";
import { noValues } from "./attributes.ts";
import { makeRecord, newPerson, personValues, type State } from "./data.ts";
import { textValue } from "./values.ts";

/** What updates write to records other than people. */
const texts = (title: string) => ({ name: [textValue("now", title)], note: [textValue("now", title)] });

const named = (title: string) => ({ name: [{ first_name: title, last_name: "" }], note: title });

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
  update: ({ title }, { values }) => ({ values: { ...values, ...texts(title) } }),
  create: ({ nth, title }) =>
    makeRecord("companies", 1_000_000 + nth, { domains: [], ...noValues(), ...texts(title) }, "now"),
});

const deals = changeableList({
  items: ({ deals }: State) => deals,
  id: ({ id }) => id.record_id,
  update: ({ title }, { values }) => ({ values: { ...values, ...texts(title) } }),
  create: ({ nth, title }, { values }) => makeRecord("deals", 1_000_000 + nth, { ...values, ...texts(title) }, "now"),
});

export const changes = { "crm.listContacts": people, "crm.listCompanies": companies, "crm.listDeals": deals };
