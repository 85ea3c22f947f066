import { awkwardTexts, graphGuid, hour, seeded } from "../../../emulator-kit/index.ts";
import { escapeEntities } from "../../../provider-kit/index.ts";

const graphTime = (index: number) => hour(index).toISOString();

interface Identity {
  id: string;
  displayName: string | null;
}

export interface Message {
  id: string;
  replyToId: null;
  messageType: "message" | "systemEventMessage" | "unknownFutureValue";
  createdDateTime: string;
  lastModifiedDateTime: string;
  lastEditedDateTime: string | null;
  deletedDateTime: string | null;
  subject: string | null;
  summary: string | null;
  webUrl: string;
  from: { application: Identity | null; device: null; user: Identity | null } | null;
  body: { contentType: "html" | "text"; content: string };
  channelIdentity: { teamId: string; channelId: string };
  attachments: { id: string; contentType: string; contentUrl: string | null; content: string | null }[];
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
    messageType: "message",
    createdDateTime: at,
    lastModifiedDateTime: at,
    lastEditedDateTime: null,
    deletedDateTime: null,
    subject: null,
    summary: null,
    webUrl: `https://teams.microsoft.com/l/message/${encodeURIComponent(target.channel)}/${id}?groupId=${target.team}`,
    from,
    body,
    channelIdentity: { teamId: target.team, channelId: target.channel },
    attachments: [],
  };
}

const html = (content: string): Message["body"] => ({ contentType: "html", content });
const text = (content: string): Message["body"] => ({ contentType: "text", content });

/** A message that is nothing but an attachment: a card, or a file. */
function attached(id: string, contentType: string, content: object | string): Partial<Message> {
  const card = { contentUrl: null, content: JSON.stringify(content) };
  const attachment = typeof content === "string" ? { contentUrl: content, content: null } : card;
  return { body: html(`<attachment id="${id}"></attachment>`), attachments: [{ id, contentType, ...attachment }] };
}

const CARD = "application/vnd.microsoft.card";
const IMAGE =
  '<div><div><div><span><img height="297" src="https://graph.microsoft.com/v1.0/teams/x/hostedContents/y/$value" width="297" style="vertical-align:bottom"></span></div></div></div>';

/** Messages as Teams and bots write them. */
function awkward(index: number, { displayName }: Identity): Partial<Message> {
  const key = graphGuid(7000 + index);
  const name = escapeEntities(displayName ?? "Jane Smith");
  const thumbnail = { title: `Build ${index}`, subtitle: "<h3>CI</h3>", text: "It <b>failed</b>.<br>\r\nSee the log." };
  const column = { type: "Column", items: [{ type: "TextBlock", text: "by **CI**" }] };
  const body = [
    { type: "TextBlock", text: `Build ${index}` },
    { type: "ColumnSet", columns: [column] },
  ];
  const forwarded = { originalMessageId: "1", originalMessageContent: "<p>Forwarded &amp; kept</p>" };
  const kinds: Partial<Message>[] = [
    {
      body: html(
        `<p>Hello <at id="0">${name}</at>,&nbsp;look <emoji id="1f440_eyes" alt="👀" title="Eyes"></emoji></p>`,
      ),
    },
    { body: html(IMAGE) },
    attached(key, "reference", "https://example.sharepoint.com/report.docx"),
    attached(key, `${CARD}.thumbnail`, thumbnail),
    attached(key, `${CARD}.adaptive`, { type: "AdaptiveCard", body }),
    attached(key, "forwardedMessageReference", forwarded),
    { subject: "Release *2*", body: html("<p>It is <strong>live</strong>.</p>") },
    { body: html("<ul><li>one</li><li>two</li></ul>\r\n<blockquote><p>quoted</p></blockquote>") },
    { body: html('<p>Code:</p><codeblock class="Typescript"><code>const a = 1 &lt; 2;</code></codeblock>') },
    { body: text("5 &lt; 6, *as typed*\r\n# not a title") },
    { body: html("no tags at all") },
    { body: html(""), summary: "A card was sent" },
  ];
  return kinds[index % kinds.length]!;
}

export const byUser = ({ id, displayName }: Identity) => ({
  application: null,
  device: null,
  user: { id, displayName },
});

export function message(index: number, target: ChannelRef, users: Identity[]): Message {
  const content = index % 7 === 0 ? awkwardTexts[index % awkwardTexts.length]! : `Message ${index}`;
  const author = users[seeded(index + 1).int(users.length)]!;
  const body = index % 5 === 0 ? text(content) : html(`<p>${escapeEntities(content)}</p>`);
  const posted = newMessage(target, hour(index).getTime(), byUser(author), body);
  // Someone joined, or the channel was renamed. Newer message types have this name for clients that do not request them.
  if (index % 15 === 4)
    return { ...posted, messageType: "unknownFutureValue", from: null, body: html("<systemEventMessage/>") };
  if (index % 60 === 20) {
    const application = { id: graphGuid(50), displayName: "Deploy hook" };
    return { ...posted, from: { application, device: null, user: null } };
  }
  if (index % 60 === 30) return { ...posted, deletedDateTime: graphTime(index + 1), from: null, body: html("") };
  if (index % 8 === 3) return { ...posted, ...awkward((index - 3) / 8, author) };
  // An old message that was edited much later is listed among the new ones.
  const edited = graphTime(index + 25);
  return index % 40 === 12 ? { ...posted, lastModifiedDateTime: edited, lastEditedDateTime: edited } : posted;
}
