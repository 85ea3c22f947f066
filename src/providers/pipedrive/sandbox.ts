import type { EmulatedReply, EmulatedRequest } from "../../contracts/emulator.ts";
import { emulate, reply } from "../../provider-kit/emulator.ts";
import { COMPANY, currentUser, makeState, type SandboxPerson, type State } from "./sandbox-data.ts";

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
const compareBy = (field: Sortable, one: Pick<SandboxPerson, Sortable>, other: Pick<SandboxPerson, Sortable>) =>
  one[field] === other[field] ? one.id - other.id : one[field] < other[field] ? -1 : 1;

function listPersons({ query }: EmulatedRequest, { persons }: State): EmulatedReply {
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

  const sign = sortDirection === "asc" ? 1 : -1;
  const start = cursor && ({ id: cursor.id, [field]: cursor.fieldValue } as unknown as SandboxPerson);
  const remaining = persons
    .filter((person) => !person.is_deleted && (owner === null || String(person.owner_id) === owner))
    .sort((one, other) => sign * compareBy(field, one, other))
    .filter((person) => !start || sign * compareBy(field, person, start) >= 0);
  const first = remaining[limit];
  const next: Cursor | undefined = first && { field, fieldValue: first[field], sortDirection, id: first.id };
  return reply(200, {
    success: true,
    data: remaining.slice(0, limit),
    additional_data: { next_cursor: next ? Buffer.from(JSON.stringify(next)).toString("base64url") : null },
  });
}

function readPerson({ params }: EmulatedRequest, { persons }: State): EmulatedReply {
  const found = persons.find(({ id, is_deleted }) => String(id) === params.id && !is_deleted);
  return found ? reply(200, { success: true, data: found }) : errorReply(404, "Person not found");
}

export default emulate<State>({
  state: makeState,
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
    "GET /api/v2/persons": listPersons,
    "GET /api/v2/persons/:id": readPerson,
    "GET /api/v1/users/me": () => reply(200, { success: true, data: currentUser }),
  },
  // Every answer has the refresh token; after a refresh it is the one that was sent.
  tokenAnswer: ({ access_token, expires_in, refresh_token }, { body }) =>
    reply(200, {
      access_token,
      token_type: "Bearer",
      expires_in,
      refresh_token: refresh_token ?? body.refresh_token,
      scope: "base,contacts:read",
      api_domain: `https://${COMPANY}.pipedrive.com`,
    }),
  tokenFailure: (error, description) =>
    reply(error === "invalid_client" ? 401 : 400, { success: false, message: description, error }),
});
