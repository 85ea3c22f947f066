import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startUpstream, type Upstream } from "../proxy/support.ts";
import { type Cluster, callUnified, startCluster } from "../support/cluster.ts";
import { run } from "../support/command.ts";
import { createPlatform } from "../support/platform.ts";
import { testDatabase } from "../support/postgres.ts";
import { testRedis } from "../support/redis.ts";

const database = await testDatabase();
const redis = await testRedis();
const repositories = "/git/repos?limit=1";

let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end("[]"),
  );
});
afterAll(async () => {
  await upstream.close();
  await database?.drop();
  await redis?.drop();
});

const kinds = [
  ...(redis ? [{ kind: "with Redis: within 1 s", redisUrl: redis.url, within: 1000 }] : []),
  { kind: "without Redis: within 5 s", redisUrl: undefined, within: 5000 },
];

// How soon is what is promised here, so that it is what has to be measured.
describe.skipIf(!database).each(kinds)(
  "what one process is told, every process heeds, $kind",
  ({ redisUrl, within }) => {
    let cluster: Cluster;
    const patience = { timeout: within, interval: 20 };

    beforeAll(async () => {
      cluster = await startCluster({ databaseUrl: database!.url, ...(redisUrl ? { redisUrl } : {}) });
    });
    afterAll(() => cluster.close());

    /** Every process has just answered a call, so that each has the key and the connection in its cache. */
    async function warm(key: string, connection: string): Promise<void> {
      for (const member of cluster.members)
        expect((await callUnified(member, key, connection, repositories)).status).toBe(200);
    }

    const refusedEverywhere = (key: string, connection: string, status: number) =>
      vi.waitFor(async () => {
        for (const member of cluster.members)
          expect((await callUnified(member, key, connection, repositories)).status).toBe(status);
      }, patience);

    it("deleted connections and revoked keys are refused, changed integrations lead elsewhere", async () => {
      const { key, members, env } = cluster;
      const [here, there] = members;
      const platform = createPlatform(here!, key);
      const { integration, connection, add } = await cluster.connectTo("github", upstream.url);
      const moving = await add();
      const [byApi, byCommand] = await Promise.all([1, 2].map(() => platform("POST", "/v1/api-keys", {})));
      const elsewhere = await startUpstream((_, response) =>
        response.writeHead(200, { "content-type": "application/json" }).end("[]"),
      );
      for (const [usedKey, used] of [
        [key, connection],
        [key, moving.id],
        [byApi!.body.api_key, moving.id],
        [byCommand!.body.api_key, moving.id],
      ])
        await warm(usedKey, used);

      const elapsing = [
        platform("DELETE", `/v1/connections/${connection}`).then(async ({ status }) => {
          expect(status).toBe(200);
          await refusedEverywhere(key, connection, 404);
        }),
        platform("DELETE", `/v1/api-keys/${byApi!.body.id}`).then(async ({ status }) => {
          expect(status).toBe(200);
          await refusedEverywhere(byApi!.body.api_key, moving.id, 401);
        }),
        run(["keys", "revoke", byCommand!.body.id], env).then(async ({ code, stderr }) => {
          expect([code, stderr]).toEqual([0, ""]);
          await refusedEverywhere(byCommand!.body.api_key, moving.id, 401);
        }),
        platform("PATCH", `/v1/integrations/${integration}`, { base_url: elsewhere.url }).then(async ({ status }) => {
          expect(status).toBe(200);
          await vi.waitFor(async () => {
            await callUnified(there!, key, moving.id, repositories);
            expect(elsewhere.seen).not.toEqual([]);
          }, patience);
        }),
      ];
      await Promise.all(elapsing);
      await elsewhere.close();
    });
  },
);
