// Contacts by their ID: https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/resources_sobject_retrieve.htm
import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { countWritten, reply } from "../../../emulator-kit/emulator.ts";
import { changeContact, newContact, type State, WRITABLE } from "./data.ts";
import { errorReply, failure } from "./errors.ts";

const MISSING_NAME = errorReply(400, "REQUIRED_FIELD_MISSING", "Required fields are missing: [LastName]", ["LastName"]);

/** What is wrong with the fields of a contact. */
function refusal(fields: Record<string, unknown>, { Account }: State): EmulatedReply | undefined {
  const unknown = Object.keys(fields).find((name) => !WRITABLE.includes(name));
  if (unknown)
    return errorReply(400, "INVALID_FIELD", `No such column '${unknown}' on sobject of type Contact`, [unknown]);
  if (fields.LastName === null || fields.LastName === "") return MISSING_NAME;
  const account = fields.AccountId;
  if (!account) return undefined;
  if (!/^[a-z0-9]{15}(?:[a-z0-9]{3})?$/i.test(String(account)))
    return errorReply(400, "MALFORMED_ID", `Account ID: id value of incorrect type: ${account}`, ["AccountId"]);
  return Account!.some(({ Id, IsDeleted }) => Id === account && !IsDeleted)
    ? undefined
    : errorReply(400, "INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id", ["AccountId"]);
}

const findContact = ({ params }: EmulatedRequest, { Contact }: State) =>
  Contact!.find(({ Id, IsDeleted }) => Id === params.id && !IsDeleted);

export function readContact(request: EmulatedRequest, state: State): EmulatedReply {
  const found = findContact(request, state);
  if (!found) return failure(404);
  const names = request.query.get("fields")?.split(",") ?? Object.keys(found);
  const unknown = names.find((name) => !Object.hasOwn(found, name));
  if (unknown) return errorReply(400, "INVALID_FIELD", `No such column '${unknown}' on entity 'Contact'.`);
  return reply(200, {
    attributes: { type: "Contact", url: request.path },
    ...Object.fromEntries([...names, "Id"].map((name) => [name, found[name]])),
  });
}

export function createContact({ body }: EmulatedRequest, state: State): EmulatedReply {
  const fields = body ?? {};
  const refused = refusal({ LastName: null, ...fields }, state);
  if (refused) return refused;
  const created = newContact(1_000 + countWritten(state), fields);
  state.Contact!.push(created);
  return reply(201, { id: created.Id, success: true, errors: [] });
}

export function updateContact(request: EmulatedRequest, state: State): EmulatedReply {
  const found = findContact(request, state);
  if (!found) return failure(404);
  const refused = refusal(request.body ?? {}, state);
  if (refused) return refused;
  changeContact(found, request.body ?? {});
  return reply(204);
}
