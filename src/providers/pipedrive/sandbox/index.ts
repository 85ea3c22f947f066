import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { emulate, isReply, reply } from "../../../emulator-kit/emulator.ts";
import { changes } from "./changes.ts";
import {
  COMPANY,
  changedPerson,
  currentUser,
  makeState,
  newPerson,
  type PersonFields,
  type SandboxItem,
  type State,
} from "./data.ts";

const MAX_PAGE_SIZE = 500;
const DEFAULT_PAGE_SIZE = 100;
const SORTABLE = ["id", "update_time", "add_time"] as const;
type Sortable = (typeof SORTABLE)[number];

const FAILURES: Record<number, string> = {
  400: "Bad request",
  403: "Scope and URL mismatch",
  404: "Not found",
  429: "request over limit",
};
const INFO = "Please check developers.pipedrive.com";

/** https://pipedrive.readme.io/docs/core-api-concepts-responses */
const errorReply = (status: number, error: string): EmulatedReply =>
  reply(status, { success: false, error, error_info: INFO, data: null, additional_data: null });

function failure(status: number): EmulatedReply {
  // The gateway's error body is shorter than the API's.
  if (status === 401)
    return reply(401, { success: false, error: "unauthorized access", errorCode: 401, error_info: INFO });
  return errorReply(status, FAILURES[status] ?? "Internal server error");
}

/** A cursor contains the first item of the next page, as Pipedrive's does. */
interface Cursor {
  field: Sortable;
  fieldValue: string | number;
  sortDirection: "asc" | "desc";
  id: number;
}

function readCursor(text: string): Cursor | undefined {
  try {
    const cursor = JSON.parse(Buffer.from(text, "base64url").toString());
    return SORTABLE.includes(cursor.field) ? cursor : undefined;
  } catch {
    return undefined;
  }
}

/** Compares by the field, then by id. */
const compareBy = (field: Sortable, one: Pick<SandboxItem, Sortable>, other: Pick<SandboxItem, Sortable>) =>
  one[field] === other[field] ? one.id - other.id : one[field] < other[field] ? -1 : 1;

const listItems =
  (kind: keyof State) =>
  ({ query }: EmulatedRequest, state: State): EmulatedReply => {
    const limit = Number(query.get("limit") ?? DEFAULT_PAGE_SIZE);
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE_SIZE)
      return errorReply(400, `Parameter limit should be a number from 1 to ${MAX_PAGE_SIZE}`);
    const field = (query.get("sort_by") ?? "id") as Sortable;
    const sortDirection = (query.get("sort_direction") ?? "asc") as Cursor["sortDirection"];
    if (!SORTABLE.includes(field) || !["asc", "desc"].includes(sortDirection)) return errorReply(400, "Invalid sort");
    const text = query.get("cursor");
    const cursor = text === null ? undefined : readCursor(text);
    if (text !== null && cursor?.field !== field) return errorReply(400, "Invalid cursor");
    const owner = query.get("owner_id");
    const since = query.get("updated_since") ?? "";
    if (!/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)?$/.test(since)) return errorReply(400, "Invalid updated_since");

    const sign = sortDirection === "asc" ? 1 : -1;
    const start = cursor && ({ id: cursor.id, [field]: cursor.fieldValue } as unknown as SandboxItem);
    const remaining = (state[kind] as SandboxItem[])
      .filter((item) => !item.is_deleted && (owner === null || String(item.owner_id) === owner))
      .filter(({ update_time }) => update_time >= since)
      .sort((one, other) => sign * compareBy(field, one, other))
      .filter((item) => !start || sign * compareBy(field, item, start) >= 0);
    const first = remaining[limit];
    const next: Cursor | undefined = first && { field, fieldValue: first[field], sortDirection, id: first.id };
    return reply(200, {
      success: true,
      data: remaining.slice(0, limit),
      additional_data: { next_cursor: next ? Buffer.from(JSON.stringify(next)).toString("base64url") : null },
    });
  };

const findPerson = ({ params }: EmulatedRequest, { persons }: State) =>
  persons.find(({ id, is_deleted }) => String(id) === params.id && !is_deleted);

function readPerson(request: EmulatedRequest, state: State): EmulatedReply {
  const found = findPerson(request, state);
  return found ? reply(200, { success: true, data: found }) : errorReply(404, "Person not found");
}

const isValues = (values: unknown) => Array.isArray(values) && values.every(({ value }) => typeof value === "string");

/** The fields of a person that a client sent, or why they are refused. Those that are not known are ignored. */
function personFields({ body }: EmulatedRequest, { organizations }: State): PersonFields | EmulatedReply {
  const { name, emails, phones, org_id } = body ?? {};
  if (name !== undefined && (typeof name !== "string" || !name.trim())) return invalidField("name");
  if (emails !== undefined && !isValues(emails)) return invalidField("emails");
  if (phones !== undefined && !isValues(phones)) return invalidField("phones");
  if (org_id != null && !organizations.some(({ id, is_deleted }) => id === org_id && !is_deleted))
    return invalidField("org_id");
  const given = Object.entries({ name, emails, phones, org_id }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}
const invalidField = (name: string) => errorReply(400, `Validation failed: ${name} is invalid`);

function createPerson(request: EmulatedRequest, state: State): EmulatedReply {
  const fields = personFields(request, state);
  if (isReply(fields)) return fields;
  if (fields.name === undefined) return errorReply(400, "Validation failed: name: Required");
  const created = newPerson(Math.max(...state.persons.map(({ id }) => id)) + 1, fields);
  state.persons.push(created);
  return reply(200, { success: true, data: created });
}

function updatePerson(request: EmulatedRequest, state: State): EmulatedReply {
  const found = findPerson(request, state);
  if (!found) return errorReply(404, "Person not found");
  const fields = personFields(request, state);
  if (isReply(fields)) return fields;
  const changed = changedPerson(found, fields);
  state.persons[state.persons.indexOf(found)] = changed;
  return reply(200, { success: true, data: changed });
}

export default emulate<State>({
  state: makeState,
  changes,
  settings: { company: COMPANY },
  failure,
  // A key is sent in its own header.
  credential: ({ headers }) => headers["x-api-token"] ?? /^bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1],
  headers: () => ({
    "x-ratelimit-limit": "80",
    "x-ratelimit-remaining": "79",
    "x-ratelimit-reset": "2",
    "x-daily-ratelimit-token-limit": "210000",
    "x-daily-ratelimit-token-remaining": "209990",
  }),
  routes: {
    "GET /api/v2/persons": listItems("persons"),
    "GET /api/v2/organizations": listItems("organizations"),
    "GET /api/v2/deals": listItems("deals"),
    "GET /api/v2/persons/:id": readPerson,
    "POST /api/v2/persons": createPerson,
    "PATCH /api/v2/persons/:id": updatePerson,
    "GET /api/v1/users/me": () => reply(200, { success: true, data: currentUser }),
  },
  // Every answer has the refresh token; after a refresh it is the one that was sent.
  tokenAnswer: ({ access_token, expires_in, refresh_token }, { body }) =>
    reply(200, {
      access_token,
      token_type: "Bearer",
      expires_in,
      refresh_token: refresh_token ?? body.refresh_token,
      scope: "base,contacts:full,deals:read",
      api_domain: `https://${COMPANY}.pipedrive.com`,
    }),
  tokenFailure: (error, description) =>
    reply(error === "invalid_client" ? 401 : 400, { success: false, message: description, error }),
});
