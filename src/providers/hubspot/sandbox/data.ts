// Objects have the same fields as in the real API: https://developers.hubspot.com/docs/guides/api/crm/objects/contacts
import { awkwardTexts, hour, person, times } from "../../../emulator-kit/data.ts";

export const PORTAL = 48_600_123;
export const USER = 7_654_321;
const COUNT = 290;

/** The kinds of objects: their type ID, the first ID, and the properties that are sent always or unless others are named. */
const KINDS = {
  contacts: {
    type: "0-1",
    first: 901,
    always: ["createdate", "hs_object_id", "lastmodifieddate"],
    byDefault: ["email", "firstname", "lastname"],
  },
  companies: {
    type: "0-2",
    first: 9_801,
    always: ["createdate", "hs_lastmodifieddate", "hs_object_id"],
    byDefault: ["domain", "name"],
  },
  deals: {
    type: "0-3",
    first: 99_801,
    always: ["createdate", "hs_lastmodifieddate", "hs_object_id"],
    byDefault: ["amount", "closedate", "dealname", "dealstage", "pipeline"],
  },
};
export type Kind = keyof typeof KINDS;

/** IDs have gaps and gain a digit along the way, so sorting them as strings would give the wrong order. */
const idOf = (kind: Kind, index: number) => String(KINDS[kind].first + index * 7);

const madeUp = (index: number) => ({
  createdAt: hour(index).toISOString(),
  updatedAt: hour(400 + ((index * 37) % COUNT)).toISOString(),
  archived: index % 29 === 28,
});

function object(
  kind: Kind,
  index: number,
  own: Record<string, string | null>,
  { createdAt, updatedAt, archived }: ReturnType<typeof madeUp> = madeUp(index),
) {
  const id = idOf(kind, index);
  const properties: Record<string, string | null> = {
    ...own,
    createdate: createdAt,
    hs_object_id: id,
    [kind === "contacts" ? "lastmodifieddate" : "hs_lastmodifieddate"]: updatedAt,
  };
  return {
    id,
    properties,
    createdAt,
    updatedAt,
    archived,
    ...(archived ? { archivedAt: hour(index + 700).toISOString() } : {}),
    url: `https://app.hubspot.com/contacts/${PORTAL}/record/${KINDS[kind].type}/${id}`,
  };
}
export type SandboxObject = ReturnType<typeof object>;

function contact(index: number) {
  const { given: firstname, family: lastname, email } = person(index);
  return object("contacts", index, {
    firstname,
    lastname,
    email,
    company: index % 4 === 0 ? null : "Example Ltd",
    associatedcompanyid: index % 4 === 0 ? null : idOf("companies", index % 20),
    phone: index % 5 === 0 ? "+49 221 000000" : index % 5 === 1 ? "" : null,
    lifecyclestage: "lead",
  });
}

/** Properties that a client may set. An empty value clears one. */
export const WRITABLE = ["email", "firstname", "lastname", "phone", "associatedcompanyid", "lifecyclestage"];

/** A contact that a client creates. IDs are never used twice. */
export function newContact(index: number, properties: Record<string, string | null>): SandboxObject {
  const now = new Date().toISOString();
  const none = Object.fromEntries(WRITABLE.map((name) => [name, null]));
  const times = { createdAt: now, updatedAt: now, archived: false };
  return object("contacts", index, { ...none, company: null, ...properties }, times);
}

/** Some companies have only a domain, some a website of their own, some not even a name. */
const company = (index: number) =>
  object("companies", index, {
    name: index % 17 === 16 ? null : `${awkwardTexts[index % awkwardTexts.length]} ${index}`,
    domain: index % 6 === 5 ? null : `company-${index}.example.com`,
    website: index % 3 === 0 ? `https://www.company-${index}.example.com/über` : index % 3 === 1 ? "" : null,
    phone: index % 5 === 0 ? "+49 221 000000" : null,
  });

/** Amounts are text, and a stage is named by its ID. */
const deal = (index: number) =>
  object("deals", index, {
    dealname: `${awkwardTexts[index % awkwardTexts.length]} ${index}`,
    amount: index % 7 === 6 ? null : index % 7 === 5 ? "" : index % 7 === 4 ? "0" : `${index}.50`,
    deal_currency_code: index % 3 === 0 ? null : "EUR",
    dealstage: index % 2 ? "appointmentscheduled" : "91183487",
    pipeline: "default",
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
  const { always, byDefault } = KINDS[kind];
  const names = new Set([...(requested.length > 0 ? requested : byDefault), ...always].sort());
  const properties = Object.fromEntries(
    [...names].filter((name) => name in object.properties).map((name) => [name, object.properties[name] ?? null]),
  );
  return { ...object, properties };
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
  additionalCurrencies: ["USD"],
  utcOffset: "+01:00",
  utcOffsetMilliseconds: 3_600_000,
  uiDomain: "app.hubspot.com",
  dataHostingLocation: "na1",
};
