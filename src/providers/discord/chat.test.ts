import { describe, expect, test } from "vitest";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import type { SendImplementation } from "../../contracts/provider.ts";
import chat, { type DiscordChannel, type DiscordMember, type DiscordMessage } from "./chat.ts";

const { listUsers, listChannels, listMessages } = chat.operations as Record<string, AnyList>;
const { sendMessage } = chat.operations as Record<string, SendImplementation>;

const context = (more: object = {}) => ({ input: { channel_id: "5" }, limit: 3, ...more }) as AnyPageContext;
const answer = (body: unknown) => ({ status: 200, headers: {}, body });

describe("users", () => {
  const named = (member: Partial<DiscordMember> & { global_name?: string | null }) =>
    listUsers!.record({ user: { id: "1", username: "hina", global_name: member.global_name }, ...member }, {} as never);

  test.each([
    ["the nickname on the server", { nick: "陽菜", global_name: "Hina" }, "陽菜"],
    ["the display name if there is no nickname", { nick: null, global_name: "Hina" }, "Hina"],
    ["the username if there is no display name", { nick: null, global_name: null }, "hina"],
  ])("a user's name is %s", (_, member, name) => {
    expect(named(member)).toEqual({ id: "1", name });
  });
});

describe("channels", () => {
  const channel = (type: number): DiscordChannel => ({ id: String(type), type, name: `type ${type}` });

  test("only text and announcement channels are listed, all in one page", () => {
    const all = [0, 2, 4, 5, 13, 15].map(channel);
    expect(listChannels!.items(all, context()).map(({ type }) => type)).toEqual([0, 5]);
    expect(listChannels!.next(answer(all), context())).toBeNull();
  });
});

describe("messages", () => {
  const message = (fields: Partial<DiscordMessage>) =>
    listMessages!.record(
      {
        id: "9",
        type: 0,
        content: "Hi",
        author: { id: "1", username: "ada", global_name: "Ada" },
        timestamp: "2017-07-11T17:27:07.299000+00:00",
        ...fields,
      },
      {} as never,
    );

  test("a message has its author's name and its time in UTC", () => {
    expect(message({})).toEqual({
      id: "9",
      text: "Hi",
      author: { id: "1", name: "Ada" },
      created_at: "2017-07-11T17:27:07.299Z",
      thread_id: null,
    });
  });

  test("the author of a webhook's message is the webhook", () => {
    expect(message({ author: { id: "7", username: "Deploy", global_name: null } })).toMatchObject({
      author: { id: "7", name: "Deploy" },
    });
  });

  test.each([
    ["a reply", 19, "4"],
    ["a pin", 6, null],
    ["a forward", 0, null],
    ["the start of a thread", 21, null],
  ])("only a reply has a thread_id: %s", (_, type, thread_id) => {
    expect(message({ type, message_reference: { message_id: "4" } })).toMatchObject({ thread_id });
  });

  test("an empty text stays empty, as a bot without access to message content sees it", () => {
    expect(message({ content: "" })).toMatchObject({ text: "" });
  });
});

describe("paging", () => {
  const members = (...ids: string[]) => ids.map((id) => ({ user: { id, username: id } }));

  test("the next page of users starts after the highest id, whatever their order", () => {
    const ids = members("99999999999999999", "100000000000000001", "100000000000000000");
    expect(listUsers!.next(answer(ids), context())).toBe("100000000000000001");
    expect(listUsers!.request(context({ cursor: "77" }))).toMatchObject({
      to: "guild",
      path: "/members",
      locked: { limit: 3, after: "77" },
    });
  });

  test("the next page of messages starts before the last message of this page", () => {
    expect(listMessages!.next(answer([{ id: "3" }, { id: "2" }, { id: "1" }]), context())).toBe("1");
    const { path, locked } = listMessages!.request(context({ cursor: "1" }));
    expect([path, locked]).toEqual([
      "/channels/5/messages",
      { limit: 3, before: "1", after: undefined, around: undefined },
    ]);
  });

  test("a page that is short or empty is the last one", () => {
    for (const list of [listUsers, listMessages])
      for (const body of [[], members("1", "2")]) expect(list!.next(answer(body), context())).toBeNull();
  });
});

test("a text is sent unchanged and can mention a user but not everyone", () => {
  const text = "# News\n\n**Bold** <@1> @everyone";
  const { path, body } = sendMessage!.request({ input: { channel_id: "5", text } } as never);
  expect(path).toBe("/channels/5/messages");
  expect(body).toEqual({ content: text, allowed_mentions: { parse: ["users"] } });
});
