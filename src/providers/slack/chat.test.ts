import type {
  ChatPostMessageArguments,
  ConversationsHistoryResponse,
  ConversationsListResponse,
  UsersListResponse,
} from "@slack/web-api";
import { describe, expect, test } from "vitest";
import { type AnyList, type AnyPageContext, type AnySend, keptItems } from "../../../test/support/implementation.ts";
import slackChat, { type SlackChannel, type SlackMessage, type SlackPage } from "./chat.ts";
import { type SlackUser, toUser } from "./user.ts";

const { listUsers, listChannels, listMessages } = slackChat.operations as Record<string, AnyList>;
const { sendMessage } = slackChat.operations as Record<string, AnySend>;

type Item<List> = NonNullable<List> extends (infer One)[] ? One : never;
type SdkUser = Item<UsersListResponse["members"]>;
type SdkChannel = Item<ConversationsListResponse["channels"]>;
type SdkMessage = Item<ConversationsHistoryResponse["messages"]>;

// Compile-time checks that the SDK's answer types fit ours. The SDK declares every field optional; the ones that are
// always present are named here.
const userOf = (user: SdkUser & { id: string; name: string }): SlackUser => user;
const channelOf = (channel: SdkChannel & { id: string }): SlackChannel => channel;
const messageOf = (message: SdkMessage & { ts: string }): SlackMessage => message;
const pageOf = (
  page: Pick<UsersListResponse | ConversationsListResponse | ConversationsHistoryResponse, "response_metadata">,
): SlackPage => page;

const context = (more: object = {}) => ({ input: { channel_id: "C1" }, limit: 7, ...more }) as AnyPageContext;
const record = (implementation: AnyList | undefined, item: unknown) => implementation!.record(item, context() as never);

describe("user names", () => {
  test.each([
    ["the display name if there is one", { display_name: "陽菜", real_name: "Hina Sato" }, "陽菜"],
    ["the real name if there is no display name", { display_name: "", real_name: "Hina Sato" }, "Hina Sato"],
    ["the account's name if the profile has none", { display_name: "", real_name: "" }, "hina"],
    ["the account's name if there is no profile", undefined, "hina"],
  ])("a user's name is %s", (_, profile, name) => {
    expect(toUser(userOf({ id: "U1", name: "hina", profile }))).toMatchObject({ id: "U1", name });
  });

  test("a user's real name may be outside the profile", () => {
    expect(toUser(userOf({ id: "U1", name: "hina", real_name: "Hina", profile: {} })).name).toBe("Hina");
  });
});

describe("other fields of a user", () => {
  const profile = { email: "hina@example.com", image_72: "https://x/72", image_512: "https://x/512" };
  const user = (fields: Partial<SdkUser>) => toUser(userOf({ id: "U1", name: "hina", ...fields }));

  test("a user has the email address and the largest picture of the profile", () => {
    expect(user({ profile, is_bot: false })).toEqual({
      id: "U1",
      name: "hina",
      email: "hina@example.com",
      avatar_url: "https://x/512",
      is_bot: false,
    });
    expect(user({ profile: { image_72: "https://x/72" } }).avatar_url).toBe("https://x/72");
    expect(user({ profile: { email: "" } })).toMatchObject({ email: null, avatar_url: null, is_bot: null });
  });

  test("Slackbot is a bot, although Slack does not say so", () => {
    expect(user({ id: "USLACKBOT", is_bot: false }).is_bot).toBe(true);
    expect(user({ is_bot: true }).is_bot).toBe(true);
  });
});

test("a channel has its topic, or its purpose if it has no topic", () => {
  const channel = (topic: string, purpose: string) =>
    record(
      listChannels,
      channelOf({ id: "C1", name: "general", is_private: true, topic: { value: topic }, purpose: { value: purpose } }),
    );
  expect(channel("Topic", "Purpose")).toEqual({ id: "C1", name: "general", is_private: true, topic: "Topic" });
  expect(channel("", "Purpose")).toMatchObject({ topic: "Purpose" });
  expect(channel("", "")).toMatchObject({ topic: null });
  expect(channel("a &amp; *b*", "")).toMatchObject({ topic: "a & **b**" });
});

test("a direct message, which a client gets by its own params, has no name and is named by its id", () => {
  const direct = record(listChannels, channelOf({ id: "D1", is_im: true, user: "U1" }));
  expect(direct).toEqual({ id: "D1", name: "D1", is_private: null, topic: null });
});

