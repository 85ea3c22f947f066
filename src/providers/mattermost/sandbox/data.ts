import { awkwardTexts, hour, seeded, times } from "../../../emulator-kit/index.ts";

const USERS = 270;
const CHANNELS = 320;
/** Posts in the first channel. */
const POSTS = 300;

/** The alphabet of Mattermost's ids, which have 26 characters. */
const LETTERS = "ybndrfg8ejkmcpqxot1uwisza345h769";
export const newId = (seed: number): string => seeded(seed).text(26, LETTERS);

const at = (index: number) => hour(index).getTime();
const userId = (index: number) => newId(1000 + index);
const TEAMS = [newId(1), newId(2)] as const;
export const ME = userId(0);

function user(index: number) {
  const bot = index % 45 === 20;
  const awkward = awkwardTexts[(index / 9) % awkwardTexts.length]!;
  const named = index % 4 !== 2;
  return {
    id: userId(index),
    create_at: at(index),
    update_at: at(index + 1),
    // A deactivated account stays in the list.
    delete_at: index % 17 === 5 ? at(index + 2) : 0,
    username: index === 0 ? "sandbox" : `person_${index}`,
    // Some are hidden.
    email: index % 10 === 4 ? "" : `person_${index}@example.com`,
    nickname: index % 9 === 0 ? awkward : "",
    first_name: named ? "Person" : "",
    last_name: named && index % 8 !== 1 ? `Number ${index}` : "",
    roles: index === 0 ? "system_admin system_user" : "system_user",
    ...(bot ? { is_bot: true } : {}),
  };
}

type User = ReturnType<typeof user>;

function channel(index: number) {
  const direct = index % 12 === 7;
  const group = index % 12 === 10;
  const names = ["Town Square", "Grüße aus Köln", "日本語のチャンネル", "مرحبا", "👩‍👩‍👧 family"];
  const type = direct ? "D" : group ? "G" : index % 6 === 5 ? "P" : "O";
  return {
    id: newId(5000 + index),
    create_at: at(index),
    update_at: at(index),
    delete_at: 0,
    team_id: direct || group ? "" : TEAMS[index % 2]!,
    type,
    display_name: direct ? "" : group ? "person_1, person_2, sandbox" : (names[index] ?? `Channel ${index}`),
    name: direct ? `${ME}__${userId(index)}` : group ? seeded(index).hex(40) : `channel-${index}`,
    header: index % 3 === 0 ? "" : `About ${index}`,
    purpose: index % 9 === 0 ? "What it is **for**" : "",
  };
}

type Channel = ReturnType<typeof channel>;

export const newPost = (id: string, channel_id: string, user_id: string, message: string, create_at: number) => ({
  id,
  create_at,
  update_at: create_at,
  edit_at: 0,
  delete_at: 0,
  user_id,
  channel_id,
  root_id: "",
  message,
  type: "",
  props: {} as Record<string, unknown>,
  reply_count: 0,
});

export type Post = ReturnType<typeof newPost>;

/** What is different in some posts. */
function special(index: number): Partial<Post> {
  const attachments = [{ fallback: `Build ${index} failed`, title: `Build ${index}`, text: "**failed**" }];
  const username = `person_${index}`;
  switch (index % 50) {
    case 20:
      return { type: "system_join_channel", message: `${username} joined the channel.`, props: { username } };
    case 25:
      return { message: "Windows\r\nline ends, @person_1 and <b>text</b> that looks like HTML :tada:" };
    case 30:
      return { props: { from_webhook: "true", override_username: "Deploy hook" } };
    // A file without a text.
    case 40:
      return { message: "" };
    case 45:
      return { message: "", props: { from_webhook: "true", override_username: "CI", attachments } };
    default:
      return {};
  }
}

/** Oldest first. */
function makePosts(channel_id: string): Post[] {
  const posts: Post[] = [];
  for (let index = 0; index < POSTS; index++) {
    const text = index % 7 === 0 ? awkwardTexts[index % awkwardTexts.length]! : `Message **${index}**`;
    const post = newPost(newId(9000 + index), channel_id, userId(seeded(index + 1).int(USERS)), text, at(index));
    const root = posts[index - 6];
    if (index % 8 === 6 && root && !root.root_id) {
      post.root_id = root.id;
      root.reply_count++;
    } else Object.assign(post, special(index));
    posts.push(post);
  }
  return posts;
}

export interface State {
  /** Sorted by username, as the server lists them. */
  users: User[];
  channels: Channel[];
  /** By channel, newest first. */
  posts: Map<string, Post[]>;
}

export function makeState(): State {
  const channels = times(CHANNELS, channel);
  const first = channels[0]!.id;
  const users = times(USERS, user).sort((one, other) => (one.username < other.username ? -1 : 1));
  return { users, channels, posts: new Map([[first, makePosts(first).reverse()]]) };
}
