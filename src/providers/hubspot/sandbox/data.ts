// Objects have the same fields as in the real API: https://developers.hubspot.com/docs/guides/api/crm/objects/contacts
import { awkwardName, hour, person, times } from "../../../emulator-kit/index.ts";
import { OWN_PROPERTIES, ownValues } from "./properties.ts";

export const PORTAL = 48_600_123;
export const USER = 7_654_321;
const COUNT = 290;

/** Their type ID, the first ID, the time of an update, and the properties that are sent unless others are named. */
export const KINDS = {
  contacts: { type: "0-1", first: 901, modified: "lastmodifieddate", byDefault: ["email", "firstname", "lastname"] },
  companies: { type: "0-2", first: 9_801, modified: "hs_lastmodifieddate", byDefault: ["domain", "name"] },
  deals: {
    type: "0-3",
    first: 99_801,
    modified: "hs_lastmodifieddate",
    byDefault: ["amount", "closedate", "dealname", "dealstage"],
  },
};
export type Kind = keyof typeof KINDS;
export type Properties = Record<string, string | null>;

/** IDs have gaps and gain a digit along the way, so sorting them as strings would give the wrong order. */
const idOf = (kind: Kind, index: number) => String(KINDS[kind].first + index * 7);

const madeUp = (index: number) => ({
  createdAt: hour(index).toISOString(),
  updatedAt: hour(400 + ((index * 37) % COUNT)).toISOString(),
  archived: index % 29 === 28,
});

export function object(kind: Kind, index: number, own: Properties, rest = madeUp(index)) {
  const id = idOf(kind, index);
  const { type, modified } = KINDS[kind];
  const always = { createdate: rest.createdAt, hs_object_id: id, [modified]: rest.updatedAt };
  const properties: Properties = { ...ownValues(index), ...own, ...always };
  return { id, properties, ...rest, url: `https://app.hubspot.com/contacts/${PORTAL}/record/${type}/${id}` };
}
export type SandboxObject = ReturnType<typeof object>;

function contact(index: number) {
  const { given: firstname, family: lastname, email } = person(index);
  return object("contacts", index, {
    firstname,
    lastname,
    email,
    associatedcompanyid: index % 4 === 0 ? null : idOf("companies", index % 20),
    phone: index % 5 === 0 ? "+49 221 000000" : index % 5 === 1 ? "" : null,
  });
}

/** Properties that a client may set. An empty value clears one. */
export const WRITABLE = ["email", "firstname", "lastname", "phone", "associatedcompanyid", ...OWN_PROPERTIES];

/** A contact that a client creates. IDs are never used twice. */
export function newContact(index: number, properties: Properties): SandboxObject {
  const now = new Date().toISOString();
  const none = Object.fromEntries(WRITABLE.map((name) => [name, null]));
  return object("contacts", index, { ...none, ...properties }, { createdAt: now, updatedAt: now, archived: false });
}

/** Some companies have only a domain, some a website of their own, some not even a name. */
const company = (index: number) =>
  object("companies", index, {
    name: index % 17 === 16 ? null : awkwardName(index),
    domain: index % 6 === 5 ? null : `company-${index}.example.com`,
    website: index % 3 === 0 ? `https://www.company-${index}.example.com/über` : index % 3 === 1 ? "" : null,
    phone: index % 5 === 0 ? "+49 221 000000" : null,
  });

/** Amounts are text, and a stage is named by its ID. */
const deal = (index: number) =>
  object("deals", index, {
    dealname: awkwardName(index),
    amount: index % 7 === 6 ? null : index % 7 === 5 ? "" : index % 7 === 4 ? "0" : `${index}.50`,
    deal_currency_code: index % 3 === 0 ? null : "EUR",
    dealstage: index % 2 ? "appointmentscheduled" : "91183487",
    closedate: index % 4 === 0 ? null : hour(index + 2000).toISOString(),
  });

/** The companies of a deal: the primary one twice, others without a label. */
function companiesOf(index: number) {
  const link = (company: number, type: string) => ({ id: idOf("companies", company % COUNT), type });
  const other = link(index + 9, "deal_to_company_unlabeled");
  if (index % 4 === 0) return [];
  if (index % 4 === 1) return [other];
  return [other, link(index, "deal_to_company"), link(index, "deal_to_company_unlabeled")];
}

/** An object with the requested properties. Unknown names are left out. */
export function selectProperties(kind: Kind, object: SandboxObject, requested: string[]) {
  const { modified, byDefault } = KINDS[kind];
  const names = [...(requested.length > 0 ? requested : byDefault), "createdate", "hs_object_id", modified].sort();
  const known = names.filter((name) => name in object.properties);
  return { ...object, properties: Object.fromEntries(known.map((name) => [name, object.properties[name] ?? null])) };
}

/** Objects sorted by ID, including archived ones. */
export function makeState() {
  const deals = times(COUNT, deal);
  return {
    contacts: times(COUNT, contact),
    companies: times(COUNT, company),
    deals,
    /** By the ID of the deal. */
    companiesOfDeals: new Map(deals.map(({ id }, index) => [id, companiesOf(index)])),
  };
}
export type State = ReturnType<typeof makeState>;

export const accountDetails = {
  portalId: PORTAL,
  accountType: "DEVELOPER_TEST",
  timeZone: "Europe/Berlin",
  companyCurrency: "EUR",
  uiDomain: "app.hubspot.com",
};
