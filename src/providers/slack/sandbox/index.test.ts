import { randomBytes } from "node:crypto";
import {
  type AuthTestResponse,
  type ChatPostMessageResponse,
  ErrorCode,
  LogLevel,
  type OauthV2AccessResponse,
  type UsersListResponse,
  WebClient,
} from "@slack/web-api";
import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../../../sandbox/index.ts";
import slackManifest from "../manifest.ts";
import type { Channel, User } from "./data.ts";
import slackEmulator from "./index.ts";
import type { Message } from "./messages.ts";

// Compile-time checks that the emulator's data fits the SDK's answer types.
type ItemOf<List> = NonNullable<List> extends (infer One)[] ? One : never;
type Listed = Awaited<ReturnType<WebClient["conversations"]["list"]>>;
type History = Awaited<ReturnType<WebClient["conversations"]["history"]>>;
({}) as User satisfies ItemOf<UsersListResponse["members"]>;
({}) as Channel satisfies ItemOf<Listed["channels"]>;
({}) as Message satisfies ItemOf<History["messages"]>;
({}) as Message satisfies NonNullable<ChatPostMessageResponse["message"]>;

const server = Fastify();
let sandbox: Sandbox;
let url: string;
let client: WebClient;

/** The official client, with another address and no retries. */
const clientOf = (token: string) =>
  new WebClient(token, {
    slackApiUrl: `${url}/slack/api/`,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logLevel: LogLevel.ERROR,
  });
const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => "no error",
    (error) => error.data?.error ?? error.code,
  );

beforeAll(async () => {
  sandbox = createSandbox({
    providers: [{ manifest: slackManifest, categories: [] }],
    emulators: { slack: slackEmulator },
    secret: randomBytes(32),
  });
  await server.register(sandbox.plugin, { prefix: "/sandbox" });
  url = `${await server.listen({ port: 0, host: "127.0.0.1" })}/sandbox`;
  client = clientOf(sandbox.credentials("slack", "oauth2").credentials.token!);
});
afterAll(() => server.close());

const injectFault = (body: object) =>
  fetch(`${url}/_faults`, { method: "POST", body: JSON.stringify({ provider: "slack", ...body }) });

async function walk<Item>(list: (cursor: string | undefined) => Promise<{ items: Item[]; next: string | undefined }>) {
  const all: Item[] = [];
  const sizes: number[] = [];
  for (let cursor: string | undefined, first = true; first || cursor; first = false) {
    const { items, next } = await list(cursor);
    all.push(...items);
    sizes.push(items.length);
    cursor = next;
  }
  return { all, sizes };
}

const walkUsers = (limit: number) =>
  walk(async (cursor) => {
    const { members, response_metadata } = await client.users.list({ limit, cursor });
    return { items: members!, next: response_metadata?.next_cursor };
  });
const walkChannels = (limit: number, types?: string) =>
  walk(async (cursor) => {
    const { channels, response_metadata } = await client.conversations.list({ limit, cursor, types });
    return { items: channels!, next: response_metadata?.next_cursor };
  });
const walkMessages = (channel: string, limit: number) =>
  walk(async (cursor) => {
    const { messages, response_metadata } = await client.conversations.history({ channel, limit, cursor });
    return { items: messages!, next: response_metadata?.next_cursor };
  });

const generalId = async () => (await client.conversations.list({ limit: 1 })).channels![0]!.id!;

