import {
  bearerToken,
  collection,
  cut,
  type EmulatedReply,
  type EmulatedRequest,
  emulate,
  hasWords,
  makeCursor,
  readCursor,
  refuse,
  reply,
  sentFields,
  wholeNumber,
} from "../../../emulator-kit/index.ts";
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
import { changedValues, listFields, noValues, withLabels } from "./fields.ts";
import { hookRoutes, hooks } from "./hooks.ts";

const MAX_PAGE_SIZE = 500;

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

const invalid = (name: string) => errorReply(400, `Validation failed: ${name} is invalid`);

/** A cursor contains the first item of the next page, as Pipedrive's does. */
function pageOf<Item extends SandboxItem>(
  found: Item[],
  { query }: EmulatedRequest,
  show: (item: Item) => unknown,
): EmulatedReply {
  const limit = wholeNumber(query.get("limit"), { fallback: 100, max: MAX_PAGE_SIZE }, () => invalid("limit"));
  const cursor = query.get("cursor");
  const first = cursor === null ? 0 : (readCursor<{ id: number }>(cursor)?.id ?? refuse(invalid("cursor")));
  const remaining = found.filter(({ id }) => id >= first);
  const next = remaining[limit];
  return reply(200, {
    success: true,
    data: remaining.slice(0, limit).map(show),
    additional_data: { next_cursor: next ? makeCursor({ id: next.id }) : null },
  });
}

/** The fields of a person that a client sent. Those that are not known are ignored. */
function personFields(
  { body }: EmulatedRequest,
  { organizations }: State,
  before: SandboxItem["custom_fields"],
): PersonFields {
  const isText = (text: unknown) => typeof text === "string" && text.trim() !== "";
  const isValues = (values: unknown) => Array.isArray(values) && values.every(({ value }) => typeof value === "string");
  const { name = "?", emails = [], phones = [], org_id = null } = body ?? {};
  if (!isText(name)) refuse(invalid("name"));
  if (!isValues(emails)) refuse(invalid("emails"));
  if (!isValues(phones)) refuse(invalid("phones"));
  if (org_id !== null && !organizations.some(({ id, is_deleted }) => id === org_id && !is_deleted))
    refuse(invalid("org_id"));
  const custom_fields = changedValues(before, body?.custom_fields, invalid);
  return { ...sentFields(body, ["name", "emails", "phones", "org_id"]), custom_fields };
}

const items = <Item extends SandboxItem>(items: (state: State) => Item[]) => ({
  items,
  names: ({ id, is_deleted }: Item) => (is_deleted ? [] : [id]),
  notFound: () => failure(404),
  select(all: Item[], { query }: EmulatedRequest) {
    const since = query.get("updated_since") ?? "";
    if (!/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)?$/.test(since)) refuse(invalid("updated_since"));
    // Only the default order is emulated.
    for (const name of ["sort_by", "sort_direction"]) if (query.has(name)) refuse(invalid(name));
    const ids = query.get("ids")?.split(",");
    if (ids && (ids.length > 100 || !ids.every((id) => /^\d+$/.test(id)))) refuse(invalid("ids"));
    const found = all.filter(
      ({ id, update_time, is_deleted }) =>
        update_time >= since && !is_deleted && (ids === undefined || ids.includes(String(id))),
    );
    return found.sort((one, other) => one.id - other.id);
  },
  page: pageOf,
  show: (item: Item, { query }: EmulatedRequest) =>
    query.get("include_option_labels") === "true"
      ? { ...item, custom_fields: withLabels(item.custom_fields) }
      : { ...item },
  one: (data: unknown) => reply(200, { success: true, data }),
});
const organizations = collection(items(({ organizations }) => organizations));
const deals = collection(items(({ deals }) => deals));
const persons = collection({
  ...items(({ persons }) => persons),
  create(request, state) {
    const fields = personFields(request, state, noValues());
    if (fields.name === undefined) refuse(errorReply(400, "Validation failed: name: Required"));
    return newPerson(Math.max(...state.persons.map(({ id }) => id)) + 1, fields);
  },
  update: ({ custom_fields }, request, state) => changedPerson(personFields(request, state, custom_fields)),
});

/** The best match first, with less of each person than the list has. */
function searchPersons({ query }: EmulatedRequest, { persons, organizations }: State): EmulatedReply {
  const term = query.get("term") ?? "";
  if (term.length < 2) refuse(errorReply(400, "Search term must be at least 2 characters long"));
  const limit = wholeNumber(query.get("limit"), { fallback: 100, max: MAX_PAGE_SIZE }, () => invalid("limit"));
  const start = readCursor<number>(query.get("cursor") ?? makeCursor(0)) ?? refuse(invalid("cursor"));
  const found = persons.filter(
    ({ name, emails, is_deleted }) => !is_deleted && hasWords(term, name, ...emails.map(({ value }) => value)),
  );
  const { items, next } = cut(found.reverse(), start, limit);
  const shown = items.map(({ id, name, phones, emails, org_id, owner_id }) => ({
    result_score: 0.5,
    item: {
      id,
      type: "person",
      name,
      phones: phones.map(({ value }) => value),
      emails: emails.map(({ value }) => value),
      visible_to: 3,
      owner: { id: owner_id },
      ...(org_id && { organization: { id: org_id, name: organizations.find((one) => one.id === org_id)?.name ?? "" } }),
      custom_fields: [],
      notes: [],
    },
  }));
  return reply(200, {
    success: true,
    data: { items: shown },
    additional_data: { next_cursor: next === undefined ? null : makeCursor(next) },
  });
}

export default emulate<State>({
  state: makeState,
  changes,
  hooks,
  settings: { company: COMPANY },
  failure,
  // A key is sent in its own header.
  credential: (request) => request.headers["x-api-token"] ?? bearerToken(request),
  headers: () => ({
    "x-ratelimit-limit": "80",
    "x-ratelimit-remaining": "79",
    "x-ratelimit-reset": "2",
    "x-daily-ratelimit-token-limit": "210000",
    "x-daily-ratelimit-token-remaining": "209990",
  }),
  routes: {
    "GET /api/v2/persons": persons.list,
    "GET /api/v2/organizations": organizations.list,
    "GET /api/v2/deals": deals.list,
    "GET /api/v2/persons/search": searchPersons,
    "GET /api/v2/personFields": listFields("name"),
    "GET /api/v2/organizationFields": listFields("name"),
    "GET /api/v2/dealFields": listFields("title", { description: "" }),
    "GET /api/v2/persons/:id": persons.get,
    "POST /api/v2/persons": persons.create,
    "PATCH /api/v2/persons/:id": persons.update,
    ...hookRoutes,
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
