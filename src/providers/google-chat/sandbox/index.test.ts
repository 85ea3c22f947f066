import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulated, serveEmulated } from "../../../../test/support/emulated.ts";
import manifest from "../manifest.ts";
import emulator from "./index.ts";

let google: Emulated;
let messages: string;
beforeAll(async () => {
  google = await serveEmulated(manifest, emulator);
  const [first] = (await google.call("/v1/spaces?pageSize=1")).body.spaces;
  messages = `/v1/${first.name}/messages`;
});
afterAll(() => google.close());

const invalid = { status: 400, body: { error: { code: 400, status: "INVALID_ARGUMENT" } } };

describe("the emulated API", () => {
  test("messages are listed oldest first by default, newest first on request", async () => {
    const times = async (query: string) =>
      (await google.call(`${messages}?pageSize=50${query}`)).body.messages.map(({ createTime }: any) => createTime);
    const oldest = await times("");
    expect(oldest).toEqual(oldest.toSorted());
    const newest = await times("&orderBy=create_time+DESC");
    expect(newest).toEqual(newest.toSorted().reverse());
    expect(newest[0] > oldest.at(-1)).toBe(true);
    expect(await google.call(`${messages}?orderBy=text`)).toMatchObject(invalid);
  });

  test("a page token is valid only for the same list in the same order", async () => {
    const { body } = await google.call(`${messages}?pageSize=5&orderBy=create_time+DESC`);
    const token = `pageToken=${body.nextPageToken}`;
    expect((await google.call(`${messages}?${token}&orderBy=create_time+DESC`)).status).toBe(200);
    expect(await google.call(`${messages}?${token}`)).toMatchObject(invalid);
    expect(await google.call(`/v1/spaces?${token}`)).toMatchObject(invalid);
    expect(await google.call(`${messages}?pageToken=made-up`)).toMatchObject(invalid);
  });

  test("spaces are filtered by their type", async () => {
    const types = async (filter: string) => {
      const { body } = await google.call(`/v1/spaces?pageSize=1000&filter=${encodeURIComponent(filter)}`);
      return new Set(body.spaces.map(({ spaceType }: any) => spaceType));
    };
    expect(await types('spaceType = "SPACE"')).toEqual(new Set(["SPACE"]));
    expect(await types('space_type = "GROUP_CHAT" OR space_type = "DIRECT_MESSAGE"')).toEqual(
      new Set(["GROUP_CHAT", "DIRECT_MESSAGE"]),
    );
    expect(await google.call("/v1/spaces?filter=nonsense")).toMatchObject(invalid);
  });

  test("a page size that is too large is reduced, a negative one is refused", async () => {
    expect((await google.call("/v1/spaces?pageSize=5000")).body.spaces.length).toBeGreaterThan(250);
    expect(await google.call("/v1/spaces?pageSize=-1")).toMatchObject(invalid);
  });

  test("a directory request without readMask or sources is refused", async () => {
    expect(await google.call("/v1/people:listDirectoryPeople")).toMatchObject(invalid);
    expect(await google.call("/v1/people:listDirectoryPeople?readMask=names")).toMatchObject(invalid);
  });

  test("an empty list is left out, and an unknown space and an invalid text are refused", async () => {
    const spaces = (await google.call("/v1/spaces?pageSize=2")).body.spaces;
    expect((await google.call(`/v1/${spaces[1].name}/messages`)).body).toEqual({});
    expect(await google.call("/v1/spaces/none/messages")).toMatchObject({
      status: 404,
      body: { error: { status: "NOT_FOUND" } },
    });
    for (const text of ["", "ä".repeat(16_001)])
      expect(await google.call(messages, { body: { text } })).toMatchObject(invalid);
  });
});
