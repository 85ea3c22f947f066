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
    expect(record(listUsers, userOf({ id: "U1", name: "hina", profile }))).toEqual({ id: "U1", name });
  });

  test("a user's real name may be outside the profile", () => {
    expect(record(listUsers, userOf({ id: "U1", name: "hina", real_name: "Hina", profile: {} }))).toEqual({
      id: "U1",
      name: "Hina",
    });
  });
});

test("a channel has its id and its name", () => {
  expect(record(listChannels, channelOf({ id: "C1", name: "general", is_archived: true }))).toEqual({
    id: "C1",
    name: "general",
  });
});

test("a direct message, which a client gets by its own params, has no name and is named by its id", () => {
  expect(record(listChannels, channelOf({ id: "D1", is_im: true, user: "U1" }))).toEqual({ id: "D1", name: "D1" });
});

describe("messages", () => {
  const ts = "1512085950.000216";
  const message = (fields: SdkMessage) => record(listMessages, messageOf({ ts, ...fields }));

  test("a message has its timestamp as id, and its author's id without a name", () => {
    expect(message({ text: "Hi", user: "U1", username: "ada" })).toEqual({
      id: ts,
      text: "Hi",
      author: { id: "U1", name: null },
      created_at: "2017-11-30T23:52:30.000Z",
      thread_id: null,
    });
  });

  test("a message may have a bot as author, or none", () => {
    expect(message({ bot_id: "B1" })).toMatchObject({ author: { id: "B1", name: null } });
    expect(message({ user: "U1", bot_id: "B1" })).toMatchObject({ author: { id: "U1" } });
    expect(message({ username: "webhook" })).toMatchObject({ author: null });
  });

  test("an empty text is kept, and a missing text becomes null", () => {
    expect(message({ text: "" })).toMatchObject({ text: "" });
    expect(message({})).toMatchObject({ text: null });
  });

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