describe("messages", () => {
  const ts = "1512085950.000216";
  const message = (fields: SdkMessage) => record(listMessages, messageOf({ ts, ...fields }));

  test("a message has its timestamp as id, and its author's id without a name", () => {
    expect(message({ text: "Hi", user: "U1" })).toEqual({
      id: ts,
      text: "Hi",
      author: { id: "U1", name: null },
      created_at: "2017-11-30T23:52:30.000Z",
      thread_id: null,
      url: null,
    });
  });

  test("a bot's message has the name that the message gives, and a message may have no author", () => {
    const author = (fields: SdkMessage) => message(fields).author;
    expect(author({ bot_id: "B1" })).toEqual({ id: "B1", name: null });
    expect(author({ user: "U1", bot_id: "B1", bot_profile: { name: "Owl" } })).toEqual({ id: "U1", name: "Owl" });
    expect(author({ bot_id: "B1", username: "Deploy", bot_profile: { name: "Owl" } })).toMatchObject({
      name: "Deploy",
    });
    expect(author({ subtype: "bot_message", username: "Owl Capone" })).toEqual({ id: null, name: "Owl Capone" });
    expect(author({ text: "Hi" })).toBeNull();
    expect(author({ subtype: "file_comment", comment: { user: "U2" } } as SdkMessage)).toEqual({
      id: "U2",
      name: null,
    });
  });

  test("a message without a text has the words of its attachments, or null", () => {
    expect(message({ text: "" })).toMatchObject({ text: null });
    expect(message({})).toMatchObject({ text: null });
    const attachments = [{ pretext: "CI", title: "Build 7", text: "failed", fallback: "?" }, { fallback: "Log" }, {}];
    expect(message({ text: "", attachments })).toMatchObject({ text: "CI\n\nBuild 7\n\nfailed\n\nLog" });
    expect(message({ text: "Hi", attachments })).toMatchObject({ text: "Hi" });
  });

  test.each(["channel_join", "channel_purpose", "group_name", "pinned_item", "tombstone", "something_new"])(
    "a message that nobody wrote is left out: %s",
    (subtype) => {
      const messages = [{ ts }, { ts, subtype }, { ts, subtype: "bot_message" }, { ts, subtype: "thread_broadcast" }];
      const listed = keptItems(listMessages!, { messages }, context());
      expect(listed.map((one: SlackMessage) => one.subtype)).toEqual([undefined, "bot_message", "thread_broadcast"]);
    },
  );

  test("a reply has the id of its thread, and the first message of a thread has none", () => {
    expect(message({ thread_ts: "1482960137.003543" })).toMatchObject({ thread_id: "1482960137.003543" });
    expect(message({ thread_ts: ts })).toMatchObject({ thread_id: null });
  });
});

describe("pages", () => {
  test.each([
    ["users", listUsers, "/users.list", {}, {}],
    ["channels", listChannels, "/conversations.list", { types: "public_channel,private_channel" }, {}],
    ["messages", listMessages, "/conversations.history", {}, { channel: "C1" }],
  ])("%s are requested with limit and cursor", (_, implementation, path, query, locked) => {
    expect(implementation!.request(context({ cursor: "abc=" }))).toMatchObject({
      method: "GET",
      path,
      query,
      locked: { ...locked, limit: 7, cursor: "abc=" },
    });
  });

  test("the cursor names the next page, and an empty or missing cursor ends the list", () => {
    const next = (page: SlackPage) => listUsers!.next({ status: 200, headers: {}, body: page }, context());
    expect(next(pageOf({ response_metadata: { next_cursor: "abc=" } }))).toBe("abc=");
    expect(next(pageOf({ response_metadata: { next_cursor: "" } }))).toBeNull();
    expect(next(pageOf({ response_metadata: {} }))).toBeNull();
    expect(next(pageOf({}))).toBeNull();
  });
});

describe("sending", () => {
  const sent = (text: string) => sendMessage!.request({ input: { channel_id: "C1", text } } as never);

  test("Markdown is sent as Slack's markup", () => {
    const { path, body } = sent("# News\n\n**Bold** & [link](https://example.com)\n\n- item");
    expect(path).toBe("/chat.postMessage");
    expect(body).toEqual({
      channel: "C1",
      text: "*News*\n\n*Bold* &amp; <https://example.com|link>\n\n• item",
    } satisfies ChatPostMessageArguments);
  });

  test("a text cannot notify the whole channel", () => {
    expect(sent("<!channel> <@U1>").body).toMatchObject({ text: "&lt;!channel&gt; &lt;@U1&gt;" });
  });
});
