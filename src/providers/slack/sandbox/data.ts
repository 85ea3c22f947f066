import { awkwardTexts, seeded, times } from "../../../emulator-kit/data.ts";
import { escapeEntities } from "../../../provider-kit/text/escape.ts";
import { BOT, type Message, makeThread, message, numbered, posted, seconds, TEAM, USERS } from "./messages.ts";

const CHANNELS = 275;
/** Messages in the first channel, not counting broadcast replies. */
const MESSAGES = 310;

export interface User {
  id: string;
  team_id: string;
  name: string;
  deleted: boolean;
  color?: string;
  real_name?: string;
  tz?: string;
  tz_label?: string;
  tz_offset?: number;
  profile: Record<string, unknown> & { display_name: string; real_name: string };
  is_admin?: boolean;
  is_owner?: boolean;
  is_primary_owner?: boolean;
  is_restricted?: boolean;
  is_ultra_restricted?: boolean;
  is_bot: boolean;
  is_app_user: boolean;
  updated: number;
}

export type Channel = ReturnType<typeof channel> | ReturnType<typeof directMessage>;

export interface State {
  users: User[];
  channels: Channel[];
  /** By channel, newest first: the messages in the channel itself. */
  messages: Map<string, Message[]>;
  /** By channel and thread, oldest first, without the first message of the thread. */
  replies: Map<string, Message[]>;
}

function user(id: string, name: string, names: { real: string; display: string }, index: number, isBot = false): User {
  const random = seeded(index + 1);
  return {
    id,
    team_id: TEAM.id,
    name,
    deleted: false,
    color: random.hex(6),
    real_name: names.real,
    tz: "Europe/Berlin",
    tz_label: "Central European Time",
    tz_offset: 3600,
    profile: {
      title: "",
      phone: "",
      skype: "",
      real_name: names.real,
      real_name_normalized: names.real.normalize("NFKD").replace(/\p{M}/gu, ""),
      display_name: names.display,
      display_name_normalized: names.display.normalize("NFKD").replace(/\p{M}/gu, ""),
      fields: null,
      status_text: "",
      status_emoji: "",
      status_expiration: 0,
      avatar_hash: random.hex(12),
      ...(isBot ? {} : { email: `${name}@example.com` }),
      image_24: "https://a.slack-edge.com/80588/img/avatars/ava_0001-24.png",
      image_72: "https://a.slack-edge.com/80588/img/avatars/ava_0001-72.png",
      // Accounts of long ago have no larger picture.
      ...(index % 5 === 0
        ? {}
        : {
            image_192: "https://a.slack-edge.com/80588/img/avatars/ava_0001-192.png",
            image_512: "https://a.slack-edge.com/80588/img/avatars/ava_0001-512.png",
          }),
      status_text_canonical: "",
      team: TEAM.id,
    },
    is_admin: index === 2,
    is_owner: index === 2,
    is_primary_owner: index === 2,
    is_restricted: false,
    is_ultra_restricted: false,
    is_bot: isBot,
    is_app_user: false,
    updated: seconds(index),
  };
}

/** A deleted account keeps its names and loses its settings in the team. */
function deleted({ id, team_id, name, profile, is_bot, is_app_user, updated }: User): User {
  return { id, team_id, name, deleted: true, profile, is_bot, is_app_user, updated };
}

function makeUsers(): User[] {
  const slackbot = user("USLACKBOT", "slackbot", { real: "Slackbot", display: "Slackbot" }, 0);
  const bot = user(BOT.user, BOT.name, { real: "Plugboard", display: "" }, 1, true);
  const people = times(USERS - 2, (offset) => {
    const index = offset + 2;
    const name = `person_${index}`;
    // Many people never set a display name; some set one that breaks careless code.
    const display = index % 9 === 0 ? awkwardTexts[(index / 9) % awkwardTexts.length]! : index % 3 === 0 ? "" : name;
    const names = { real: `Person Number ${index}`, display };
    const person = user(numbered("U", index), name, names, index, index % 40 === 0);
    return index % 17 === 0 ? deleted(person) : person;
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
    is_channel: !isPrivate,
    is_group: isPrivate,
    is_im: false,
    is_mpim: false,
    is_private: isPrivate,
    created: seconds(index),
    is_archived: index % 25 === 24,
    is_general: index === 0,
    unlinked: 0,
    name_normalized: name,
    is_shared: false,
    is_org_shared: false,
    is_pending_ext_shared: false,
    pending_shared: [] as string[],
    creator,
    is_ext_shared: false,
    shared_team_ids: [TEAM.id],
    is_member: isPrivate || index % 4 !== 3,
    topic: textWithAuthor(index % 3 === 0 ? "" : `Topic of ${name}`, creator, index),
    purpose: textWithAuthor(index % 6 === 0 ? escapeEntities(awkwardTexts[(index / 6) % 8]!) : "", creator, index),
    previous_names: index === 7 ? ["once-another-name"] : [],
    num_members: (index % 30) + 1,
  };
}

function directMessage(id: string, partner: string, index: number) {
  return {
    id,
    created: seconds(index),
    is_archived: false,
    is_im: true,
    is_org_shared: false,
    user: partner,
    is_user_deleted: false,
    priority: 0,
  };
}

/** Slack allows lower-case letters of any script, digits, hyphens and underscores. */
const channelNames = ["general", "random", "grüße-aus-köln", "日本語", "مرحبا", "a", "x".repeat(80)];

/** Direct messages are among them: they are paged as well and filtered out afterwards. */
const makeChannels = (): Channel[] =>
  times(CHANNELS, (index) =>
    index % 30 === 13
      ? directMessage(numbered("D", index), numbered("U", index), index)
      : channel(numbered("C", index), channelNames[index] ?? `project-${index}`, index),
  );

export const threadKey = (channelId: string, ts: string) => `${channelId} ${ts}`;

export function makeState(): State {
  const channels = makeChannels();
  const general = channels[0]!.id;
  const replies: State["replies"] = new Map();
  const inGeneral: Message[] = [];
  for (let index = 0; index < MESSAGES; index++) {
    const first = posted(index);
    inGeneral.push(first);
    if (index % 10 !== 1) continue;
    const thread = makeThread(first, index);
    replies.set(threadKey(general, first.ts), thread);
    // Every other thread has a reply that was also sent to the channel.
    if (index % 20 === 1) {
      const last = thread.at(-1)!;
      last.subtype = "thread_broadcast";
      inGeneral.push(last);
    }
  }
  const messages = new Map([
    [general, inGeneral.reverse()],
    [channels[1]!.id, [message(3, "newest"), message(2, "older"), message(1, "oldest")]],
  ]);
  return { users: makeUsers(), channels, messages, replies };
}
