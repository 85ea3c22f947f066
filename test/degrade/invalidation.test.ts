import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { CACHE_TTL_WITH_INVALIDATION_MS } from "../../src/coordination/memory.ts";
import { type Cluster, callUnified, startCluster } from "../support/cluster.ts";
import { createPlatform } from "../support/platform.ts";
import { testDatabase } from "../support/postgres.ts";
import { runCommand } from "../support/process.ts";
import { testRedis } from "../support/redis.ts";
import { answerJson, startUpstream, type Upstream } from "../support/upstream.ts";

const database = await testDatabase();
const redis = await testRedis();
const repositories = "/git/repos?limit=1";

let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream(answerJson("[]"));
});
afterAll(async () => {
  await upstream.close();
  await database?.drop();
  await redis?.drop();
});

const setups = [
  ...(redis ? [{ name: "with Redis", redisUrl: redis.url }] : []),
  { name: "without Redis", redisUrl: undefined },
];
/** With Redis a process caches for three times as long: only an invalidation can take effect within this time. */
const patience = { timeout: CACHE_TTL_WITH_INVALIDATION_MS / 3, interval: 100 };

describe.skipIf(!database).each(setups)("invalidation among processes $name", ({ name, redisUrl }) => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await startCluster({ databaseUrl: database!.url, ...(redisUrl ? { redisUrl } : {}) });
  });
  afterAll(() => cluster.close());

  /** Makes every process cache the key and the connection. */
  async function warm(key: string, connection: string): Promise<void> {
    for (const member of cluster.members)
      expect((await callUnified(member, key, connection, repositories)).status).toBe(200);
  }

  const expectRefusedEverywhere = (key: string, connection: string, status: number) =>
    vi.waitFor(async () => {
      for (const member of cluster.members)
        expect((await callUnified(member, key, connection, repositories)).status).toBe(status);
    }, patience);

  it(`${name}, every process refuses deleted connections and revoked keys and follows changed integrations, providers and tool packs`, async () => {
    const { key, members, env } = cluster;
    const [here, there] = members;
    const platform = createPlatform(here!, key);
    const { integration, connection, addConnection } = await cluster.connectTo("github", upstream.url);
    const moving = await addConnection();
    const [byApi, byCommand] = await Promise.all([1, 2].map(() => platform("POST", "/v1/api-keys", {})));
    const newUpstream = await startUpstream(answerJson("[]"));
    const callOwn = (member: { url: string }) =>
      fetch(`${member.url}/proxy/items`, { headers: { authorization: `Bearer ${key}.${ofOwnProvider}` } });
    await platform("POST", "/v1/providers", {
      id: "acme",
      name: "Acme",
      docs_url: "https://docs.acme.test",
      addresses: { api: `${upstream.url}/old` },
      auth: { api_key: { in: "header", name: "X-Key", label: "API key" } },
    });
    const own = await platform("POST", "/v1/integrations", { identifier: "acme", type: "api_key" });
    const ofOwnProvider: string = (
      await platform("POST", "/v1/connections", { integration_id: own.body.id, auth_token: "made-up" })
    ).body.id;
    for (const member of members) expect((await callOwn(member)).status).toBe(200);
    for (const [usedKey, used] of [
      [key, connection],
      [key, moving.id],
      [byApi!.body.api_key, moving.id],
      [byCommand!.body.api_key, moving.id],
    ])
      await warm(usedKey, used);

    const pack = (await platform("POST", "/v1/tool-packs", { name: "Before", access: "read" })).body;
    const limited = (await platform("POST", "/v1/api-keys", { tool_pack_id: pack.id })).body.api_key;
    /** The answer of each process names the tool pack that it knows. */
    const expectPackEverywhere = async (packName: string) => {
      for (const member of members)
        expect(await (await callUnified(member, limited, moving.id, repositories)).text()).toContain(
          `tool pack ${packName}`,
        );
    };
    await expectPackEverywhere("Before");

    await Promise.all([
      platform("PATCH", `/v1/tool-packs/${pack.id}`, { name: "After" }).then(async ({ status }) => {
        expect(status).toBe(200);
        await vi.waitFor(() => expectPackEverywhere("After"), patience);
      }),
      platform("DELETE", `/v1/connections/${connection}`).then(async ({ status }) => {
        expect(status).toBe(200);
        await expectRefusedEverywhere(key, connection, 404);
      }),
      platform("DELETE", `/v1/api-keys/${byApi!.body.id}`).then(async ({ status }) => {
        expect(status).toBe(200);
        await expectRefusedEverywhere(byApi!.body.api_key, moving.id, 401);
      }),
      runCommand(["keys", "revoke", byCommand!.body.id], env).then(async ({ code, stderr }) => {
        expect([code, stderr]).toEqual([0, ""]);
        await expectRefusedEverywhere(byCommand!.body.api_key, moving.id, 401);
      }),
      platform("PATCH", `/v1/integrations/${integration}`, { base_url: newUpstream.url }).then(async ({ status }) => {
        expect(status).toBe(200);
        await vi.waitFor(async () => {
          await callUnified(there!, key, moving.id, repositories);
          expect(newUpstream.seen).not.toEqual([]);
        }, patience);
      }),
      platform("PATCH", "/v1/providers/acme", { addresses: { api: `${upstream.url}/new` } }).then(
        async ({ status }) => {
          expect(status).toBe(200);
          await vi.waitFor(async () => {
            await callOwn(there!);
            expect(upstream.seen.map(({ url }) => url)).toContain("/new/items");
          }, patience);
        },
      ),
    ]);
    await newUpstream.close();
  });
});
