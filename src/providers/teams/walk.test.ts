import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../../test/conformance/client.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import implemented from "./chat.ts";
import manifest from "./manifest.ts";
import { makeState } from "./sandbox-data.ts";

let service: TestService;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  service = await startService();
  client = createClient(service, { manifest, categories: [implemented] });
});
afterAll(() => service.close());

const operation = (name: string) => operations.find(({ id }) => id === `chat.${name}`)!;
const paths = async (work: () => Promise<unknown>) =>
  (await client.requests(work)).map(({ path }) => decodeURIComponent(path.split("?")[0]!));

test("a page of channels costs one call for each team that it touches, and the first one more for the teams", async () => {
  const [first, second, third] = makeState().teams;
  const channels = (team: typeof first) => `/v1.0/teams/${team!.id}/channels`;
  let next: string | null = null;
  const read = (limit: number) => async () => {
    const { body } = await client.call(operation("listChannels"), {}, { limit, ...(next ? { after: next } : {}) });
    expect(body.response.data).toHaveLength(limit);
    next = body.response.metadata.next;
  };
  expect(await paths(read(100))).toEqual(["/v1.0/me/joinedTeams", channels(first)]);
  // The teams are remembered: only the first page of a walk asks for them.
  expect(await paths(read(100))).toEqual([channels(first), channels(second), channels(third)]);
});

test("a page of messages costs a call for every fifty, and none for a message", async () => {
  const params = await client.sampleParams(operation("listMessages"), operations);
  const seen = await paths(() => client.call(operation("listMessages"), params, { limit: 100 }));
  // Three, for what Teams itself says in a channel is among the fifty.
  expect(seen).toHaveLength(3);
});

test("messages: what was said, each once, newest first as far as Graph's pages allow", async () => {
  const params = await client.sampleParams(operation("listMessages"), operations);
  const all = await client.walk(operation("listMessages"), params, [100]);
  const [said] = [...makeState().messages.values()];
  const wanted = said!.filter((one) => one.messageType === "message" && !one.deletedDateTime).map(({ id }) => id);
  expect(all.map(({ id }) => id).sort()).toEqual(wanted.sort());
  const { data } = (await client.call(operation("listMessages"), params, { limit: 40 })).body.response;
  const times = data.map(({ created_at }: any) => created_at);
  expect(times).toEqual(times.toSorted().reverse());
  expect(all.every(({ text }) => text !== "<systemEventMessage/>")).toBe(true);
});

test("a message sent comes first, as HTML", async () => {
  const params = await client.sampleParams(operation("sendMessage"), operations);
  const sent = (await client.call(operation("sendMessage"), params)).body.response.data;
  const { data } = (await client.call(operation("listMessages"), params, { limit: 1 })).body.response;
  expect(data[0]).toMatchObject({ id: sent.id, text: sent.body.content });
  expect(sent.body).toEqual({
    contentType: "html",
    content: '<p>Hello <strong>bold</strong> 👋 &lt;b&gt;&amp;&lt;/b&gt; <a href="https://example.com">link</a></p>\n',
  });
});

test("an id that is not from the list of channels is the client's mistake, and Graph is not asked", async () => {
  for (const channel_id of ["19:abc@thread.tacv2", "a/b", "team~channel"]) {
    const seen = await client.requests(async () => {
      const { status, body } = await client.call(operation("listMessages"), { channel_id });
      expect([status, body.errors[0]]).toMatchObject([400, { code: 7001, path: ["params", "channel_id"] }]);
    });
    expect(seen).toEqual([]);
  }
});
