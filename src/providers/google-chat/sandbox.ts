import type { EmulatedReply, EmulatedRequest } from "../../contracts/emulator.ts";
import { emulate, isReply, reply } from "../../provider-kit/emulator.ts";
import { ME, makeState, newId, newMessage, type State, withText } from "./sandbox-data.ts";

const MAX_PAGE_SIZE = 1000;
const MAX_TEXT_BYTES = 32_000;

const ERRORS: Record<number, [status: string, message: string]> = {
  400: ["INVALID_ARGUMENT", "Request contains an invalid argument."],
  401: [
    "UNAUTHENTICATED",
    "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.",
  ],
  403: ["PERMISSION_DENIED", "The caller does not have permission"],
  404: ["NOT_FOUND", "Requested entity was not found."],
  429: ["RESOURCE_EXHAUSTED", "Quota exceeded for quota metric 'Message reads' and limit 'Message reads per minute'."],
  500: ["INTERNAL", "Internal error encountered."],
  503: ["UNAVAILABLE", "The service is currently unavailable."],
};

/** https://google.aip.dev/193 */
function failure(code: number, detail?: string): EmulatedReply {
  const [status, message] = ERRORS[code] ?? ["UNKNOWN", "Unknown error."];
  return reply(code, { error: { code, message: detail ?? message, status } });
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** The page that a page token stands for. A token is valid only for the same list, filter and order. */
function paginate<Item>(items: Item[], { query, path }: EmulatedRequest, defaultSize: number) {
  const given = Number(query.get("pageSize") || defaultSize);
  if (!Number.isInteger(given) || given < 0) return failure(400, "page_size must not be negative");
  const size = Math.min(given || defaultSize, MAX_PAGE_SIZE);
  const list = [path, query.get("filter"), query.get("orderBy"), query.get("readMask")];
  const token = query.get("pageToken");
  let start = 0;
  if (token) {
    const decoded = decode(token);
    if (JSON.stringify(decoded?.list) !== JSON.stringify(list)) return failure(400, "Invalid page token");
    start = decoded!.start;
  }
  const end = start + size;
  const nextPageToken = end < items.length ? { nextPageToken: encode({ list, start: end }) } : {};
  return { page: items.slice(start, end), nextPageToken };
}

function decode(token: string): { list: unknown; start: number } | undefined {
  try {
    return JSON.parse(Buffer.from(token, "base64url").toString());
  } catch {
    return undefined;
  }
}

/** Google leaves an empty list out of a response, like every empty field. */
const pageReply = (name: string, page: object[], nextPageToken: object) =>
  reply(200, { ...(page.length > 0 ? { [name]: page } : {}), ...nextPageToken });

function listPeople(request: EmulatedRequest, { people }: State): EmulatedReply {
  const { query } = request;
  if (!query.get("readMask"))
    return failure(400, "personFields mask is required. Please specify one or more valid paths.");
  if (!query.get("sources")) return failure(400, "Must specify at least one source.");
  const found = paginate(people, request, 100);
  return isReply(found) ? found : pageReply("people", found.page, found.nextPageToken);
}

/** `space_type = "SPACE" OR spaceType = "GROUP_CHAT"` */
function wantedTypes(filter: string): string[] | undefined {
  const parts = filter.split(/\s+OR\s+/).map((part) => /^space(?:_t|T)ype\s*=\s*"?([A-Z_]+)"?$/.exec(part.trim())?.[1]);
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

function listSpaces(request: EmulatedRequest, { spaces }: State): EmulatedReply {
  const filter = request.query.get("filter");
  const types = filter ? wantedTypes(filter) : [];
  if (!types) return failure(400, "Invalid filter");
  const wanted = filter ? spaces.filter(({ spaceType }) => types.includes(spaceType)) : spaces;
  const found = paginate(wanted, request, 100);
  return isReply(found) ? found : pageReply("spaces", found.page, found.nextPageToken);
}

const findSpace = ({ params }: EmulatedRequest, { spaces }: State) =>
  spaces.find(({ name }) => name === `spaces/${params.space}`)?.name;

function listMessages(request: EmulatedRequest, state: State): EmulatedReply {
  const space = findSpace(request, state);
  if (!space) return failure(404);
  const order = request.query.get("orderBy") ?? "";
  if (!/^((create_time|createTime)\s+)?(ASC|DESC)?$/i.test(order)) return failure(400, "Invalid order_by");
  const all = state.messages.get(space) ?? [];
  const found = paginate(/DESC$/i.test(order) ? all.toReversed() : all, request, 25);
  return isReply(found) ? found : pageReply("messages", found.page, found.nextPageToken);
}

function createMessage(request: EmulatedRequest, state: State): EmulatedReply {
  const space = findSpace(request, state);
  if (!space) return failure(404);
  const text = String(request.body?.text ?? "");
  if (!text) return failure(400, "Message cannot be empty.");
  if (Buffer.byteLength(text) > MAX_TEXT_BYTES) return failure(400, "Message is too long.");
  const all = state.messages.get(space) ?? [];
  state.messages.set(space, all);
  const id = newId(Date.now() + all.length);
  const created = withText(newMessage(space, id, id, ME, new Date().toISOString()), text);
  all.push(created);
  return reply(200, created);
}

export default emulate<State>({
  state: makeState,
  failure: (status) => failure(status),
  headers: () => ({
    vary: "Origin, X-Origin, Referer",
    server: "ESF",
    "cache-control": "private",
    "x-xss-protection": "0",
    "x-frame-options": "SAMEORIGIN",
    "x-content-type-options": "nosniff",
  }),
  routes: {
    "GET /v1/people:listDirectoryPeople": listPeople,
    "GET /v1/spaces": listSpaces,
    "GET /v1/spaces/:space/messages": listMessages,
    "POST /v1/spaces/:space/messages": createMessage,
  },
  tokenFailure: (error, error_description) =>
    reply(error === "invalid_client" ? 401 : 400, {
      error,
      error_description: error === "invalid_grant" ? "Token has been expired or revoked." : error_description,
    }),
});
