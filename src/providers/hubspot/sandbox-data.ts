// Shapes as the real API sends them: https://developers.hubspot.com/docs/guides/api/crm/objects/contacts
import { awkwardTexts, hour, times } from "../../contracts/sandbox.ts";

export const PORTAL = 48_600_123;
export const USER = 7_654_321;
const COUNT = 290;

interface Person {
  firstname: string | null;
  lastname: string | null;
  email: string | null;
}

const GIVEN = ["Ada", "Zoë", "陽菜", "José", "Émilie", "محمد", "Ștefan", "Chloe\u0308"];
const FAMILY = ["Lovelace", "Müller-Lüdenscheidt", "O'Brien", "山田", "Nuñez", "Þórsdóttir", "d’Arc", "Øster"];

function person(index: number): Person {
  const firstname = GIVEN[index % GIVEN.length]!;
  const lastname = FAMILY[(index * 3) % FAMILY.length]!;
  const email = `contact-${index}@example.com`;
  switch (index % 13) {
    case 1:
      return { firstname, lastname: null, email };
    case 2:
      return { firstname: null, lastname, email };
    case 3:
      return { firstname: null, lastname: null, email };
    case 4:
      return { firstname: null, lastname: null, email: null };
    case 5:
      return { firstname, lastname, email: null };
    case 6:
      return { firstname: awkwardTexts[index % awkwardTexts.length]!, lastname, email: `grüße+${index}@exämple.com` };
    case 7:
      return { firstname: "  ", lastname: "", email: index % 2 ? "" : email };
    default:
      return { firstname, lastname, email };
  }
}

function contact(index: number) {
  // Ids leave gaps, and grow from three digits to four: as text they would not be in order.
  const id = String(901 + index * 7);
  const createdAt = hour(index).toISOString();
  const updatedAt = hour(index + 400).toISOString();
  const archived = index % 29 === 28;
  const properties: Record<string, string | null> = {
    ...person(index),
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

/** A contact with the properties that were asked for; a name that does not exist is left out. */
export function shown(contact: SandboxContact, asked: string[]) {
  const names = new Set([...(asked.length > 0 ? asked : SENT_BY_DEFAULT), ...SENT_ALWAYS].sort());
  const properties = Object.fromEntries(
    [...names].filter((name) => name in contact.properties).map((name) => [name, contact.properties[name] ?? null]),
  );
  return { ...contact, properties };
}

/** Contacts in the order of their ids, the archived ones among them. */
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
