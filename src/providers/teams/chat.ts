import {
  chat,
  type GraphPage,
  type GraphUser,
  get,
  graphNextPage,
  graphPageQuery,
  implement,
  list,
  path,
} from "../../provider-kit/index.ts";
import { type GraphChannel, type GraphMessage, messagesOf, toChannel, toMessage, toUser } from "./records.ts";
import { writes } from "./writes.ts";

/** Excludes system messages and deleted messages. */
const isMessage = ({ messageType, deletedDateTime }: GraphMessage) => messageType === "message" && !deletedDateTime;

/** Without it, the type of a shared channel is not named. https://learn.microsoft.com/en-us/graph/api/resources/channel */
const NEWER_VALUES = { prefer: "include-unknown-enum-members" };

const timeOf = (message: GraphMessage | null) => Date.parse(message?.createdDateTime ?? "") || 0;

export default implement(chat, {
  // https://learn.microsoft.com/en-us/graph/api/user-list
  listUsers: list({
    maxPageSize: 999,
    items: ({ value }: GraphPage<GraphUser>) => value,
    next: graphNextPage,
    request: (context) => get("/users", {}, graphPageQuery(context)),
    record: toUser,
  }),
  // Accepts no page size. The email address of a channel is slow to look up, so the other fields are selected.
  // https://learn.microsoft.com/en-us/graph/api/channel-list
  listChannels: list({
    maxPageSize: 1000,
    ignoresPageSize: true,
    places: async ({ upstream }) => (await upstream<GraphPage<{ id: string }>>(get("/me/joinedTeams"))).body.value,
    items: ({ value }: GraphPage<GraphChannel>) => value,
    next: graphNextPage,
    request: ({ place, cursor }) =>
      get(
        path`/teams/${place.id}/channels`,
        { $select: "id,displayName,description,membershipType,createdDateTime,webUrl" },
        { $top: undefined, $skiptoken: undefined, ...cursor },
        { headers: NEWER_VALUES },
      ),
    record: toChannel,
  }),
  // The first messages of threads, last modified first. Graph supports no other order, so each page is sorted here.
  // https://learn.microsoft.com/en-us/graph/api/channel-list-messages
  listMessages: list({
    maxPageSize: 50,
    items: ({ value }: GraphPage<GraphMessage>) => value.toSorted((one, other) => timeOf(other) - timeOf(one)),
    next: graphNextPage,
    keep: isMessage,
    request: (context) => get(messagesOf(context.input.channel_id), {}, graphPageQuery(context)),
    record: toMessage,
  }),
  ...writes,
});
