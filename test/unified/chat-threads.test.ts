// Replies in threads, on every chat.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { createClient } from "../conformance/client.ts";
import { startService, type TestService } from "../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
});
afterAll(() => service?.close());

const operation = (name: string) => operations.find(({ id }) => id === `chat.${name}`)!;
const chats = providers.filter(({ categories }) => categories.some(({ category }) => category === "chat"));

/** How each provider's own response names the message that was replied to. */
const parentOf: Record<string, (sent: any) => unknown> = {
  slack: ({ message }) => message.thread_ts,
  teams: ({ replyToId }) => replyToId,
  "google-chat": ({ thread }) => `${thread.name.split("/").at(-1)}.${thread.name.split("/").at(-1)}`,
  discord: ({ message_reference }) => message_reference.message_id,
  mattermost: ({ root_id }) => root_id,
};

describe.each(chats.map((provider) => [provider.manifest.id, provider] as const))("%s", (id, provider) => {
  it(`a message is sent to ${id} as a reply to another one`, async () => {
    const client = createClient(service, provider);
    const params = await client.sampleParams(operation("sendMessage"), operations);
    const newest = async () =>
      (await client.call(operation("listMessages"), params, { limit: 1 })).body.response.data[0];
    expect((await client.call(operation("sendMessage"), params, {}, {}, { text: "to reply to" })).status).toBe(200);
    const parent = await newest();
    const body = { text: "**a reply**", thread_id: parent.id };
    const sent = await client.call(operation("sendMessage"), params, {}, {}, body);
    expect([sent.status, parentOf[id]!(sent.body.response.data)]).toEqual([200, parent.id]);
    // Some chats list replies among the messages of a channel; the others only below their thread.
    const listed = await newest();
    expect([parent.id, null]).toContain(listed.thread_id);
    if (listed.thread_id === null) return;
    expect(listed).toMatchObject({ text: "**a reply**", thread_id: parent.id });
    // A reply to a reply is in the same thread. At Discord, any message can be replied to.
    const second = { text: "another", thread_id: listed.id };
    const answer = await client.call(operation("sendMessage"), params, {}, {}, second);
    expect(answer.status).toBe(200);
    expect(parentOf[id]!(answer.body.response.data)).toBe(id === "discord" ? listed.id : parent.id);
  });

  it(`a reply to a message that ${id} does not have gets the provider's own error`, async () => {
    const client = createClient(service, provider);
    const params = await client.sampleParams(operation("sendMessage"), operations);
    const body = { text: "x", thread_id: "1700000000.000001" };
    const { status, headers } = await client.call(operation("sendMessage"), params, {}, {}, body);
    expect([status >= 400 && status < 500, headers.get("svc-error-source")]).toEqual([true, "provider"]);
  });
});