describe("lists, walked with the official client", () => {
  test("users are the same at any page size: over 250, with deleted ones, bots, Slackbot and non-Latin names", async () => {
    const { all } = await walkUsers(100);
    expect(all.length).toBeGreaterThan(250);
    expect((await walkUsers(37)).all).toEqual(all);
    expect((await client.users.list({})).members).toEqual(all);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.some((user) => user.deleted)).toBe(true);
    expect(all.some((user) => user.is_bot)).toBe(true);
    expect(all[0]!.id).toBe("USLACKBOT");
    expect(all.some((user) => user.profile!.display_name === "日本語のタイトル")).toBe(true);
  });

  test("over 250 channels are filtered by type after paging, so that pages may be short", async () => {
    const { all, sizes } = await walkChannels(50, "public_channel,private_channel");
    expect(all.length).toBeGreaterThan(250);
    expect(sizes.some((size) => size < 50)).toBe(true);
    expect(all.some((channel) => channel.is_private)).toBe(true);
    expect(all.some((channel) => channel.is_im)).toBe(false);
    const { all: open } = await walkChannels(1000);
    expect(open).toEqual(all.filter((channel) => !channel.is_private));
  });

  test("over 250 messages come newest first, with threads, broadcast replies, bots and missing authors", async () => {
    const { all } = await walkMessages(await generalId(), 99);
    expect(all.length).toBeGreaterThan(250);
    const stamps = all.map(({ ts }) => Number(ts));
    expect(stamps).toEqual(stamps.toSorted((one, other) => other - one));
    expect(all.some((message) => message.reply_count && message.thread_ts === message.ts)).toBe(true);
    expect(all.some((message) => message.subtype === "thread_broadcast" && message.thread_ts !== message.ts)).toBe(
      true,
    );
    expect(all.some((message) => !message.user && message.bot_id)).toBe(true);
    expect(all.some((message) => !message.user && !message.bot_id)).toBe(true);
    expect(all.some((message) => message.text === "")).toBe(true);
    expect(all.some((message) => message.subtype === "channel_join" && message.text!.startsWith("<@"))).toBe(true);
    expect(all.some((message) => message.subtype === "tombstone")).toBe(true);
    expect(all.some((message) => message.text === "" && message.attachments)).toBe(true);
  });
});

describe("single objects", () => {
  test("auth.test returns the team and the bot of the token", async () => {
    const me = await client.auth.test();
    expect(me).toMatchObject({ ok: true, team_id: expect.stringMatching(/^T/), bot_id: expect.stringMatching(/^B/) });
    me satisfies AuthTestResponse;
  });

  test("a single user can be read", async () => {
    expect((await client.users.info({ user: "USLACKBOT" })).user).toMatchObject({ id: "USLACKBOT", name: "slackbot" });
    expect(await errorOf(client.users.info({ user: "U0NOBODY0" }))).toBe("user_not_found");
  });
});

describe("sending", () => {
  test("a sent message comes first in the channel, and a reply counts in its thread", async () => {
    const channel = await generalId();
    const sent = await client.chat.postMessage({ channel, text: "first 👋" });
    const { messages } = await client.conversations.history({ channel, limit: 2 });
    expect(messages![0]).toMatchObject({ ts: sent.ts, text: "first 👋" });
    const reply = await client.chat.postMessage({ channel, text: "below", thread_ts: sent.ts });
    expect(reply.message).toMatchObject({ text: "below", thread_ts: sent.ts });
    const after = await client.conversations.history({ channel, limit: 1 });
    expect(after.messages![0]).toMatchObject({ reply_count: 1, latest_reply: reply.ts, thread_ts: sent.ts });
  });

  test("a message that cannot be sent is refused", async () => {
    const { all } = await walkChannels(1000);
    const post = (channel: string, text: string) => errorOf(client.chat.postMessage({ channel, text }));
    expect(await post("C0NOBODY0", "x")).toBe("channel_not_found");
    expect(await post(all.find((channel) => channel.is_archived)!.id!, "x")).toBe("is_archived");
    expect(await post(all.find((channel) => !channel.is_archived && !channel.is_member)!.id!, "x")).toBe(
      "not_in_channel",
    );
    expect(await post(all[0]!.id!, "")).toBe("no_text");
    expect(await post(all[0]!.id!, "x".repeat(40_001))).toBe("msg_too_long");
  });
});

