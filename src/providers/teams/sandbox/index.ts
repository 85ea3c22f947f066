import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { emulate } from "../../../emulator-kit/emulator.ts";
import {
  collection,
  entity,
  errorReply,
  failures,
  graphEmulator,
  me,
  paginate,
  selected,
} from "../../../emulator-kit/microsoft-graph.ts";
import { changes } from "./changes.ts";
import { makeState, type State } from "./data.ts";
import { byUser, type Message, newMessage } from "./messages.ts";

const MAX_BYTES = 28 * 1024;

const failure = failures({ 404: ["NotFound", "No team found with the given id."] });

function listChannels({ params, query }: EmulatedRequest, { channels }: State): EmulatedReply {
  const all = channels.get(params.team!);
  if (!all) return failure(404);
  if (query.has("$top")) return errorReply(400, "BadRequest", "Query option 'Top' is not allowed.");
  return collection(`teams('${params.team}')/channels`, {
    "@odata.count": all.length,
    value: all.map((one) => selected(one, query)),
  });
}

const hasChannel = ({ params }: EmulatedRequest, { channels }: State) =>
  channels.get(params.team!)?.some(({ id }) => id === params.channel);

/** Last modified first. */
const byLastModified = (one: Message, other: Message) =>
  one.lastModifiedDateTime === other.lastModifiedDateTime
    ? Number(other.id) - Number(one.id)
    : one.lastModifiedDateTime < other.lastModifiedDateTime
      ? 1
      : -1;

function listMessages(request: EmulatedRequest, state: State): EmulatedReply {
  if (!hasChannel(request, state)) return failure(404);
  const { query } = request;
  for (const name of ["$orderby", "$filter", "$select", "$skip"])
    if (query.has(name)) return errorReply(400, "BadRequest", `Query option '${name}' is not allowed.`);
  const all = (state.messages.get(request.params.channel!) ?? []).toSorted(byLastModified);
  return collection("messages", paginate(all, request, { defaultSize: 20, maxSize: 50 }));
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
  const time = Math.max(Date.now(), Date.parse(messages.at(-1)?.createdDateTime ?? "1970-01-01") + 1);
  const sent = newMessage(target, time, byUser(state.users[0]!), { contentType, content });
  const { message } = request.params;
  if (message !== undefined) {
    if (!messages.some(({ id }) => id === message)) return failure(404);
    // Replies are not among the channel's messages.
    return entity("replies", { ...sent, replyToId: message }, 201);
  }
  messages.push(sent);
  return entity("messages", sent, 201);
}

export default emulate<State>({
  ...graphEmulator,
  state: makeState,
  changes,
  failure,
  routes: {
    "GET /v1.0/me": me,
    "GET /v1.0/users": (request, { users }) =>
      collection("users", paginate(users, request, { defaultSize: 100, maxSize: 999 })),
    "GET /v1.0/me/joinedTeams": (_, { teams }) => collection("teams", { "@odata.count": teams.length, value: teams }),
    "GET /v1.0/teams/:team/channels": listChannels,
    "GET /v1.0/teams/:team/channels/:channel/messages": listMessages,
    "POST /v1.0/teams/:team/channels/:channel/messages": createMessage,
    "POST /v1.0/teams/:team/channels/:channel/messages/:message/replies": createMessage,
  },
});
