import { describe, expect, test } from "vitest";
import { type AnyList, type AnyPageContext, type AnySend, keptItems } from "../../../test/support/implementation.ts";
import chat, { type DiscordChannel, type DiscordMember, type DiscordMessage, toUser } from "./chat.ts";

const { listUsers, listChannels, listMessages } = chat.operations as Record<string, AnyList>;
const { sendMessage } = chat.operations as Record<string, AnySend>;

const settings = { guild_id: "77" };
const context = (more: object = {}) =>
  ({ input: { channel_id: "5" }, limit: 3, settings, ...more }) as unknown as AnyPageContext;
const answer = (body: unknown) => ({ status: 200, headers: {}, body });

describe("users", () => {
  const named = (member: Partial<DiscordMember> & { global_name?: string | null }) =>
    listUsers!.record({ user: { id: "1", username: "hina", global_name: member.global_name }, ...member }, context());

  test.each([
    ["the nickname on the server", { nick: "陽菜", global_name: "Hina" }, "陽菜"],
    ["the display name if there is no nickname", { nick: null, global_name: "Hina" }, "Hina"],
    ["the username if there is no display name", { nick: null, global_name: null }, "hina"],
  ])("a user's name is %s", (_, member, name) => {
    expect(named(member)).toMatchObject({ id: "1", name });
  });

  test("a user has the picture of this server, or else the general one", () => {
    const user = { id: "1", username: "hina", avatar: "abc", bot: true };
    expect(listUsers!.record({ user, avatar: "def" }, context())).toMatchObject({
      avatar_url: "https://cdn.discordapp.com/guilds/77/users/1/avatars/def.png",
    });
    expect(listUsers!.record({ user }, context())).toEqual({
      id: "1",
      name: "hina",
      email: null,
      avatar_url: "https://cdn.discordapp.com/avatars/1/abc.png",
      is_bot: true,
    });
    expect(named({})).toMatchObject({ avatar_url: null, is_bot: false });
  });

  test("the account has the email address, if the token may read it", () => {
    expect(toUser({ id: "1", username: "hina", email: "hina@example.com" }).email).toBe("hina@example.com");
  });
});

describe("channels", () => {
  const channel = (type: number): DiscordChannel => ({ id: String(type), type, name: `type ${type}` });

  test("only text and announcement channels are listed, all in one page", () => {
    const all = [0, 2, 4, 5, 13, 15].map(channel);
    expect(keptItems(listChannels!, all, context()).map(({ type }) => type)).toEqual([0, 5]);
    expect(listChannels!.next(answer(all), context())).toBeNull();
  });

  test.each([
    ["everyone may not view it", [{ id: "77", deny: "1024" }], true],
    ["everyone may not view it, and more", [{ id: "77", deny: "8589935616" }], true],
    ["everyone may view it but not write", [{ id: "77", deny: "2048" }], false],
    ["only another role may not view it", [{ id: "78", deny: "1024" }], false],
    ["nothing is said", [], false],
    ["the permissions are missing", undefined, null],
  ])("a channel is private or not by its permissions: %s", (_, permission_overwrites, is_private) => {
    const fields = permission_overwrites && { permission_overwrites };
    expect(listChannels!.record({ ...channel(0), topic: "", ...fields }, context())).toEqual({
      id: "0",
      name: "type 0",
      is_private,
      topic: null,
    });
  });
});

describe("messages", () => {
  const message = (fields: Partial<DiscordMessage>) =>
    listMessages!.record(
      {
        id: "9",
        type: 0,
        channel_id: "5",
        content: "Hi",
        author: { id: "1", username: "ada", global_name: "Ada" },
        timestamp: "2017-07-11T17:27:07.299000+00:00",
        ...fields,
      },
      context(),
    );

  test("a message has its author's name and its time in UTC", () => {
    expect(message({})).toEqual({
      id: "9",
      text: "Hi",
      author: { id: "1", name: "Ada" },
      created_at: "2017-07-11T17:27:07.299Z",
      thread_id: null,
      url: "https://discord.com/channels/77/5/9",
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

  test("an empty text is null, as a bot without access to message content sees it", () => {
    expect(message({ content: "" })).toMatchObject({ text: null });
  });

  test("a message without a text has the words that it forwards, or those of its embeds", () => {
    const embeds = [{ title: "Build 7", description: "**failed**" }, {}];
    expect(message({ content: "", embeds })).toMatchObject({ text: "Build 7\n\n**failed**" });
    expect(message({ content: "Hi", embeds })).toMatchObject({ text: "Hi" });
    const forward = (content: string) =>
      message({ content: "", message_snapshots: [{ message: { content, embeds } }] });
    expect(forward("Forwarded")).toMatchObject({ text: "Forwarded" });
    expect(forward("")).toMatchObject({ text: "Build 7\n\n**failed**" });
  });

  test("mentions have the names that the message lists, outside of code", () => {
    const mentions = [{ id: "4", username: "ada", global_name: "Ada_L" }];
    expect(message({ content: "<@4> and <@!5>: `<@4>` <:wave:7>\r\n<b>", mentions })).toMatchObject({
      text: "@Ada_L and @5: `<@4>` :wave:  \n\\<b>",
    });
  });

  test("only what somebody wrote or a command answered is listed", () => {
    const messages = [0, 6, 7, 8, 18, 19, 20, 21, 23, 46].map((type) => ({ id: String(type), type }));
    expect(keptItems(listMessages!, messages, context()).map(({ type }) => type)).toEqual([0, 19, 20, 23]);
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
