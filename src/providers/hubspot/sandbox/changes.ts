import { changeableList } from "../../../emulator-kit/index.ts";
import { KINDS, type Kind, object, type SandboxObject, type State } from "./data.ts";

const objects = (kind: Kind, title: string, keeps: (state: State) => Iterable<unknown> = () => []) =>
  changeableList({
    items: (state: State): SandboxObject[] => state[kind],
    isShown: ({ archived }) => !archived,
    keeps,
    update: ({ title: name, time }, { properties }) => ({
      properties: { ...properties, [title]: name, note: name, [KINDS[kind].modified]: time },
      updatedAt: time,
    }),
    create({ nth, title: name, time }, { properties }) {
      // A contact's address is its own.
      const email = kind === "contacts" && { email: `created-${nth}@example.com` };
      const times = { createdAt: time, updatedAt: time, archived: false };
      return object(kind, 1_000_000 + nth, { ...properties, ...email, [title]: name }, times);
    },
    markDeleted: () => ({ archived: true }),
  });

const companiesInUse = ({ contacts, companiesOfDeals }: State) => [
  ...contacts.map(({ properties }) => properties.associatedcompanyid),
  ...[...companiesOfDeals.values()].flat().map(({ id }) => id),
];

export const changes = {
  "crm.listContacts": objects("contacts", "firstname"),
  "crm.listCompanies": objects("companies", "name", companiesInUse),
  "crm.listDeals": objects("deals", "dealname"),
};
