import { describe, expect, test } from "vitest";
import { type AnyList, type AnyPageContext, keptItems } from "../../../test/support/implementation.ts";
import type { SendImplementation } from "../../contracts/provider.ts";
import chat, {
  type MattermostChannel,
  type MattermostPost,
  type MattermostPosts,
  type MattermostUser,
  toUser,
} from "./chat.ts";

const { listUsers, listChannels, listMessages } = chat.operations as Record<string, AnyList>;
const { sendMessage } = chat.operations as Record<string, SendImplementation>;

const context = (more: object = {}) =>
  ({
    input: { channel_id: "c" },
    limit: 2,
    address: () => "https://chat.example/sub/api/v4",
    ...more,
  }) as unknown as AnyPageContext;
const answer = (body: unknown) => ({ status: 200, headers: {}, body });

test.each([
  ["the nickname if there is one", { nickname: "陽菜", first_name: "Hina", last_name: "Sato" }, "陽菜"],
  [
    "the first and last name if there is no nickname",
    { nickname: "", first_name: "Hina", last_name: "Sato" },
    "Hina Sato",
  ],
  ["the last name if only that is set", { nickname: "", first_name: "", last_name: "Sato" }, "Sato"],
  ["the username if no name is set", { nickname: "", first_name: "", last_name: "" }, "hina"],
])("a user's name is %s", (_, names, name) => {
  const user: MattermostUser = { id: "u", username: "hina", ...names };
  expect(toUser(user).name).toBe(name);
});

test("a user has an email address unless the server hides it, and only bots are marked as such", () => {
  const user = (fields: Partial<MattermostUser>) => toUser({ id: "u", username: "hina", ...fields });
  expect(user({ email: "hina@example.com", is_bot: true })).toEqual({
    id: "u",
    name: "hina",
    email: "hina@example.com",
    avatar_url: null,
    is_bot: true,
  });
  expect(user({ email: "" })).toMatchObject({ email: null, is_bot: false });
});

describe("channels", () => {
  const channel = (type: string, display_name: string): MattermostChannel => ({
    id: type,
    type,
    display_name,
    name: `n-${type}`,
  });

  test("public and private channels are listed in one answer, without direct and group messages", () => {
    const all = [channel("O", "Town Square"), channel("D", ""), channel("P", "Secret"), channel("G", "ada, bob")];
    expect(keptItems(listChannels!, all, context()).map(({ type }) => type)).toEqual(["O", "P"]);
    expect(listChannels!.next(answer(all), context())).toBeNull();
  });

  test("a channel without a display name has its URL name", () => {
    expect(listChannels!.record(channel("O", "Town Square"), context() as never).name).toBe("Town Square");
    expect(listChannels!.record(channel("O", ""), context() as never).name).toBe("n-O");
  });

  test("a channel has its header as topic, or its purpose if it has no header", () => {
    const read = (type: string, fields: Partial<MattermostChannel>) =>
      listChannels!.record({ ...channel(type, "x"), ...fields }, context() as never);
    expect(read("P", { header: "Header", purpose: "Purpose" })).toMatchObject({ is_private: true, topic: "Header" });
    expect(read("O", { header: "", purpose: "Purpose" })).toMatchObject({ is_private: false, topic: "Purpose" });
    expect(read("O", { header: "", purpose: "" })).toMatchObject({ topic: null });
  });
});

describe("messages", () => {
  const post = (id: string, fields: Partial<MattermostPost> = {}): MattermostPost => ({
    id,
    message: `**${id}**`,
    user_id: "u",
    create_at: 1_704_067_200_123,
    root_id: "",
    ...fields,
  });
  const page = (order: string[], posts: MattermostPost[], prev_post_id: string): MattermostPosts => ({
    order,
    posts: Object.fromEntries(posts.map((one) => [one.id, one])),
    prev_post_id,
  });

  test("messages come in the order of `order`, without the thread roots that are sent along", () => {
    const body = page(["b", "a"], [post("a"), post("b", { root_id: "x" }), post("x")], "z");
    expect(keptItems(listMessages!, body, context()).map(({ id }) => id)).toEqual(["b", "a"]);
  });

  test("a message has its author's id without a name, and the id of its thread", () => {
    expect(listMessages!.record(post("a", { root_id: "x" }), context() as never)).toEqual({
      id: "a",
      text: "**a**",
      author: { id: "u", name: null },
      created_at: "2024-01-01T00:00:00.123Z",
      thread_id: "x",
      url: "https://chat.example/sub/_redirect/pl/a",
    });
    expect(listMessages!.record(post("a", { user_id: "" }), context() as never)).toMatchObject({
      author: null,
      thread_id: null,
    });
  });

  test("a webhook's message has the name that the webhook gave", () => {
    const author = (props: MattermostPost["props"]) => listMessages!.record(post("a", { props }), context()).author;
    expect(author({ override_username: "Deploy hook" })).toEqual({ id: "u", name: "Deploy hook" });
    for (const props of [{ override_username: 7 }, { override_username: " " }, {}, null])
      expect(author(props)).toEqual({ id: "u", name: null });
  });

  test("a message without a text has the words of its attachments, or null", () => {
    const text = (message: string, attachments?: unknown) =>
      listMessages!.record(post("a", { message, props: { attachments } }), context()).text;
    expect(text("", [{ fallback: "f", title: "Build 7", text: "**failed**" }])).toBe("Build 7\n\n**failed**");
    expect(text("Hi", [{ fallback: "f" }])).toBe("Hi");
    expect(text("one\r\n**two**\r\n")).toBe("one\n**two**");
    expect(text(":tada: `:tada:` 10:20:30")).toBe("🎉 `:tada:` 10:20:30");
    for (const attachments of [undefined, [], "x", [null], {}]) expect(text("", attachments)).toBeNull();
  });

  test("messages of the system are left out", () => {
    const types = ["", "system_join_channel", "me", "system_generic", "custom_poll", "slack_attachment"];
    const posts = types.map((type) => post(`id ${type}`, { type }));
    const body = page(
      posts.map(({ id }) => id),
      posts,
      "",
    );
    expect(keptItems(listMessages!, body, context()).map(({ type }) => type)).toEqual([
      "",
      "me",
      "custom_poll",
      "slack_attachment",
    ]);
  });

  test("the next page of messages starts before the last message, until there are no earlier ones", () => {
    const posts = [post("a"), post("b")];
    expect(listMessages!.next(answer(page(["b", "a"], posts, "z")), context())).toBe("a");
    expect(listMessages!.next(answer(page(["b", "a"], posts, "")), context())).toBeNull();
    expect(listMessages!.next(answer(page([], [], "")), context())).toBeNull();
    const { path, locked } = listMessages!.request(context({ cursor: "a" }));
    expect([path, locked]).toEqual([
      "/channels/c/posts",
      { per_page: 2, before: "a", after: undefined, since: undefined, page: undefined },
    ]);
  });
});

test("users are paged by page number, starting at zero", () => {
  expect(listUsers!.request(context()).locked).toEqual({ page: 0, per_page: 2 });
  expect(listUsers!.next(answer([{}, {}]), context())).toBe(1);
  expect(listUsers!.request(context({ cursor: 1 })).locked).toEqual({ page: 1, per_page: 2 });
  expect(listUsers!.next(answer([{}]), context({ cursor: 1 }))).toBeNull();
});

test("Markdown is sent unchanged", async () => {
  const { path, body } = await sendMessage!.request(context({ input: { channel_id: "c", text: "# **Hi**" } }));
  expect([path, body]).toEqual(["/posts", { channel_id: "c", message: "# **Hi**" }]);
});