describe("refusals", () => {
  test("refusals come with status 200 and Slack's error codes", async () => {
    const raw = await fetch(`${url}/slack/api/users.list`);
    expect([raw.status, await raw.json()]).toEqual([200, { ok: false, error: "not_authed" }]);
    expect(raw.headers.get("x-slack-req-id")).toMatch(/^[\da-f]{32}$/);
    expect(await errorOf(clientOf("made-up").users.list({}))).toBe("invalid_auth");
    expect(await errorOf(client.users.list({ cursor: "bm9uc2Vuc2U=" }))).toBe("invalid_cursor");
    expect(await errorOf(client.users.list({ limit: -1 }))).toBe("invalid_limit");
    expect(await errorOf(client.conversations.list({ types: "nonsense" }))).toBe("invalid_types");
    expect(await errorOf(client.apiCall("no.such.method"))).toBe("unknown_method");
  });

  test("a cursor of one list is refused by another list", async () => {
    const { response_metadata } = await client.users.list({ limit: 1 });
    expect(await errorOf(client.conversations.list({ cursor: response_metadata!.next_cursor! }))).toBe(
      "invalid_cursor",
    );
  });

  test("an injected fault has Slack's body for its status, and the manifest reads that status from it", async () => {
    for (const status of [400, 401, 403, 404, 422, 429, 500, 503]) {
      await injectFault({ status });
      const answer = await fetch(`${url}/slack/api/users.list`);
      const body: any = await answer.json();
      expect([answer.status, body.ok]).toEqual([status, false]);
      if (status < 500 && status !== 422) expect(slackManifest.failed({ status: 200, headers: {}, body })).toBe(status);
    }
  });

  test("an injected 429 has the requested Retry-After", async () => {
    await injectFault({ status: 429, retry_after: 7 });
    const refused = await client.users.list({}).catch((error) => error);
    expect(refused).toMatchObject({ code: ErrorCode.RateLimitedError, retryAfter: 7 });
  });
});

describe("tokens", () => {
  const exchange = async (body: Record<string, string>, secret = "secret") => {
    const answer = await fetch(`${url}/slack/api/oauth.v2.access`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`app:${secret}`)}` },
      body: new URLSearchParams(body),
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as OauthV2AccessResponse;
  };
  const authorize = async () => {
    const query = new URLSearchParams({
      client_id: "app",
      redirect_uri: "http://127.0.0.1:9/callback",
      response_type: "code",
      scope: "users:read,chat:write",
    });
    const answer = await fetch(`${url}/slack/oauth/v2/authorize?${query}`, {
      method: "POST",
      redirect: "manual",
      body: new URLSearchParams({ decision: "allow" }),
    });
    return new URL(answer.headers.get("location")!).searchParams.get("code")!;
  };
  const redirect_uri = "http://127.0.0.1:9/callback";

  test("a code and a refresh each give a bot token that lasts twelve hours", async () => {
    const first = await exchange({ grant_type: "authorization_code", code: await authorize(), redirect_uri });
    expect(first).toMatchObject({ ok: true, token_type: "bot", expires_in: 43_200, team: { id: expect.any(String) } });
    const refresh = { grant_type: "refresh_token", refresh_token: first.refresh_token! };
    const second = slackManifest.auth.oauth2.readToken(await exchange(refresh))!;
    expect((await clientOf(second.access_token).auth.test()).ok).toBe(true);
    expect(await exchange(refresh)).toEqual({ ok: false, error: "invalid_refresh_token" });
  });

  test("token requests are refused with Slack's error codes", async () => {
    const code = { grant_type: "authorization_code", redirect_uri };
    expect(await exchange({ ...code, code: "made-up" })).toMatchObject({ ok: false, error: "invalid_code" });
    expect(await exchange({ ...code, code: await authorize() }, "wrong")).toMatchObject({ error: "bad_client_secret" });
    expect(await exchange({ grant_type: "password" })).toMatchObject({ error: "invalid_grant_type" });
  });

  test("a token can be revoked and can expire", async () => {
    const newClient = () => clientOf(sandbox.credentials("slack", "oauth2").credentials.token!);
    const revoked = newClient();
    expect(await revoked.auth.revoke({})).toMatchObject({ ok: true, revoked: true });
    expect(await errorOf(revoked.auth.test())).toBe("token_revoked");
    const expired = newClient();
    await injectFault({ expire_tokens: true });
    expect(await errorOf(expired.auth.test())).toBe("token_expired");
    expect(slackManifest.failed({ status: 200, headers: {}, body: { ok: false, error: "token_expired" } })).toBe(401);
  });
});
