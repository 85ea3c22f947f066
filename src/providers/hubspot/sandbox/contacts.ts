// Contacts that clients write: https://developers.hubspot.com/docs/api-reference/crm-contacts-v3/guide
import { countWritten, type EmulatedRequest, refuse } from "../../../emulator-kit/index.ts";
import { newContact, type Properties, type SandboxObject, type State, WRITABLE } from "./data.ts";
import { errorReply, failure, invalid } from "./errors.ts";

/** The two types of an association between a contact and a company: with the primary one, and with any. */
const TO_COMPANY = [1, 279];

/** The properties that a client sent, with the company of an association. */
function readProperties({ body }: EmulatedRequest, { contacts, companies }: State, own?: SandboxObject): Properties {
  const { properties = refuse(failure(400)), associations: [association] = [] } = body ?? {};
  if (association && !TO_COMPANY.includes(association.types?.[0]?.associationTypeId))
    refuse(invalid("One or more associations are not valid"));
  for (const [name, value] of Object.entries(properties)) {
    if (!WRITABLE.includes(name)) refuse(invalid(`Property values were not valid: Property "${name}" does not exist`));
    if (typeof value !== "string") refuse(invalid(`Invalid input JSON: ${name} must be a string`));
  }
  const { email, associatedcompanyid = association?.to?.id } = properties;
  const holder = contacts.find((one) => one !== own && !one.archived && email && one.properties.email === email);
  if (holder) refuse(errorReply(409, `Contact already exists. Existing ID: ${holder.id}`, { category: "CONFLICT" }));
  if (associatedcompanyid && !companies.some(({ id, archived }) => id === associatedcompanyid && !archived))
    refuse(invalid(`Property values were not valid: ${associatedcompanyid} is not a valid company`));
  return { ...properties, ...(association && { associatedcompanyid }) };
}

export const createContact = (request: EmulatedRequest, state: State) =>
  newContact(1_000 + countWritten(state), readProperties(request, state));

export function updateContact(contact: SandboxObject, request: EmulatedRequest, state: State) {
  const updatedAt = new Date().toISOString();
  const sent = readProperties(request, state, contact);
  return { updatedAt, properties: { ...contact.properties, ...sent, lastmodifieddate: updatedAt } };
}
