import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulated, serveEmulated } from "../../../../test/support/emulated.ts";
import manifest from "../manifest.ts";
import { GUILD_ID } from "./data.ts";
import emulator from "./index.ts";

const API = "/api/v10";
const MEMBERS = `${API}/guilds/${GUILD_ID}/members`;
let discord: Emulated;
beforeAll(async () => {
  discord = await serveEmulated(manifest, emulator);
});
afterAll(() => discord.close());

const channels = async (): Promise<any[]> => (await discord.call(`${API}/guilds/${GUILD_ID}/channels`)).body;
const messages = async (query = "") => {
  const [general] = await channels();
  return discord.call(`${API}/channels/${general.id}/messages${query}`);
};

describe("the emulated API", () => {
  test("a token is accepted only with the prefix Bot", async () => {
    const { token } = discord.credentials;
    for (const authorization of [`Bearer ${token}`, token!, "Bot made-up"]) {
      const refused = await discord.call(`${API}/users/@me`, { headers: { authorization } });
      expect([refused.status, refused.body]).toEqual([401, { message: "401: Unauthorized", code: 0 }]);
    }
    expect((await discord.call(`${API}/users/@me`)).body).toMatchObject({ username: "plugboard", bot: true });
  });

  test("a server that the bot is not a member of is unknown", async () => {
    expect((await discord.call(`${API}/guilds/${GUILD_ID}`)).body).toMatchObject({ id: GUILD_ID });
    for (const path of ["", "/members", "/channels"])
      expect((await discord.call(`${API}/guilds/123456789012345678${path}`)).body).toMatchObject({ code: 10004 });
  });

  test("the default page has one member, and an invalid limit is refused", async () => {
    expect((await discord.call(MEMBERS)).body).toHaveLength(1);
    expect((await discord.call(`${MEMBERS}?limit=1000`)).body.length).toBeGreaterThan(250);
    for (const limit of ["0", "1001", "x"])
      expect((await discord.call(`${MEMBERS}?limit=${limit}`)).body).toMatchObject({
        code: 50035,
        errors: { limit: { _errors: [{ code: expect.any(String) }] } },
      });
  });

  test("the server has channels of many types", async () => {
    expect(new Set((await channels()).map(({ type }) => type))).toEqual(new Set([0, 2, 4, 5, 13, 15]));
  });

  test("messages are listed newest first, before, after or around one of them", async () => {
    const { body: newest } = await messages("?limit=100");
    const ids = newest.map(({ id }: any) => id);
    expect(ids).toEqual(ids.toSorted((one: string, other: string) => (BigInt(one) < BigInt(other) ? 1 : -1)));
    const idsFor = async (query: string) => (await messages(query)).body.map(({ id }: any) => id);
    expect(await idsFor(`?limit=5&before=${ids[9]}`)).toEqual(ids.slice(10, 15));
    expect(await idsFor(`?limit=5&after=${ids[9]}`)).toEqual(ids.slice(4, 9));
    expect(await idsFor(`?limit=5&around=${ids[9]}`)).toEqual(ids.slice(7, 12));
    expect((await messages()).body).toHaveLength(50);
    for (const query of ["?limit=101", "?before=x", "?after=-1", "?around=1.5"])
      expect([query, (await messages(query)).body.code]).toEqual([query, 50035]);
  });

  test("messages include replies, some to deleted messages, and references that are not replies", async () => {
    const { body } = await messages("?limit=100");
    const replies = body.filter(({ type }: any) => type === 19);
    expect(replies.some((message: any) => message.referenced_message === null)).toBe(true);
    expect(
      replies.some((message: any) => message.referenced_message?.id === message.message_reference.message_id),
    ).toBe(true);
    expect(body.some((message: any) => message.type === 6 && message.message_reference)).toBe(true);
    expect(body.some((message: any) => message.message_snapshots)).toBe(true);
    expect(body.some((message: any) => message.webhook_id)).toBe(true);
  });

  test("invalid messages and channels are refused with Discord's error codes", async () => {
    const all = await channels();
    const send = (channel: any, content: string) =>
      discord.call(`${API}/channels/${channel.id}/messages`, { body: { content } });
    expect((await send(all[0], "x".repeat(2001))).body).toMatchObject({
      code: 50035,
      errors: { content: { _errors: [{ code: "BASE_TYPE_MAX_LENGTH" }] } },
    });
    expect((await send(all[0], " ")).body).toMatchObject({ code: 50006 });
    expect((await send(all.at(-1), "Hi")).body).toMatchObject({ code: 50001 });
    expect(
      (
        await send(
          all.find(({ type }) => type === 4),
          "Hi",
        )
      ).body,
    ).toMatchObject({ code: 50024 });
    expect((await send({ id: "1" }, "Hi")).body).toMatchObject({ code: 10003 });
  });

  test("a message mentions everyone unless allowed_mentions forbids it", async () => {
    const [general] = await channels();
    const send = async (body: object) => (await discord.call(`${API}/channels/${general.id}/messages`, { body })).body;
    const content = "@everyone Hi";
    expect(await send({ content })).toMatchObject({ mention_everyone: true });
    expect(await send({ content, allowed_mentions: { parse: ["users"] } })).toMatchObject({ mention_everyone: false });
    expect((await messages("?limit=1")).body[0]).toMatchObject({ content, author: { username: "plugboard" } });
  });
});
