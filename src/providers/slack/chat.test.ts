import type {
  ChatPostMessageArguments,
  ConversationsHistoryResponse,
  ConversationsListResponse,
  UsersListResponse,
} from "@slack/web-api";
import { describe, expect, test } from "vitest";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import type { SendImplementation } from "../../contracts/provider.ts";
import slackChat, { type SlackChannel, type SlackMessage, type SlackPage, type SlackUser } from "./chat.ts";

const { listUsers, listChannels, listMessages } = slackChat.operations as Record<string, AnyList>;
const { sendMessage } = slackChat.operations as Record<string, SendImplementation>;

type Item<List> = NonNullable<List> extends (infer One)[] ? One : never;
type SdkUser = Item<UsersListResponse["members"]>;
type SdkChannel = Item<ConversationsListResponse["channels"]>;
type SdkMessage = Item<ConversationsHistoryResponse["messages"]>;

// What the SDK says an answer is, is what we read: a compile-time check. The SDK calls every field optional; those that
// no answer lacks are named here.
const userOf = (user: SdkUser & { id: string; name: string }): SlackUser => user;
const channelOf = (channel: SdkChannel & { id: string }): SlackChannel => channel;
const messageOf = (message: SdkMessage & { ts: string }): SlackMessage => message;
const pageOf = (
  page: Pick<UsersListResponse | ConversationsListResponse | ConversationsHistoryResponse, "response_metadata">,
): SlackPage => page;

const context = (more: object = {}) => ({ input: { channel_id: "C1" }, limit: 7, ...more }) as AnyPageContext;
const record = (implementation: AnyList | undefined, item: unknown) => implementation!.record(item, context() as never);

describe("a user's name", () => {
  test.each([
    ["the display name", { display_name: "陽菜", real_name: "Hina Sato" }, "陽菜"],
    ["else the real name", { display_name: "", real_name: "Hina Sato" }, "Hina Sato"],
    ["else the account's name", { display_name: "", real_name: "" }, "hina"],
    ["the account's name where there is no profile", undefined, "hina"],
  ])("is %s", (_, profile, name) => {
    expect(record(listUsers, userOf({ id: "U1", name: "hina", profile }))).toEqual({ id: "U1", name });
  });

  test("may stand beside the profile only", () => {
    expect(record(listUsers, userOf({ id: "U1", name: "hina", real_name: "Hina", profile: {} }))).toEqual({
      id: "U1",
      name: "Hina",
    });
  });
});

test("a channel is its id and its name", () => {
  expect(record(listChannels, channelOf({ id: "C1", name: "general", is_archived: true }))).toEqual({
    id: "C1",
    name: "general",
  });
});

test("a direct message has no name and shows its id: asked for by params, it once made a 500", () => {
  expect(record(listChannels, channelOf({ id: "D1", is_im: true, user: "U1" }))).toEqual({ id: "D1", name: "D1" });
});

describe("a message", () => {
  const ts = "1512085950.000216";
  const message = (fields: SdkMessage) => record(listMessages, messageOf({ ts, ...fields }));

  test("has its time as its id, and its author's id without a name", () => {
    expect(message({ text: "Hi", user: "U1", username: "ada" })).toEqual({
      id: ts,
      text: "Hi",
      author: { id: "U1", name: null },
      created_at: "2017-11-30T23:52:30.000Z",
      thread_id: null,
    });
  });

  test("may be from a bot, or from nobody", () => {
    expect(message({ bot_id: "B1" })).toMatchObject({ author: { id: "B1", name: null } });
    expect(message({ user: "U1", bot_id: "B1" })).toMatchObject({ author: { id: "U1" } });
    expect(message({ username: "webhook" })).toMatchObject({ author: null });
  });

  test("keeps an empty text, and has none where it has none", () => {
    expect(message({ text: "" })).toMatchObject({ text: "" });
    expect(message({})).toMatchObject({ text: null });
  });

  test("answers another one, but not itself", () => {
    expect(message({ thread_ts: "1482960137.003543" })).toMatchObject({ thread_id: "1482960137.003543" });
    expect(message({ thread_ts: ts })).toMatchObject({ thread_id: null });
  });
});

describe("pages", () => {
  test.each([
    ["users", listUsers, "/users.list", {}, {}],
    ["channels", listChannels, "/conversations.list", { types: "public_channel,private_channel" }, {}],
    ["messages", listMessages, "/conversations.history", {}, { channel: "C1" }],
  ])("%s are asked for by limit and cursor", (_, implementation, path, query, locked) => {
    expect(implementation!.request(context({ cursor: "abc=" }))).toMatchObject({
      method: "GET",
      path,
      query,
      locked: { ...locked, limit: 7, cursor: "abc=" },
    });
  });

  test("the next one is named by a cursor, and an empty or missing one is the end", () => {
    const next = (page: SlackPage) => listUsers!.next({ status: 200, headers: {}, body: page }, context());
    expect(next(pageOf({ response_metadata: { next_cursor: "abc=" } }))).toBe("abc=");
    expect(next(pageOf({ response_metadata: { next_cursor: "" } }))).toBeNull();
    expect(next(pageOf({ response_metadata: {} }))).toBeNull();
    expect(next(pageOf({}))).toBeNull();
  });
});

describe("sending", () => {
  const sent = (text: string) => sendMessage!.request({ input: { channel_id: "C1", text } } as never);

  test("Markdown becomes Slack's markup", () => {
    const { path, body } = sent("# News\n\n**Bold** & [link](https://example.com)\n\n- item");
    expect(path).toBe("/chat.postMessage");
    expect(body).toEqual({
      channel: "C1",
      text: "*News*\n\n*Bold* &amp; <https://example.com|link>\n\n• item",
    } satisfies ChatPostMessageArguments);
  });

  test("no text can call the whole channel", () => {
    expect(sent("<!channel> <@U1>").body).toMatchObject({ text: "&lt;!channel&gt; &lt;@U1&gt;" });
  });
});
