// Contacts that clients write: https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/guide
import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { countWritten, reply } from "../../../emulator-kit/emulator.ts";
import { newContact, type SandboxObject, type State, selectProperties, WRITABLE } from "./data.ts";
import { errorReply, failure, invalid } from "./errors.ts";

/** The two types of an association between a contact and a company: with the primary one, and with any. */
const TO_COMPANY = [1, 279];

/** What is wrong with the properties of a contact. */
function refusal(properties: Record<string, unknown>, { contacts, companies }: State, own?: SandboxObject) {
  const unknown = Object.keys(properties).find((name) => !WRITABLE.includes(name));
  if (unknown) return invalid(`Property values were not valid: Property "${unknown}" does not exist`);
  const text = Object.entries(properties).find(([, value]) => typeof value !== "string");
  if (text) return invalid(`Invalid input JSON: ${text[0]} must be a string`);
  const { email, associatedcompanyid } = properties;
  const holder = contacts.find((one) => one !== own && !one.archived && email && one.properties.email === email);
  if (holder) return errorReply(409, `Contact already exists. Existing ID: ${holder.id}`, { category: "CONFLICT" });
  if (associatedcompanyid && !companies.some(({ id, archived }) => id === associatedcompanyid && !archived))
    return invalid(`Property values were not valid: ${associatedcompanyid} is not a valid company`);
  return undefined;
}

/** The response to a write has only the properties that were sent, besides those that every response has. */
const writtenReply = (status: number, contact: SandboxObject, sent: object): EmulatedReply =>
  reply(status, selectProperties("contacts", contact, Object.keys(sent)));

export function createContact({ body }: EmulatedRequest, state: State): EmulatedReply {
  const { properties, associations = [] } = body ?? {};
  if (typeof properties !== "object" || properties === null || !Array.isArray(associations)) return failure(400);
  const [association] = associations;
  if (association && !TO_COMPANY.includes(association.types?.[0]?.associationTypeId))
    return invalid("One or more associations are not valid");
  const company = association ? { associatedcompanyid: association.to?.id } : {};
  const refused = refusal({ ...properties, ...company }, state);
  if (refused) return refused;
  const created = newContact(1_000 + countWritten(state), { ...properties, ...company });
  state.contacts.push(created);
  return writtenReply(201, created, properties);
}

export function updateContact({ body, params }: EmulatedRequest, state: State): EmulatedReply {
  const found = state.contacts.find(({ id, archived }) => id === params.contactId && !archived);
  if (!found) return failure(404);
  const { properties } = body ?? {};
  if (typeof properties !== "object" || properties === null) return failure(400);
  const refused = refusal(properties, state, found);
  if (refused) return refused;
  found.updatedAt = new Date().toISOString();
  Object.assign(found.properties, properties, { lastmodifieddate: found.updatedAt });
  return writtenReply(200, found, properties);
}
