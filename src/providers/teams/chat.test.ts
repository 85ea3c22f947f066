import type {
  Channel as SdkChannel,
  ChatMessage as SdkMessage,
  Team as SdkTeam,
  User as SdkUser,
} from "@microsoft/microsoft-graph-types";
import { describe, expect, test } from "vitest";
import { type AnyList, type AnyPageContext, type AnySend, keptItems } from "../../../test/support/implementation.ts";
import type { EmulatedGraphUser } from "../../emulator-kit/microsoft-graph.ts";
import type { GraphUser } from "../../provider-kit/microsoft-graph.ts";
import chat from "./chat.ts";
import { type GraphChannel, type GraphMessage, toUser } from "./records.ts";
import type { Channel, Team } from "./sandbox/data.ts";
import type { Message } from "./sandbox/messages.ts";

const { listChannels, listMessages } = chat.operations as Record<string, AnyList>;
const { sendMessage } = chat.operations as Record<string, AnySend>;

// Compile-time checks that Graph's own types fit ours and the emulator's data. They declare every field optional, but
// every answer has an id.
type Identified = { id: string };
const userOf = (user: SdkUser & Identified): GraphUser => user;
const channelOf = (channel: SdkChannel & Identified): GraphChannel => channel;
const messageOf = (message: SdkMessage & Identified): GraphMessage => message;
({}) as EmulatedGraphUser satisfies SdkUser;
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
  [
    "the display name if there is one",
    { displayName: "Hina Sato", userPrincipalName: "hina@example.com" },
    "Hina Sato",
  ],
  [
    "the account's name if there is no display name",
    { displayName: null, userPrincipalName: "hina@example.com" },
    "hina@example.com",
  ],
  ["the id if there is no name", {}, "1"],
])("a user's name is %s", (_, fields, name) => {
  expect(toUser(userOf({ id: "1", ...fields }))).toMatchObject({ id: "1", name });
});

test.each([
  ["the mail address", { mail: "hina@example.com", userPrincipalName: "h@example.com" }, "hina@example.com"],
  [
    "the account's name if there is no mail address",
    { mail: null, userPrincipalName: "h@example.com" },
    "h@example.com",
  ],
  ["null for a guest without a mail address", { userPrincipalName: "h_x.com#EXT#@example.onmicrosoft.com" }, null],
  ["null if nothing is known", {}, null],
])("a user's email is %s", (_, fields, email) => {
  expect(toUser(userOf({ id: "1", ...fields }))).toEqual({
    id: "1",
    name: expect.any(String),
    email,
    avatar_url: null,
    is_bot: false,
  });
});

test.each([
  ["standard", false],
  ["private", true],
  ["shared", true],
  ["unknownFutureValue", null],
] as const)("a channel is private or not by its type: %s", (membershipType, is_private) => {
  const channel = channelOf({ id: CHANNEL, displayName: "General", description: "2 * 3\r\n# 4", membershipType });
  expect(record(listChannels, channel)).toMatchObject({ is_private, topic: "2 * 3  \n\\# 4" });
});

describe("channel ids", () => {
  test("the id of a channel includes its team, and messages are listed with it", () => {
    const channel = record(listChannels, channelOf({ id: CHANNEL, displayName: "General" }));
    expect(channel).toEqual({ id: channel_id, name: "General", is_private: null, topic: null });
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
  ])("a channel id that is not from the list of channels is refused: %s", (wrong) => {
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

describe("messages", () => {
  const message = (fields: SdkMessage) => record(listMessages, messageOf({ id: "1", ...fields }));

  test("a message has its author, its address, its body as Markdown and its time in UTC", () => {
    const fields: SdkMessage = {
      createdDateTime: "2021-03-28T21:12:31.1Z",
      from: { user: { id: "8ea0", displayName: "Ada" } },
      body: { contentType: "html", content: "<div>Hi <b>you</b></div>" },
      webUrl: "https://teams.microsoft.com/l/message/1",
    };
    expect(message(fields)).toEqual({
      id: "1",
      text: "Hi **you**",
      author: { id: "8ea0", name: "Ada" },
      created_at: "2021-03-28T21:12:31.100Z",
      thread_id: null,
      url: "https://teams.microsoft.com/l/message/1",
    });
  });

  test("a message may be from an app, a device, a user without a name, or nobody", () => {
    const author = (from: SdkMessage["from"]) => message({ from }).author;
    expect(author({ application: { id: "a", displayName: "Hook" }, user: null })).toEqual({ id: "a", name: "Hook" });
    expect(author({ device: { id: "d" }, user: null, application: null })).toEqual({ id: "d", name: null });
    expect(author({ user: { displayName: null } })).toEqual({ id: null, name: null });
    expect(author(null)).toBeNull();
    expect(author({})).toBeNull();
  });

  test("a reply has the id of its thread", () => {
    expect(message({ replyToId: "7" })).toMatchObject({ thread_id: "7", text: null });
  });
});

describe("pages of messages", () => {
  const page = (...value: Partial<SdkMessage>[]) =>
    keptItems(
      listMessages!,
      { value: value.map((fields, index) => messageOf({ id: String(index), ...fields })) },
      context(),
    );

  test("a page has no system messages and no deleted messages", () => {
    const listed = page(
      { messageType: "message" },
      { messageType: "systemEventMessage" },
      { messageType: "unknownFutureValue" },
      { messageType: "message", deletedDateTime: "2024-01-01T00:00:00Z" },
    );
    expect(listed.map(({ id }) => id)).toEqual(["0"]);
  });

  test("a page is sorted newest first, although Graph sorts by last modification", () => {
    const times = ["2024-01-03T00:00:00Z", "2024-01-05T00:00:00.5Z", "2024-01-05T00:00:00Z", null];
    const listed = page(...times.map((createdDateTime) => ({ messageType: "message" as const, createdDateTime })));
    expect(listed.map(({ id }) => id)).toEqual(["1", "2", "0", "3"]);
  });

  test("the next page is requested with the query of Graph's link, whatever host the link names", () => {
    const link = "https://evil.example/v1.0/x?$top=50&$skiptoken=abc%3d";
    const cursor = listMessages!.next(
      { status: 200, headers: {}, body: { value: [], "@odata.nextLink": link } },
      context(),
    );
    expect(listMessages!.request(context({ cursor })).locked).toEqual({ $top: "50", $skiptoken: "abc=" });
    expect(listMessages!.next({ status: 200, headers: {}, body: { value: [] } }, context())).toBeNull();
  });
});

test("Markdown is sent as HTML, and HTML in the text is escaped", () => {
  const { body } = sendMessage!.request({ input: { channel_id, text: "**Bold** <at>all</at>\n\n- item" } } as never);
  expect(body).toEqual({
    body: {
      contentType: "html",
      content: "<p><strong>Bold</strong> &lt;at&gt;all&lt;/at&gt;</p>\n<ul>\n<li>item</li>\n</ul>\n",
    },
  } satisfies SdkMessage);
});
