import type { EmulatedReply, EmulatedRequest } from "../../contracts/emulator.ts";
import { emulate, isReply, reply } from "../../provider-kit/emulator.ts";
import { byUser, guid, type Message, makeState, newMessage, type State } from "./sandbox-data.ts";

const MAX_BYTES = 28 * 1024;

/** https://learn.microsoft.com/en-us/graph/errors */
function errorReply(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): EmulatedReply {
  const id = guid(Math.floor(performance.now() * 1000));
  const innerError = { date: new Date().toISOString().slice(0, 19), "request-id": id, "client-request-id": id };
  return reply(status, { error: { code, message, innerError } }, headers);
}

const ERRORS: Record<number, [code: string, message: string]> = {
  400: ["BadRequest", "The request is malformed or incorrect."],
  401: ["InvalidAuthenticationToken", "Lifetime validation failed, the token is expired."],
  403: ["Forbidden", "Missing scope permissions on the request."],
  404: ["NotFound", "No team found with the given id."],
  429: ["TooManyRequests", "Too many requests."],
  500: ["InternalServerError", "An unexpected error occurred."],
  503: ["ServiceUnavailable", "The service is temporarily unavailable."],
};

function failure(status: number): EmulatedReply {
  const [code, message] = ERRORS[status] ?? ["UnknownError", "An error occurred."];
  return errorReply(status, code, message, status === 429 ? { "retry-after": "1" } : {});
}

/** A page with the link to the next one, which repeats the whole query. */
function paginate<Item>(items: Item[], { query, origin, path }: EmulatedRequest, defaultSize: number, maxSize: number) {
  const size = Number(query.get("$top") ?? defaultSize);
  if (!Number.isInteger(size) || size < 1 || size > maxSize)
    return errorReply(
      400,
      "BadRequest",
      `Invalid page size specified: '${size}'. Must be between 1 and ${maxSize} inclusive.`,
    );
  const start = Number(Buffer.from(query.get("$skiptoken") ?? "", "base64url").toString() || 0);
  if (!Number.isInteger(start)) return errorReply(400, "BadRequest", "The $skiptoken is not valid.");
  const end = start + size;
  if (end >= items.length) return { value: items.slice(start) };
  const nextQuery = new URLSearchParams(query);
  nextQuery.set("$skiptoken", Buffer.from(String(end)).toString("base64url"));
  return { "@odata.nextLink": `${origin}${path}?${nextQuery}`, value: items.slice(start, end) };
}

const collection = (kind: string, body: object) =>
  isReply(body)
    ? body
    : reply(200, { "@odata.context": `https://graph.microsoft.com/v1.0/$metadata#${kind}`, ...body });

function listChannels({ params, query }: EmulatedRequest, { channels }: State): EmulatedReply {
  const all = channels.get(params.team!);
  if (!all) return failure(404);
  if (query.has("$top")) return errorReply(400, "BadRequest", "Query option 'Top' is not allowed.");
  const select = query.get("$select")?.split(",");
  const selected = (channel: object) =>
    Object.fromEntries(Object.entries(channel).filter(([name]) => !select || select.includes(name)));
  return collection(`teams('${params.team}')/channels`, { "@odata.count": all.length, value: all.map(selected) });
}

const hasChannel = ({ params }: EmulatedRequest, { channels }: State) =>
  channels.get(params.team!)?.some(({ id }) => id === params.channel);

/** Last modified first. */
const byLastModified = (one: Message, other: Message) =>
  one.lastModifiedDateTime < other.lastModifiedDateTime ? 1 : -1;

function listMessages(request: EmulatedRequest, state: State): EmulatedReply {
  if (!hasChannel(request, state)) return failure(404);
  const { query } = request;
  for (const name of ["$orderby", "$filter", "$select", "$skip"])
    if (query.has(name)) return errorReply(400, "BadRequest", `Query option '${name}' is not allowed.`);
  const all = (state.messages.get(request.params.channel!) ?? []).toSorted(byLastModified);
  return collection("messages", paginate(all, request, 20, 50));
}

function createMessage(request: EmulatedRequest, state: State): EmulatedReply {
  if (!hasChannel(request, state)) return failure(404);
  const { content, contentType = "text" } = request.body?.body ?? {};
  if (!content || typeof content !== "string" || !["html", "text"].includes(contentType))
    return errorReply(400, "BadRequest", "Missing body content for the message.");
  if (Buffer.byteLength(content) > MAX_BYTES)
    return errorReply(413, "RequestEntityTooLarge", "Request Entity Too Large");
  const target = { team: request.params.team!, channel: request.params.channel! };
  const messages = state.messages.get(target.channel) ?? [];
  state.messages.set(target.channel, messages);
  const time = Math.max(Date.now(), Number(messages.at(-1)?.id ?? 0) + 1);
  const sent = newMessage(target, time, byUser(state.users[0]!), { contentType, content });
  messages.push(sent);
  return reply(201, { "@odata.context": "https://graph.microsoft.com/v1.0/$metadata#messages/$entity", ...sent });
}

export default emulate<State>({
  state: makeState,
  failure,
  headers: () => ({
    "request-id": guid(Math.floor(performance.now() * 1000)),
    "odata-version": "4.0",
    "cache-control": "private",
    "strict-transport-security": "max-age=31536000",
    vary: "Accept-Encoding",
  }),
  routes: {
    "GET /v1.0/me": (_, { users }) => reply(200, users[0]),
    "GET /v1.0/users": (request, { users }) => collection("users", paginate(users, request, 100, 999)),
    "GET /v1.0/me/joinedTeams": (_, { teams }) => collection("teams", { "@odata.count": teams.length, value: teams }),
    "GET /v1.0/teams/:team/channels": listChannels,
    "GET /v1.0/teams/:team/channels/:channel/messages": listMessages,
    "POST /v1.0/teams/:team/channels/:channel/messages": createMessage,
  },
  // https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow#error-response-1
  tokenFailure: (error, description) =>
    reply(error === "invalid_client" ? 401 : 400, {
      error,
      error_description: `AADSTS70000: ${description}`,
      error_codes: [70000],
      timestamp: `${new Date().toISOString().slice(0, 19).replace("T", " ")}Z`,
      trace_id: guid(1),
      correlation_id: guid(2),
    }),
});
