import {
  collection,
  type EmulatedReply,
  type EmulatedRequest,
  emulate,
  graphEmulator,
  graphEntity,
  graphError,
  graphFailures,
  graphList,
  graphMe,
  graphPaginate,
  graphSelected,
  refuse,
} from "../../../emulator-kit/index.ts";
import { changes } from "./changes.ts";
import { type Channel, makeState, type State } from "./data.ts";
import { hookRoutes, hooks } from "./hooks.ts";
import { byUser, type Message, newMessage } from "./messages.ts";

const MAX_BYTES = 28 * 1024;

const failure = graphFailures({ 404: ["NotFound", "No team found with the given id."] });
const badRequest = (message: string) => graphError(400, "BadRequest", message);

/** A type that is newer than the others is named only to those who ask for it. */
const withType = (channel: Channel, { prefer = "" }: EmulatedRequest["headers"]) =>
  channel.membershipType === "shared" && !prefer.includes("include-unknown-enum-members")
    ? { ...channel, membershipType: "unknownFutureValue" }
    : channel;

const channels = collection({
  items: ({ channels }: State, { params }) => channels.get(params.team!) ?? refuse(failure(404)),
  parameter: "channel",
  notFound: () => failure(404),
  show: (channel, { query, headers }) => graphSelected(withType(channel, headers), query),
  page: (all, { params, query }, show) =>
    query.has("$top")
      ? badRequest("Query option 'Top' is not allowed.")
      : graphList(`teams('${params.team}')/channels`, { "@odata.count": all.length, value: all.map(show) }),
});

/** The newest is the one that was modified last. */
const orderOf = ({ lastModifiedDateTime, id }: Message) => lastModifiedDateTime + id;

const listMessages = channels.below((channel, request, { messages }): EmulatedReply => {
  for (const name of ["$orderby", "$filter", "$select", "$skip"])
    if (request.query.has(name)) return badRequest(`Query option '${name}' is not allowed.`);
  const all = (messages.get(channel.id) ?? []).toSorted((one, other) => (orderOf(one) < orderOf(other) ? 1 : -1));
  return graphList("messages", graphPaginate(all, request, { defaultSize: 20, maxSize: 50 }));
});

const createMessage = channels.below((channel, { params, body }, state): EmulatedReply => {
  const { content, contentType = "text" } = body?.body ?? {};
  if (!content || typeof content !== "string" || !["html", "text"].includes(contentType))
    return badRequest("Missing body content for the message.");
  if (Buffer.byteLength(content) > MAX_BYTES)
    return graphError(413, "RequestEntityTooLarge", "Request Entity Too Large");
  const messages = state.messages.get(channel.id) ?? [];
  state.messages.set(channel.id, messages);
  const time = Math.max(Date.now(), Date.parse(messages.at(-1)?.createdDateTime ?? "1970-01-01") + 1);
  const target = { team: params.team!, channel: channel.id };
  const sent = newMessage(target, time, byUser(state.users[0]!), { contentType, content });
  if (params.message === undefined) {
    messages.push(sent);
    return graphEntity("messages", sent, 201);
  }
  if (!messages.some(({ id }) => id === params.message)) return failure(404);
  // Replies are not among the channel's messages.
  return graphEntity("replies", { ...sent, replyToId: params.message }, 201);
});

export default emulate<State>({
  ...graphEmulator,
  state: makeState,
  changes,
  hooks,
  failure,
  routes: {
    "GET /v1.0/me": graphMe,
    "GET /v1.0/users": (request, { users }) =>
      graphList("users", graphPaginate(users, request, { defaultSize: 100, maxSize: 999 })),
    "GET /v1.0/me/joinedTeams": (_, { teams }) => graphList("teams", { "@odata.count": teams.length, value: teams }),
    "GET /v1.0/teams/:team/channels": channels.list,
    "GET /v1.0/teams/:team/channels/:channel/messages": listMessages,
    "POST /v1.0/teams/:team/channels/:channel/messages": createMessage,
    "POST /v1.0/teams/:team/channels/:channel/messages/:message/replies": createMessage,
    ...hookRoutes,
  },
});
