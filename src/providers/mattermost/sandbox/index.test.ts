import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Emulated, serveEmulated } from "../../../../test/support/emulated.ts";
import manifest from "../manifest.ts";
import emulator from "./index.ts";

const API = "/api/v4";
let mattermost: Emulated;
let posts: string;
beforeAll(async () => {
  mattermost = await serveEmulated(manifest, emulator);
  const [first] = (await mattermost.call(`${API}/users/me/channels`)).body;
  posts = `${API}/channels/${first.id}/posts`;
});
afterAll(() => mattermost.close());

const read = async (query: string) => (await mattermost.call(`${posts}?${query}`)).body;

describe("the emulated API", () => {
  test("the emulator silently reduces a page size that is too large", async () => {
    expect((await mattermost.call(`${API}/users`)).body).toHaveLength(60);
    expect((await mattermost.call(`${API}/users?per_page=1000`)).body).toHaveLength(200);
    expect((await mattermost.call(`${API}/users?per_page=200&page=1`)).body.length).toBeGreaterThan(50);
    expect((await read("per_page=1000")).order).toHaveLength(200);
  });

  test("posts can be paged by page number, before a post and after a post", async () => {
    const { order: ids, next_post_id } = await read("per_page=50");
    expect(next_post_id).toBe("");
    expect((await read("per_page=10&page=2")).order).toEqual(ids.slice(20, 30));
    expect((await read(`per_page=10&before=${ids[9]}`)).order).toEqual(ids.slice(10, 20));
    expect((await read(`per_page=5&after=${ids[9]}`)).order).toEqual(ids.slice(4, 9));
    expect(await read(`per_page=10&before=${ids[9]}`)).toMatchObject({ next_post_id: ids[9], prev_post_id: ids[20] });
    const all: string[] = [];
    for (let last: string | undefined, more = true; more; ) {
      const page = await read(`per_page=90${last ? `&before=${last}` : ""}`);
      all.push(...page.order);
      last = page.order.at(-1);
      more = page.prev_post_id !== "";
    }
    expect(all.length).toBeGreaterThan(250);
    expect(new Set(all).size).toBe(all.length);
  });

  test("a page of posts includes the roots of their threads, which are not in its order", async () => {
    const page = await read("per_page=8");
    const extras = Object.keys(page.posts).filter((id) => !page.order.includes(id));
    const roots = page.order.map((id: string) => page.posts[id].root_id).filter(Boolean);
    expect(extras.length).toBeGreaterThan(0);
    for (const id of extras) expect(roots).toContain(id);
  });

  test("the emulator refuses invalid requests with Mattermost's error ids", async () => {
    const errorOf = async (path: string, body?: object) => (await mattermost.call(path, body ? { body } : {})).body;
    expect(await errorOf(`${API}/channels/short/posts`)).toMatchObject({
      id: "api.context.invalid_url_param.app_error",
    });
    expect(await errorOf(`${API}/channels/${"a".repeat(26)}/posts`)).toMatchObject({ status_code: 404 });
    const channel_id = posts.split("/").at(-2);
    expect(await errorOf(`${API}/posts`, { channel_id, message: "x".repeat(16_384) })).toMatchObject({
      id: "model.post.is_valid.message_length.app_error",
      status_code: 400,
    });
    expect(await errorOf(`${API}/posts`, { channel_id: "b".repeat(26), message: "Hi" })).toMatchObject({
      status_code: 403,
    });
    expect(await errorOf(`${API}/posts`, { channel_id, message: "Hi", root_id: "none" })).toMatchObject({
      status_code: 400,
    });
  });

  test("a reply is added to its thread and comes first in the channel", async () => {
    const channel_id = posts.split("/").at(-2);
    const [root_id] = (await read("per_page=1")).order;
    const { status, body } = await mattermost.call(`${API}/posts`, { body: { channel_id, message: "Hi", root_id } });
    expect(status).toBe(201);
    const page = await read("per_page=1");
    expect(page.order).toEqual([body.id]);
    expect(page.posts[root_id]).toMatchObject({ reply_count: 1 });
  });
});
