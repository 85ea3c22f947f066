import { describe, expect, test } from "vitest";
import type { AnyList, AnyPageContext, AnySend } from "../../../test/support/implementation.ts";
import chat from "./chat.ts";
import type { GoogleMessage, GooglePerson, GoogleSpace } from "./records.ts";

const { listUsers, listChannels, listMessages } = chat.operations as Record<string, AnyList>;
const { sendMessage } = chat.operations as Record<string, AnySend>;

const context = (more: object = {}) => ({ input: { channel_id: "AAA" }, limit: 7, ...more }) as AnyPageContext;
const record = (implementation: AnyList | undefined, item: unknown) => implementation!.record(item, context() as never);

test.each([
  ["the display name", { names: [{ displayName: "陽菜" }], emailAddresses: [{ value: "hina@example.com" }] }, "陽菜"],
  [
    "the email address if there is no display name",
    { emailAddresses: [{ value: "hina@example.com" }] },
    "hina@example.com",
  ],
  ["the id if there is no display name or email address", {}, "123"],
])("a user's name is %s", (_, fields: Partial<GooglePerson>, name) => {
  expect(record(listUsers, { resourceName: "people/123", ...fields })).toMatchObject({ id: "123", name });
});

test("a user has an email address and a picture, if the directory has them", () => {
  const person = (fields: Partial<GooglePerson>) => record(listUsers, { resourceName: "people/123", ...fields });
  expect(person({ emailAddresses: [{ value: "a@example.com" }], photos: [{ url: "https://x/1" }] })).toEqual({
    id: "123",
    name: "a@example.com",
    email: "a@example.com",
    avatar_url: "https://x/1",
    is_bot: false,
  });
  expect(person({})).toMatchObject({ email: null, avatar_url: null });
});

test("a channel's id is the last part of the space's name, and its name too if there is no display name", () => {
  const space = (fields: Partial<GoogleSpace>) => record(listChannels, { name: "spaces/AAA", ...fields });
  expect(space({ displayName: "General" })).toMatchObject({ id: "AAA", name: "General" });
  expect(space({})).toEqual({ id: "AAA", name: "AAA", is_private: null, topic: null });
});

test.each([
  ["PRIVATE", true],
  ["DISCOVERABLE", false],
  ["ACCESS_STATE_UNSPECIFIED", null],
])("a channel is private or not by its access state: %s", (accessState, is_private) => {
  const fields = { accessSettings: { accessState }, spaceDetails: { description: "2 *3*" } };
  expect(record(listChannels, { name: "spaces/AAA", ...fields })).toMatchObject({ is_private, topic: "2 \\*3\\*" });
});

describe("messages", () => {
  const message = (fields: Partial<GoogleMessage>) =>
    record(listMessages, { name: "spaces/AAA/messages/BBB.CCC", ...fields });

  test("the author of a message has the same id as in the list of users", () => {
    const fields = {
      text: "Hi",
      createTime: "2024-01-31T12:49:46.637839Z",
      sender: { name: "users/123", type: "HUMAN" },
    };
    expect(message(fields)).toEqual({
      id: "BBB.CCC",
      text: "Hi",
      author: { id: "123", name: null },
      created_at: "2024-01-31T12:49:46.637Z",
      thread_id: null,
      url: null,
    });
  });

  test("a message has its sender's display name if there is one, and null for a missing sender or text", () => {
    expect(message({ sender: { name: "users/1", displayName: "Ada" } })).toMatchObject({ author: { name: "Ada" } });
    expect(message({})).toMatchObject({ author: null, text: null, created_at: null });
  });

  test("the thread_id of a reply is the id of the message that started the thread", () => {
    const thread = { name: "spaces/AAA/threads/BBB" };
    expect(message({ thread, threadReply: true })).toMatchObject({ thread_id: "BBB.BBB" });
    expect(message({ thread, threadReply: false })).toMatchObject({ thread_id: null });
    expect(message({ thread })).toMatchObject({ thread_id: null });
  });

  test("a reply whose id has another form has the thread's own id as thread_id", () => {
    const name = "spaces/AAA/messages/client-one";
    expect(message({ name, thread: { name: "spaces/AAA/threads/BBB" }, threadReply: true })).toMatchObject({
      thread_id: "BBB",
    });
  });
});

describe("paging", () => {
  test("a page is requested by size and token, and messages always newest first", () => {
    const locked = (list: AnyList | undefined) => list!.request(context({ cursor: "abc" })).locked;
    const paging = { pageSize: 7, pageToken: "abc" };
    expect(locked(listUsers)).toEqual({ ...paging, syncToken: undefined, requestSyncToken: undefined });
    expect(locked(listChannels)).toEqual(paging);
    const order = { orderBy: "create_time DESC", markupSyntax: "MARKUP_SYNTAX_MARKDOWN" };
    expect(locked(listMessages)).toEqual({ ...paging, ...order });
  });

  test("users are read from the People API, channels from the Chat API", () => {
    expect(listUsers!.request(context())).toMatchObject({ to: "people", path: "/people:listDirectoryPeople" });
    expect(listChannels!.request(context())).toMatchObject({ to: "api", query: { filter: 'space_type = "SPACE"' } });
  });

  test("an empty page has no items, and only a token leads to a next page", () => {
    for (const list of [listUsers, listChannels, listMessages]) {
      expect(list!.items({}, context())).toEqual([]);
      expect(list!.next({ status: 200, headers: {}, body: {} }, context())).toBeNull();
      expect(list!.next({ status: 200, headers: {}, body: { nextPageToken: "x" } }, context())).toBe("x");
    }
  });
});

describe("sendMessage", () => {
  const sent = (text: string, channel_id = "AAA") => sendMessage!.request({ input: { channel_id, text } } as never);

  test("Markdown is sent unchanged, with its syntax declared", () => {
    const { path, body } = sent("# News\n\n**Bold** <users/123>");
    expect(path).toBe("/spaces/AAA/messages");
    expect(body).toEqual({ text: "# News\n\n**Bold** <users/123>", markupSyntax: "MARKUP_SYNTAX_MARKDOWN" });
  });

  test("a text cannot mention everyone", () => {
    expect(sent("Hi <users/all>!").body!.text).toBe("Hi <\u200busers/all>!");
  });

  test("a channel_id may be the full name of a space", () => {
    expect(sent("Hi", "spaces/AAA").path).toBe("/spaces/AAA/messages");
    expect(sent("Hi", "spaces/AAA/messages").path).toBe("/spaces/AAA%2Fmessages/messages");
  });
});
