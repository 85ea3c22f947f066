import { awkwardTexts, hour, seeded } from "../../../emulator-kit/data.ts";
import { guid } from "../../../emulator-kit/microsoft-graph.ts";
import { escapeEntities } from "../../../provider-kit/text/escape.ts";

export const graphTime = (index: number) => hour(index).toISOString();

export interface Identity {
  id: string;
  displayName: string | null;
}

interface Attachment {
  id: string;
  contentType: string;
  contentUrl: string | null;
  content: string | null;
  name: string | null;
  thumbnailUrl: null;
}

interface Mention {
  id: number;
  mentionText: string;
  mentioned: { application: null; device: null; user: Identity };
}

export interface Message {
  id: string;
  replyToId: null;
  etag: string;
  messageType: "message" | "systemEventMessage" | "unknownFutureValue";
  createdDateTime: string;
  lastModifiedDateTime: string;
  lastEditedDateTime: string | null;
  deletedDateTime: string | null;
  subject: string | null;
  summary: string | null;
  chatId: null;
  importance: "normal";
  locale: "en-us";
  webUrl: string;
  policyViolation: null;
  eventDetail: { initiator: null } | null;
  from: { application: Identity | null; device: null; user: Identity | null } | null;
  body: { contentType: "html" | "text"; content: string };
  channelIdentity: { teamId: string; channelId: string };
  attachments: Attachment[];
  mentions: Mention[];
  reactions: never[];
}

export interface ChannelRef {
  team: string;
  channel: string;
}

export function newMessage(target: ChannelRef, time: number, from: Message["from"], body: Message["body"]): Message {
  const id = String(time);
  const at = new Date(time).toISOString();
  return {
    id,
    replyToId: null,
    etag: id,
    messageType: "message",
    createdDateTime: at,
    lastModifiedDateTime: at,
    lastEditedDateTime: null,
    deletedDateTime: null,
    subject: null,
    summary: null,
    chatId: null,
    importance: "normal",
    locale: "en-us",
    webUrl: `https://teams.microsoft.com/l/message/${encodeURIComponent(target.channel)}/${id}?groupId=${target.team}`,
    policyViolation: null,
    eventDetail: null,
    from,
    body,
    channelIdentity: { teamId: target.team, channelId: target.channel },
    attachments: [],
    mentions: [],
    reactions: [],
  };
}

const attachment = (
  id: string,
  contentType: string,
  content: object | null,
  name: string | null = null,
): Attachment => ({
  id,
  contentType,
  contentUrl: content ? null : `https://example.sharepoint.com/${name}`,
  content: content && JSON.stringify(content),
  name,
  thumbnailUrl: null,
});

const CARD = "application/vnd.microsoft.card";
const html = (content: string): Message["body"] => ({ contentType: "html", content });
const attached = (id: string) => html(`<attachment id="${id}"></attachment>`);

/** Messages as Teams and bots write them. */
function awkward(index: number, { id, displayName }: Identity): Partial<Message> {
  const key = guid(7000 + index);
  const image =
    '<div><div><div><span><img height="297" src="https://graph.microsoft.com/v1.0/teams/x/hostedContents/y/$value" width="297" style="vertical-align:bottom"></span></div></div></div>';
  const mention: Mention = {
    id: 0,
    mentionText: displayName ?? "Jane Smith",
    mentioned: { application: null, device: null, user: { id, displayName } },
  };
  switch (index % 12) {
    case 0:
      return {
        body: html(
          `<p>Hello <at id="0">${escapeEntities(mention.mentionText)}</at>,&nbsp;look <emoji id="1f440_eyes" alt="👀" title="Eyes"></emoji></p>`,
        ),
        mentions: [mention],
      };
    case 1:
      return { body: html(image) };
    case 2:
      return { body: attached(key), attachments: [attachment(key, "reference", null, "report.docx")] };
    case 3: {
      const card = { title: `Build ${index}`, subtitle: "<h3>CI</h3>", text: "It <b>failed</b>.<br>\r\nSee the log." };
      return { body: attached(key), attachments: [attachment(key, `${CARD}.thumbnail`, card)] };
    }
    case 4: {
      const column = { type: "Column", items: [{ type: "TextBlock", text: "by **CI**" }] };
      const body = [
        { type: "TextBlock", text: `Build ${index}` },
        { type: "ColumnSet", columns: [column] },
      ];
      return {
        body: attached(key),
        attachments: [attachment(key, `${CARD}.adaptive`, { type: "AdaptiveCard", body })],
      };
    }
    case 5: {
      const forwarded = { originalMessageId: "1", originalMessageContent: "<p>Forwarded &amp; kept</p>" };
      return { body: attached(key), attachments: [attachment(key, "forwardedMessageReference", forwarded)] };
    }
    case 6:
      return { subject: "Release *2*", body: html("<p>It is <strong>live</strong>.</p>") };
    case 7:
      return { body: html("<ul><li>one</li><li>two</li></ul>\r\n<blockquote><p>quoted</p></blockquote>") };
    case 8:
      return { body: html('<p>Code:</p><codeblock class="Typescript"><code>const a = 1 &lt; 2;</code></codeblock>') };
    case 9:
      return { body: { contentType: "text", content: "5 &lt; 6, *as typed*\r\n# not a title" } };
    case 10:
      return { body: html("no tags at all") };
    default:
      return { body: html(""), summary: "A card was sent" };
  }
}

export const byUser = ({ id, displayName }: Identity) => ({
  application: null,
  device: null,
  user: { id, displayName },
});

export function message(index: number, target: ChannelRef, users: Identity[]): Message {
  const text = index % 7 === 0 ? awkwardTexts[index % awkwardTexts.length]! : `Message ${index}`;
  const author = users[seeded(index + 1).int(users.length)]!;
  const body: Message["body"] =
    index % 5 === 0
      ? { contentType: "text", content: text }
      : { contentType: "html", content: `<p>${escapeEntities(text)}</p>` };
  const posted = newMessage(target, hour(index).getTime(), byUser(author), body);
  // Someone joined, or the channel was renamed. Newer message types have this name for clients that do not request them.
  if (index % 15 === 4)
    return {
      ...posted,
      messageType: "unknownFutureValue",
      from: null,
      body: { contentType: "html", content: "<systemEventMessage/>" },
      eventDetail: { initiator: null },
    };
  if (index % 60 === 20) {
    const app = { id: guid(50), displayName: "Deploy hook" };
    return { ...posted, from: { application: app, device: null, user: null } };
  }
  if (index % 60 === 30)
    return { ...posted, deletedDateTime: graphTime(index + 1), from: null, body: { contentType: "html", content: "" } };
  if (index % 8 === 3) return { ...posted, ...awkward((index - 3) / 8, author) };
  // An old message that was edited much later is listed among the new ones.
  if (index % 40 === 12)
    return { ...posted, lastModifiedDateTime: graphTime(index + 25), lastEditedDateTime: graphTime(index + 25) };
  return posted;
}
