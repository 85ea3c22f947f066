import { escapeEntities } from "../../provider-kit/markdown.ts";
import { awkwardTexts, hour, seeded, times } from "../../provider-kit/sandbox-data.ts";

const USERS = 270;
/** Channels per team. There are few teams, so that a page of a hundred channels needs few calls. */
const CHANNELS_PER_TEAM = [130, 1, 90, 45, 25];
/** Messages in the first channel. */
const MESSAGES = 330;

export function guid(seed: number): string {
  const random = seeded(seed);
  return [8, 4, 4, 4, 12].map((length) => random.hex(length)).join("-");
}

const TENANT = guid(1);
const userId = (index: number) => guid(1000 + index);
const graphTime = (index: number) => hour(index).toISOString();

function user(index: number) {
  const awkward = awkwardTexts[(index / 9) % awkwardTexts.length]!;
  const account = `person${index}`;
  return {
    businessPhones: [] as string[],
    // A guest who never signed in may have no name.
    displayName: index % 40 === 13 ? null : index % 9 === 0 ? awkward : `Person ${index}`,
    givenName: index % 3 === 0 ? null : "Person",
    jobTitle: null,
    mail: index % 7 === 3 ? null : `${account}@example.com`,
    mobilePhone: null,
    officeLocation: null,
    preferredLanguage: null,
    surname: index % 3 === 0 ? null : String(index),
    userPrincipalName: `${account}@example.com`,
    id: userId(index),
  };
}

export type User = ReturnType<typeof user>;

const team = (index: number) => ({
  id: guid(10 + index),
  createdDateTime: null,
  displayName: index === 0 ? "Plugboard Sandbox" : `Team ${index} – Grüße`,
  description: index % 2 === 0 ? null : `What team ${index} does`,
  internalId: null,
  classification: null,
  specialization: null,
  visibility: "private" as const,
  webUrl: null,
  isArchived: false,
  isMembershipLimitedToOwners: null,
  memberSettings: null,
  guestSettings: null,
  messagingSettings: null,
  funSettings: null,
  discoverySettings: null,
  tagSettings: null,
  summary: null,
});

export type Team = ReturnType<typeof team>;

function channel(index: number) {
  const names = ["General", "Grüße aus Köln", "日本語のチャネル", "مرحبا", "👩‍👩‍👧 family"];
  const id = `19:${seeded(3000 + index).hex(32)}@thread.tacv2`;
  return {
    id,
    createdDateTime: graphTime(index),
    displayName: names[index] ?? `Channel ${index}`,
    description: index % 3 === 0 ? null : `About ${index}`,
    isFavoriteByDefault: null,
    email: index % 5 === 0 ? "" : `channel${index}@example.com`,
    tenantId: TENANT,
    webUrl: `https://teams.microsoft.com/l/channel/${encodeURIComponent(id)}/${index}`,
    membershipType: index % 10 === 9 ? ("private" as const) : ("standard" as const),
    isArchived: false,
  };
}

export type Channel = ReturnType<typeof channel>;

export interface Identity {
  id: string;
  displayName: string | null;
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
  summary: null;
  chatId: null;
  importance: "normal";
  locale: "en-us";
  webUrl: string;
  policyViolation: null;
  eventDetail: { initiator: null } | null;
  from: { application: Identity | null; device: null; user: Identity | null } | null;
  body: { contentType: "html" | "text"; content: string };
  channelIdentity: { teamId: string; channelId: string };
  attachments: never[];
  mentions: never[];
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

export const byUser = ({ id, displayName }: User) => ({ application: null, device: null, user: { id, displayName } });

function message(index: number, target: ChannelRef, users: User[]): Message {
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
  // An old message that was edited much later is listed among the new ones.
  if (index % 40 === 12)
    return { ...posted, lastModifiedDateTime: graphTime(index + 25), lastEditedDateTime: graphTime(index + 25) };
  return posted;
}

export interface State {
  users: User[];
  teams: Team[];
  /** By team. */
  channels: Map<string, Channel[]>;
  /** By channel. */
  messages: Map<string, Message[]>;
}

export function makeState(): State {
  const users = times(USERS, user);
  const teams = times(CHANNELS_PER_TEAM.length, team);
  let channelIndex = 0;
  const channels = new Map(
    teams.map(({ id }, index) => [id, times(CHANNELS_PER_TEAM[index]!, () => channel(channelIndex++))]),
  );
  const first = { team: teams[0]!.id, channel: channels.get(teams[0]!.id)![0]!.id };
  const messages = new Map([[first.channel, times(MESSAGES, (index) => message(index, first, users))]]);
  return { users, teams, channels, messages };
}
