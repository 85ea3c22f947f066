import type {
  Channel as SdkChannel,
  ChatMessage as SdkMessage,
  Team as SdkTeam,
  User as SdkUser,
} from "@microsoft/microsoft-graph-types";
import { describe, expect, test } from "vitest";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import type { SendImplementation } from "../../contracts/provider.ts";
import chat, { type GraphChannel, type GraphMessage, type GraphUser } from "./chat.ts";
import type { Channel, Message, Team, User } from "./sandbox-data.ts";

const { listUsers, listChannels, listMessages } = chat.operations as Record<string, AnyList>;
const { sendMessage } = chat.operations as Record<string, SendImplementation>;

// What Graph's own types say an answer is, is what we read, and what the emulator sends: compile-time checks. The types
// call every field optional; an id is in every answer.
type Identified = { id: string };
const userOf = (user: SdkUser & Identified): GraphUser => user;
const channelOf = (channel: SdkChannel & Identified): GraphChannel => channel;
const messageOf = (message: SdkMessage & Identified): GraphMessage => message;
({}) as User satisfies SdkUser;
({}) as Team satisfies SdkTeam;
({}) as Channel satisfies SdkChannel;
({}) as Message satisfies SdkMessage;

const TEAM = "02bd9fd6-8f93-4758-87c3-1fb73740a315";
const CHANNEL = "19:09fc54a3141a45d0bc769cf506d2e079@thread.tacv2";
const channel_id = `${TEAM}~${CHANNEL}`;
const context = (more: object = {}) =>
  ({ input: { channel_id }, limit: 50, place: { id: TEAM }, ...more }) as AnyPageContext;
const record = (implementation: AnyList | undefined, item: unknown) => implementation!.record(item, context() as never);

test.each([
  ["the display name", { displayName: "Hina Sato", userPrincipalName: "hina@example.com" }, "Hina Sato"],
  ["else the account's name", { displayName: null, userPrincipalName: "hina@example.com" }, "hina@example.com"],
  ["else the id", {}, "1"],
])("a user's name is %s", (_, fields, name) => {
  expect(record(listUsers, userOf({ id: "1", ...fields }))).toEqual({ id: "1", name });
});

describe("a channel", () => {
  test("is named with its team, so that it can be found again", () => {
    const channel = record(listChannels, channelOf({ id: CHANNEL, displayName: "General" }));
    expect(channel).toEqual({ id: channel_id, name: "General" });
    const { path } = listMessages!.request(context({ input: { channel_id: channel.id } }));
    expect(path).toBe(`/teams/${TEAM}/channels/${encodeURIComponent(CHANNEL)}/messages`);
  });

  test.each([
    CHANNEL,
    TEAM,
    `~${CHANNEL}`,
    `${TEAM}~`,
    `${TEAM}~..`,
    `..~${CHANNEL}`,
    `${TEAM}/${CHANNEL}`,
    `a~b~${CHANNEL}`,
  ])("by a name that is not from the list is refused: %s", (wrong) => {
    const input = { channel_id: wrong, text: "Hi" };
    for (const request of [
      () => listMessages!.request(context({ input })),
      () => sendMessage!.request(context({ input })),
    ])
      expect(request).toThrow(
        expect.objectContaining({ problems: [expect.objectContaining({ path: ["params", "channel_id"] })] }),
      );
  });
});

describe("a message", () => {
  const message = (fields: SdkMessage) => record(listMessages, messageOf({ id: "1", ...fields }));

  test("has its author's name, its body as it is and its time", () => {
    const fields: SdkMessage = {
      createdDateTime: "2021-03-28T21:12:31.1Z",
      from: { user: { id: "8ea0", displayName: "Ada" } },
      body: { contentType: "html", content: "<div>Hi</div>" },
    };
    expect(message(fields)).toEqual({
      id: "1",
      text: "<div>Hi</div>",
      author: { id: "8ea0", name: "Ada" },
      created_at: "2021-03-28T21:12:31.100Z",
      thread_id: null,
    });
  });

  test("may be from an app, a device, somebody without a name, or nobody", () => {
    const author = (from: SdkMessage["from"]) => message({ from }).author;
    expect(author({ application: { id: "a", displayName: "Hook" }, user: null })).toEqual({ id: "a", name: "Hook" });
    expect(author({ device: { id: "d" }, user: null, application: null })).toEqual({ id: "d", name: null });
    expect(author({ user: { displayName: null } })).toEqual({ id: null, name: null });
    expect(author(null)).toBeNull();
    expect(author({})).toBeNull();
  });

  test("answers another one where it says so", () => {
    expect(message({ replyToId: "7" })).toMatchObject({ thread_id: "7", text: null });
  });
});

describe("a page of messages", () => {
  const page = (...value: Partial<SdkMessage>[]) =>
    listMessages!.items(
      { value: value.map((fields, index) => messageOf({ id: String(index), ...fields })) },
      context(),
    );

  test("holds what people and apps said, and nothing else", () => {
    const said = page(
      { messageType: "message" },
      { messageType: "systemEventMessage" },
      { messageType: "unknownFutureValue" },
      { messageType: "message", deletedDateTime: "2024-01-01T00:00:00Z" },
    );
    expect(said.map(({ id }) => id)).toEqual(["0"]);
  });

  test("is sorted newest first: Graph sorts by the last change", () => {
    const times = ["2024-01-03T00:00:00Z", "2024-01-05T00:00:00.5Z", "2024-01-05T00:00:00Z", null];
    const said = page(...times.map((createdDateTime) => ({ messageType: "message" as const, createdDateTime })));
    expect(said.map(({ id }) => id)).toEqual(["1", "2", "0", "3"]);
  });

  test("goes on by the query of Graph's link, whatever host it names", () => {
    const link = "https://evil.example/v1.0/x?$top=50&$skiptoken=abc%3d";
    const cursor = listMessages!.next(
      { status: 200, headers: {}, body: { value: [], "@odata.nextLink": link } },
      context(),
    );
    expect(listMessages!.request(context({ cursor })).locked).toEqual({ $top: "50", $skiptoken: "abc=" });
    expect(listMessages!.next({ status: 200, headers: {}, body: { value: [] } }, context())).toBeNull();
  });
});

test("Markdown is sent as HTML, in which no HTML of the text counts", () => {
  const { body } = sendMessage!.request({ input: { channel_id, text: "**Bold** <at>all</at>\n\n- item" } } as never);
  expect(body).toEqual({
    body: {
      contentType: "html",
      content: "<p><strong>Bold</strong> &lt;at&gt;all&lt;/at&gt;</p>\n<ul>\n<li>item</li>\n</ul>\n",
    },
  } satisfies SdkMessage);
});
