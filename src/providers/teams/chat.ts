import { type ChatChannel, type ChatMessage, type ChatUser, chat } from "../../categories/chat.ts";
import { invalidInput } from "../../contracts/fault.ts";
import type { PageContext, Place } from "../../contracts/provider.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { toHtml } from "../../provider-kit/markdown.ts";
import { type LinkQuery, linkQuery } from "../../provider-kit/paging.ts";
import { get, path, post } from "../../provider-kit/request.ts";
import { isoTime } from "../../provider-kit/time.ts";

// Only the fields that are read; a missing one counts as null.
export interface GraphUser {
  id: string;
  displayName?: string | null;
  userPrincipalName?: string | null;
}
export interface GraphChannel {
  id: string;
  displayName?: string | null;
}
interface GraphIdentity {
  id?: string | null;
  displayName?: string | null;
}
export interface GraphMessage {
  id: string;
  messageType?: string;
  createdDateTime?: string | null;
  deletedDateTime?: string | null;
  replyToId?: string | null;
  from?: { user?: GraphIdentity | null; application?: GraphIdentity | null; device?: GraphIdentity | null } | null;
  body?: { content?: string | null };
}
interface Page<Item> {
  value: Item[];
  "@odata.nextLink"?: string;
}

/** A channel can only be addressed together with its team. Neither id contains the `~` between them. */
const CHANNEL_ID = /^([\w-]+)~(\w+:[^/~]+)$/;

function messagesOf(channelId: string): string {
  const [, team, channel] = CHANNEL_ID.exec(channelId) ?? [];
  if (team && channel) return path`/teams/${team}/channels/${channel}/messages`;
  throw invalidInput({
    path: ["params", "channel_id"],
    message: "must be a channel id as returned by the list of channels: <team id>~<channel id>",
  });
}

const pageQuery = ({ limit, cursor }: PageContext<unknown, LinkQuery>) => ({
  $top: limit,
  $skiptoken: undefined,
  ...cursor,
});

/** https://learn.microsoft.com/en-us/graph/paging */
const next = ({ body }: Answer<Page<unknown>>) => linkQuery(body["@odata.nextLink"]);

/** Excludes system messages and deleted messages. */
const isMessage = ({ messageType, deletedDateTime }: GraphMessage) => messageType === "message" && !deletedDateTime;

const timeOf = ({ createdDateTime }: GraphMessage) => Date.parse(createdDateTime ?? "") || 0;

const toUser = ({ id, displayName, userPrincipalName }: GraphUser): ChatUser => ({
  id,
  name: displayName || userPrincipalName || id,
});

const toChannel = ({ id, displayName }: GraphChannel, { place }: { place: Place }): ChatChannel => ({
  id: `${place.id}~${id}`,
  name: displayName || id,
});

function toMessage({ id, body, from, createdDateTime, replyToId }: GraphMessage): ChatMessage {
  const author = from?.user ?? from?.application ?? from?.device;
  return {
    id,
    text: body?.content ?? null,
    author: author ? { id: author.id ?? null, name: author.displayName ?? null } : null,
    created_at: isoTime(createdDateTime),
    thread_id: replyToId ?? null,
  };
}

export default implement(chat, {
  // https://learn.microsoft.com/en-us/graph/api/user-list
  listUsers: list({
    maxPageSize: 999,
    items: ({ value }: Page<GraphUser>) => value,
    next,
    request: (context) => get("/users", {}, pageQuery(context)),
    record: toUser,
  }),
  // Accepts no page size. The email address of a channel is slow to look up, so the other fields are selected.
  // https://learn.microsoft.com/en-us/graph/api/channel-list
  listChannels: list({
    maxPageSize: 1000,
    ignoresPageSize: true,
    places: async ({ upstream }) => (await upstream<Page<{ id: string }>>(get("/me/joinedTeams"))).body.value,
    items: ({ value }: Page<GraphChannel>) => value,
    next,
    request: ({ place, cursor }) =>
      get(
        path`/teams/${place.id}/channels`,
        { $select: "id,displayName,description,membershipType,createdDateTime,webUrl" },
        { $top: undefined, $skiptoken: undefined, ...cursor },
      ),
    record: toChannel,
  }),
  // The first messages of threads, last modified first. Graph supports no other order, so each page is sorted here.
  // https://learn.microsoft.com/en-us/graph/api/channel-list-messages
  listMessages: list({
    maxPageSize: 50,
    sparse: true,
    items: ({ value }: Page<GraphMessage>) => value.filter(isMessage).sort((one, other) => timeOf(other) - timeOf(one)),
    next,
    request: (context) => get(messagesOf(context.input.channel_id), {}, pageQuery(context)),
    record: toMessage,
  }),
  // https://learn.microsoft.com/en-us/graph/api/channel-post-messages
  sendMessage: {
    request: ({ input }) =>
      post(messagesOf(input.channel_id), { body: { contentType: "html", content: toHtml(input.text) } }),
  },
});
