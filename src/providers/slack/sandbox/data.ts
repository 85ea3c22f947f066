import { awkwardTexts, seeded, times } from "../../../emulator-kit/index.ts";
import { escapeEntities } from "../../../provider-kit/index.ts";
import { BOT, lastReply, type Message, message, numbered, posted, seconds, TEAM, USERS } from "./messages.ts";

const CHANNELS = 275;
/** Messages in the first channel, not counting broadcast replies. */
const MESSAGES = 310;

const normalized = (name: string) => name.normalize("NFKD").replace(/\p{M}/gu, "");
const picture = (size: number) => `https://a.slack-edge.com/80588/img/avatars/ava_0001-${size}.png`;

function user(id: string, name: string, real_name: string, display_name: string, index: number, is_bot = false) {
  return {
    id,
    team_id: TEAM.id,
    name,
    deleted: false,
    // A deleted account has it in its profile only.
    real_name: real_name as string | undefined,
    profile: {
      title: "",
      phone: "",
      skype: "",
      real_name,
      real_name_normalized: normalized(real_name),
      display_name,
      display_name_normalized: normalized(display_name),
      fields: {},
      status_text: "",
      status_emoji: "",
      avatar_hash: seeded(index + 1).hex(12),
      ...(!is_bot && { email: `${name}@example.com` }),
      image_72: picture(72),
      // Accounts of long ago have no larger picture.
      ...(index % 5 > 0 && { image_192: picture(192), image_512: picture(512) }),
    },
    is_bot,
    is_app_user: false,
    updated: seconds(index),
  };
}
export type User = ReturnType<typeof user>;

function makeUsers(): User[] {
  const slackbot = user("USLACKBOT", "slackbot", "Slackbot", "Slackbot", 0);
  const bot = user(BOT.user, BOT.name, "Plugboard", "", 1, true);
  const people = times(USERS - 2, (offset) => {
    const index = offset + 2;
    const name = `person_${index}`;
    // Many people never set a display name; some set one that breaks careless code.
    const display = index % 9 === 0 ? awkwardTexts[(index / 9) % awkwardTexts.length]! : index % 3 === 0 ? "" : name;
    const person = user(numbered("U", index), name, `Person Number ${index}`, display, index, index % 40 === 0);
    return index % 17 === 0 ? { ...person, deleted: true, real_name: undefined } : person;
  });
  // Slack does not count Slackbot as a bot: https://docs.slack.dev/reference/objects/user-object
  return [slackbot, bot, ...people];
}

const textWithAuthor = (value: string, creator: string, index: number) => ({
  value,
  creator: value ? creator : "",
  last_set: value ? seconds(index) : 0,
});

function channel(id: string, name: string, index: number) {
  const creator = numbered("U", 2);
  const isPrivate = index % 6 === 5;
  return {
    id,
    name,
    name_normalized: name,
    is_channel: !isPrivate,
    is_group: isPrivate,
    is_im: false,
    is_mpim: false,
    is_private: isPrivate,
    created: seconds(index),
    creator,
    is_archived: index % 25 === 24,
    is_general: index === 0,
    is_shared: false,
    is_org_shared: false,
    is_member: isPrivate || index % 4 !== 3,
    topic: textWithAuthor(index % 3 === 0 ? "" : `Topic of ${name}`, creator, index),
    purpose: textWithAuthor(index % 6 === 0 ? escapeEntities(awkwardTexts[(index / 6) % 8]!) : "", creator, index),
  };
}

const directMessage = (id: string, user: string, index: number) => ({
  id,
  created: seconds(index),
  is_archived: false,
  is_im: true,
  is_org_shared: false,
  user,
  priority: 0,
});
export type Channel = ReturnType<typeof channel> | ReturnType<typeof directMessage>;

/** Slack allows lower-case letters of any script, digits, hyphens and underscores. */
const channelNames = ["general", "random", "grüße-aus-köln", "日本語", "مرحبا", "a", "x".repeat(80)];

/** Direct messages are among them: they are paged as well and filtered out afterwards. */
const makeChannels = (): Channel[] =>
  times(CHANNELS, (index) =>
    index % 30 === 13
      ? directMessage(numbered("D", index), numbered("U", index), index)
      : channel(numbered("C", index), channelNames[index] ?? `project-${index}`, index),
  );

/** Every tenth message starts a thread. Every other thread has a reply that was also sent to the channel. */
function messagesWithReplies(index: number): Message[] {
  const first = posted(index);
  if (index % 10 !== 1) return [first];
  const last = lastReply(first, index);
  return index % 20 === 1 ? [first, { ...last, subtype: "thread_broadcast" }] : [first];
}

export function makeState() {
  const channels = makeChannels();
  return {
    users: makeUsers(),
    channels,
    /** By channel, newest first: the messages in the channel itself. */
    messages: new Map([
      [channels[0]!.id, times(MESSAGES, messagesWithReplies).flat().reverse()],
      [channels[1]!.id, [message(3, "newest"), message(2, "older"), message(1, "oldest")]],
    ]),
    /** The time of the latest message that was sent, in microseconds. */
    latest: 0,
  };
}
export type State = ReturnType<typeof makeState>;
