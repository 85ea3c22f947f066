import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../../test/conformance/client.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import implemented from "./chat.ts";
import manifest from "./manifest.ts";
import { GUILD_ID } from "./sandbox/data.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const operation = (name: string) => operations.find(({ id }) => id === `chat.${name}`)!;
const provider = { manifest, categories: [implemented] };

async function connect(settings: object | undefined) {
  const response = await fetch(`${service.url}/platform/v1/connections`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ integration_id: service.integrations.discord, auth_token: "sandbox-key", settings }),
  });
  return { status: response.status, body: (await response.json()) as any };
}

test("a connection without a valid guild_id is refused", async () => {
  for (const settings of [undefined, {}, { guild_id: "../users" }, { guild_id: "12" }, { guild_id: `${GUILD_ID}/x` }]) {
    const { status, body } = await connect(settings);
    expect([status, JSON.stringify(body.errors)]).toEqual([400, expect.stringContaining("guild_id")]);
  }
});

test("a connection reads the server that its guild_id names, with its own token", async () => {
  const { status, body } = await connect({ guild_id: GUILD_ID });
  expect(status).toBe(201);
  const client = createClient({ ...service, connections: { discord: body.id } }, provider);
  const [request] = (await client.requests(() => client.call(operation("listUsers"), {}))) as any[];
  expect(request.path).toMatch(`/api/v10/guilds/${GUILD_ID}/members?limit=100`);
  expect(request.headers.authorization).toMatch(/^Bot /);
  expect(request.headers["user-agent"]).toMatch(/^DiscordBot \(/);
});

test("Discord's own error is returned for a text that is too long", async () => {
  const client = createClient(service, provider);
  const { channel_id } = await client.sampleParams(operation("sendMessage"), operations);
  const response = await fetch(`${service.url}/unified/v1/chat/channels/${channel_id}/message`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${service.apiKey}`,
      "SVC-Connection-ID": service.connections.discord!,
      "content-type": "application/json",
    },
    body: JSON.stringify({ text: "x".repeat(2001) }),
  });
  expect([response.status, await response.json()]).toMatchObject([400, { code: 50035, message: "Invalid Form Body" }]);
});

test("the client's own params cannot change which messages a page has", async () => {
  const client = createClient(service, provider);
  const params = await client.sampleParams(operation("listMessages"), operations);
  const read = (query: object) => client.call(operation("listMessages"), params, { limit: 3, ...query });
  const plain = (await read({})).body.response.data;
  const conflicting = JSON.stringify({ around: plain[2].id, after: plain[2].id, before: plain[2].id, limit: 1 });
  expect((await read({ params: conflicting })).body.response.data).toEqual(plain);
});
