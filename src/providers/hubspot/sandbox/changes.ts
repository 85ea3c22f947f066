import { changeableList } from "../../../emulator-kit/changes.ts";
import type { Kind, SandboxObject, State } from "./data.ts";

const newId = (nth: number) => String(5_000_000 + nth);

const objects = (kind: Kind, own: { modified: string; title: string; keeps?(state: State): Iterable<unknown> }) =>
  changeableList({
    items: (state: State): SandboxObject[] => state[kind],
    shows: () => (object) => !object.archived,
    keeps: own.keeps ?? (() => []),
    id: ({ id }) => id,
    update: ({ title, time }, { properties }) => ({
      properties: { ...properties, [own.title]: title, [own.modified]: time },
      updatedAt: time,
    }),
    create: ({ nth, title, time }, { properties, url, id }) => ({
      id: newId(nth),
      properties: {
        ...properties,
        // A contact's address is its own.
        ...(kind === "contacts" && { email: `created-${nth}@example.com` }),
        [own.title]: title,
        [own.modified]: time,
        createdate: time,
        hs_object_id: newId(nth),
      },
      createdAt: time,
      url: url.replace(id, newId(nth)),
    }),
    markDeleted: ({ time }) => ({ archived: true, archivedAt: time }),
  });

const companiesInUse = ({ contacts, companiesOfDeals }: State) => [
  ...contacts.map(({ properties }) => properties.associatedcompanyid),
  ...[...companiesOfDeals.values()].flat().map(({ id }) => id),
];

export const changes = {
  "crm.listContacts": objects("contacts", { title: "firstname", modified: "lastmodifieddate" }),
  "crm.listCompanies": objects("companies", {
    title: "name",
    modified: "hs_lastmodifieddate",
    keeps: companiesInUse,
  }),
  "crm.listDeals": objects("deals", { title: "dealname", modified: "hs_lastmodifieddate" }),
};
