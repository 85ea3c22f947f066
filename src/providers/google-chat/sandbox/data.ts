import { awkwardTexts, hour, seeded, times } from "../../../emulator-kit/index.ts";
import { markdownToPlain, plainToMarkdown } from "../../../provider-kit/index.ts";

const PEOPLE = 270;
const SPACES = 330;
/** Messages in the first space. */
const MESSAGES = 290;

const CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
export const newId = (seed: number): string => seeded(seed).text(11, CHARACTERS);

/** 21 digits, like Google's account ids. */
const personId = (index: number) => `1000000000${String(10_000_000_000 + index * 7919).slice(-11)}`;
export const ME = personId(0);
/** Google's times have microseconds. */
const googleTime = (index: number) => hour(index).toISOString().replace("000Z", "123456Z");

function person(index: number) {
  const id = personId(index);
  const metadata = { primary: true, source: { type: "DOMAIN_PROFILE", id } };
  const awkward = awkwardTexts[(index / 9) % awkwardTexts.length]!;
  return {
    resourceName: `people/${id}`,
    // Some people have no name, and a few have no email address.
    ...(index % 20 !== 11 && { names: [{ metadata, displayName: index % 9 === 0 ? awkward : `Person ${index}` }] }),
    ...(index % 40 !== 31 && { emailAddresses: [{ metadata, value: `person${index}@example.com` }] }),
    ...(index % 4 !== 3 && { photos: [{ metadata, url: `https://lh3.googleusercontent.com/a/${index}=s100` }] }),
  };
}

const NAMES = ["General", "Grüße aus Köln", "日本語のスペース", "مرحبا", "👩‍👩‍👧 family"];

function space(index: number) {
  const spaceType = index % 12 === 5 ? "DIRECT_MESSAGE" : index % 12 === 9 ? "GROUP_CHAT" : "SPACE";
  const id = `AAAA${newId(100 + index).slice(4)}`;
  const common = {
    name: `spaces/${id}`,
    spaceType,
    createTime: googleTime(index),
    spaceUri: `https://chat.google.com/room/${id}?cls=11`,
  };
  if (spaceType !== "SPACE") return common;
  return {
    ...common,
    displayName: NAMES[index] ?? `Space ${index}`,
    accessSettings: { accessState: index % 5 === 2 ? "DISCOVERABLE" : "PRIVATE" },
    ...(index % 3 === 0 && { spaceDetails: { description: `About *${index}*` } }),
  };
}

export interface Message {
  name: string;
  sender: { name: string; type: "HUMAN" | "BOT" };
  createTime: string;
  /** Without markup. */
  text?: string;
  /** The same with markup, which the API writes in the requested syntax as `formattedText`. */
  markdown?: string;
  annotations?: object[];
  thread: { name: string };
  space: { name: string };
  threadReply?: boolean;
  fallbackText?: string;
  cardsV2?: object[];
}

/** `thread` is the id of the thread's first message: the message's own id if it starts one. */
export function newMessage(space: string, id: string, thread: string, sender: string, createTime: string): Message {
  return {
    name: `${space}/messages/${thread}.${id}`,
    sender: { name: `users/${sender}`, type: "HUMAN" },
    createTime,
    thread: { name: `${space}/threads/${thread}` },
    space: { name: space },
    ...(thread !== id && { threadReply: true }),
  };
}

/** As somebody typed it: whatever looks like markup is not. */
const withText = (message: Message, text: string): Message => ({
  ...message,
  text,
  markdown: plainToMarkdown(text) ?? "",
});

export const withMarkdown = (message: Message, markdown: string): Message => ({
  ...message,
  text: markdownToPlain(markdown) ?? "",
  markdown,
});

/** A mention has the user's name in the text, and only the id in the markup. */
function withMention(message: Message, before: string, index: number, after: string): Message {
  const user = { name: `users/${personId(index)}`, type: "HUMAN" };
  const shown = `@Person ${index}`;
  const place = { ...(before && { startIndex: before.length }), length: shown.length };
  return {
    ...message,
    text: `${before}${shown}${after}`,
    markdown: `${before}<${user.name}>${after}`,
    annotations: [{ type: "USER_MENTION", ...place, userMention: { user, type: "MENTION" } }],
  };
}

const MARKUP = [
  "**bold**, *italic*, ~~struck~~ and `code <users/1>`",
  "See [the report](https://example.com/x?a=1&b=2)",
  "* one\n* two",
  "> quoted\r\n\r\nnot quoted",
  "```\nconst a = 1 < 2;\n```",
];

const APP = { name: "users/114022495153014004089", type: "BOT" as const };

/** Oldest first. With a user's token the sender of a message has an id but no name. */
const makeMessages = (space: string): Message[] =>
  times(MESSAGES, (index) => {
    const id = newId(2000 + index);
    const thread = index % 6 === 5 ? newId(2000 + index - 4) : id;
    const message = newMessage(space, id, thread, personId(seeded(index + 1).int(PEOPLE)), googleTime(index));
    // An app's card and a picture have no text.
    const card = { header: { title: `Build ${index}`, subtitle: "It failed" } };
    if (index % 45 === 20) return { ...message, sender: APP, cardsV2: [{ cardId: "deploy", card }] };
    if (index % 45 === 25)
      return { ...message, sender: APP, cardsV2: [{ cardId: "deploy" }], fallbackText: `Build ${index} *failed*` };
    if (index % 45 === 30) return message;
    if (index % 9 === 4) return withMarkdown(message, MARKUP[index % MARKUP.length]!);
    if (index % 9 === 6) return withMention(message, index % 2 ? "" : "Hello ", 1 + (index % 5), ", 5 > 4 & 3");
    return withText(message, index % 7 === 0 ? awkwardTexts[index % awkwardTexts.length]! : `Message ${index}`);
  });

export function makeState() {
  const spaces = times(SPACES, space);
  const first = spaces[0]!.name;
  return {
    people: times(PEOPLE, person),
    spaces,
    /** By space, oldest first. */
    messages: new Map([[first, makeMessages(first)]]),
  };
}
export type State = ReturnType<typeof makeState>;
