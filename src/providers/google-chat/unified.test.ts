import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../../test/conformance/client.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import implemented from "./chat.ts";
import manifest from "./manifest.ts";

let service: TestService;
let client: ReturnType<typeof createClient>;
let params: Record<string, string>;
beforeAll(async () => {
  service = await startService();
  client = createClient(service, { manifest, categories: [implemented] });
  params = await client.sampleParams(operation("listMessages"), operations);
});
afterAll(() => service.close());

const operation = (name: string) => operations.find(({ id }) => id === `chat.${name}`)!;

test("authors of messages are in the list of users, and threads start with a listed message", async () => {
  const users = new Set((await client.walk(operation("listUsers"), {}, [100])).map(({ id }) => id));
  const messages = await client.walk(operation("listMessages"), params, [100]);
  const byId = new Map(messages.map((message) => [message.id, message]));
  const replies = messages.filter(({ thread_id }) => thread_id);
  expect(replies.length).toBeGreaterThan(20);
  for (const { thread_id } of replies) expect(byId.get(thread_id)).toMatchObject({ thread_id: null });
  expect(messages.filter(({ author }) => users.has(author.id)).length).toBeGreaterThan(250);
});

test("messages are listed newest first, whatever order the client's params request", async () => {
  const read = (query: object) => client.call(operation("listMessages"), params, { limit: 100, ...query });
  const { data } = (await read({})).body.response;
  const times = data.map(({ created_at }: any) => created_at);
  expect(times).toEqual(times.toSorted().reverse());
  const conflicting = JSON.stringify({ orderBy: "create_time ASC", pageSize: 1, pageToken: "x" });
  expect((await read({ params: conflicting })).body.response.data).toEqual(data);
});

test("a space can be addressed by its id or by its full name", async () => {
  const read = async (channel_id: string) =>
    (await client.call(operation("listMessages"), { channel_id }, { limit: 3 })).body.response.data;
  expect(await read(`spaces/${params.channel_id}`)).toEqual(await read(params.channel_id!));
});

test("direct messages are listed if the client's params request them, with their id as name", async () => {
  const filter = { params: JSON.stringify({ filter: 'space_type = "DIRECT_MESSAGE"' }) };
  const { data } = (await client.call(operation("listChannels"), {}, filter)).body.response;
  expect(data.length).toBeGreaterThan(0);
  for (const { id, name } of data) expect(name).toBe(id);
});

test("each page of users, channels and messages takes exactly one request", async () => {
  for (const name of ["listUsers", "listChannels", "listMessages"])
    expect(await client.requests(() => client.call(operation(name), params, { limit: 100 }))).toHaveLength(1);
});
