import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../../test/conformance/client.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import implemented from "./chat.ts";
import manifest from "./manifest.ts";
import { makeState } from "./sandbox/data.ts";

let service: TestService;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  service = await startService();
  client = createClient(service, { manifest, categories: [implemented] });
});
afterAll(() => service.close());

const operation = (name: string) => operations.find(({ id }) => id === `chat.${name}`)!;
const requestedPaths = async (work: () => Promise<unknown>) =>
  (await client.requests(work)).map(({ path }) => decodeURIComponent(path.split("?")[0]!));

test("a page of channels needs one call for each team it reads, and the first page one more for the teams", async () => {
  const [first, second, third] = makeState().teams;
  const channels = (team: typeof first) => `/v1.0/teams/${team!.id}/channels`;
  let next: string | null = null;
  const read = (limit: number) => async () => {
    const { body } = await client.call(operation("listChannels"), {}, { limit, ...(next ? { after: next } : {}) });
    expect(body.response.data).toHaveLength(limit);
    next = body.response.metadata.next;
  };
  expect(await requestedPaths(read(100))).toEqual(["/v1.0/me/joinedTeams", channels(first)]);
  // The teams are remembered: only the first page of a walk requests them.
  expect(await requestedPaths(read(100))).toEqual([channels(first), channels(second), channels(third)]);
});

test("every channel is private or not, also a shared one", async () => {
  const types = [...makeState().channels.values()].flat().map(({ membershipType }) => membershipType);
  expect(types).toContain("shared");
  const listed = await client.walk(operation("listChannels"), {}, [100]);
  expect(listed.map(({ is_private }) => is_private)).toEqual(types.map((type) => type !== "standard"));
});

test("a page of messages needs one call for every fifty messages, and no call per message", async () => {
  const params = await client.sampleParams(operation("listMessages"), operations);
  const seen = await requestedPaths(() => client.call(operation("listMessages"), params, { limit: 100 }));
  // Three, because system messages are among the fifty.
  expect(seen).toHaveLength(3);
});

test("every user message is listed once, without system messages, newest first within a page", async () => {
  const params = await client.sampleParams(operation("listMessages"), operations);
  const all = await client.walk(operation("listMessages"), params, [100]);
  const [posted] = [...makeState().messages.values()];
  const wanted = posted!.filter((one) => one.messageType === "message" && !one.deletedDateTime).map(({ id }) => id);
  expect(all.map(({ id }) => id).sort()).toEqual(wanted.sort());
  const { data } = (await client.call(operation("listMessages"), params, { limit: 40 })).body.response;
  const times = data.map(({ created_at }: any) => created_at);
  expect(times).toEqual(times.toSorted().reverse());
  expect(all.every(({ text }) => text !== "<systemEventMessage/>")).toBe(true);
});

test("a sent message comes first in the list, and is sent as HTML", async () => {
  const params = await client.sampleParams(operation("sendMessage"), operations);
  const body = { text: "Hello **bold** 👋 <b>&</b> [link](https://example.com)" };
  const sent = (await client.call(operation("sendMessage"), params, {}, {}, body)).body.response.data;
  const { data } = (await client.call(operation("listMessages"), params, { limit: 1 })).body.response;
  expect(data[0]).toMatchObject({ id: sent.id });
  expect(sent.body).toEqual({
    contentType: "html",
    content: '<p>Hello <strong>bold</strong> 👋 &lt;b&gt;&amp;&lt;/b&gt; <a href="https://example.com">link</a></p>\n',
  });
});

test("a channel id that is not from the list of channels is refused with 400, without a call to Graph", async () => {
  for (const channel_id of ["19:abc@thread.tacv2", "a/b", "team~channel"]) {
    const seen = await client.requests(async () => {
      const { status, body } = await client.call(operation("listMessages"), { channel_id });
      expect([status, body.errors[0]]).toMatchObject([400, { code: 7001, path: ["params", "channel_id"] }]);
    });
    expect(seen).toEqual([]);
  }
});
