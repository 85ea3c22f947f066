// Objects have the same fields as in the real API: https://developers.hubspot.com/docs/guides/api/crm/objects/contacts
import { hour, person, times } from "../../provider-kit/sandbox-data.ts";

export const PORTAL = 48_600_123;
export const USER = 7_654_321;
const COUNT = 290;

function contact(index: number) {
  // Ids have gaps and grow from three digits to four, so sorting them as strings would give the wrong order.
  const id = String(901 + index * 7);
  const createdAt = hour(index).toISOString();
  const updatedAt = hour(index + 400).toISOString();
  const archived = index % 29 === 28;
  const { given: firstname, family: lastname, email } = person(index);
  const properties: Record<string, string | null> = {
    firstname,
    lastname,
    email,
    company: index % 4 === 0 ? null : "Example Ltd",
    phone: index % 5 === 0 ? "+49 221 000000" : null,
    lifecyclestage: "lead",
    createdate: createdAt,
    hs_object_id: id,
    lastmodifieddate: updatedAt,
  };
  return {
    id,
    properties,
    createdAt,
    updatedAt,
    archived,
    ...(archived ? { archivedAt: hour(index + 500).toISOString() } : {}),
    url: `https://app.hubspot.com/contacts/${PORTAL}/record/0-1/${id}`,
  };
}
export type SandboxContact = ReturnType<typeof contact>;

const SENT_ALWAYS = ["createdate", "hs_object_id", "lastmodifieddate"];
const SENT_BY_DEFAULT = ["email", "firstname", "lastname"];

/** A contact with the requested properties. Unknown names are left out. */
export function selectProperties(contact: SandboxContact, requested: string[]) {
  const names = new Set([...(requested.length > 0 ? requested : SENT_BY_DEFAULT), ...SENT_ALWAYS].sort());
  const properties = Object.fromEntries(
    [...names].filter((name) => name in contact.properties).map((name) => [name, contact.properties[name] ?? null]),
  );
  return { ...contact, properties };
}

/** Contacts sorted by id, including archived ones. */
export const makeState = () => ({ contacts: times(COUNT, contact) });
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
