import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Cluster, callUnified, startCluster } from "../support/cluster.ts";
import { testDatabase } from "../support/postgres.ts";
import { ownRedis } from "../support/redis.ts";
import { answerJson, startUpstream, type Upstream } from "../support/upstream.ts";

const database = await testDatabase();
const redis = await ownRedis();
const patience = { timeout: 60_000, interval: 50 };
const LIMIT = 5;

describe.skipIf(!database || !redis)("two processes whose Redis becomes unavailable", () => {
  let cluster: Cluster;
  let upstream: Upstream;
  let addConnection: (token?: string) => Promise<{ id: string }>;

  beforeAll(async () => {
    upstream = await startUpstream(answerJson("[]"));
    cluster = await startCluster({
      databaseUrl: database!.url,
      redisUrl: redis!.url,
      env: { UNIFIED_RATE_LIMIT: `${LIMIT}/600` },
    });
    ({ addConnection } = await cluster.connectTo("github", upstream.url));
  });
  afterAll(async () => {
    await cluster.close();
    await upstream.close();
    await redis!.drop();
    await database!.drop();
  });

  const metrics = (name: string) => Promise.all(cluster.members.map((member) => member.metric(name)));
  const readiness = () =>
    Promise.all(
      cluster.members.map(async ({ url }) => {
        const response = await fetch(`${url}/readyz`);
        return [response.status, ((await response.json()) as any).coordination];
      }),
    );
  /** How many of ten calls to each process, made at once over a new connection, are not rate limited. */
  async function passed(): Promise<number> {
    const { id } = await addConnection();
    const answers = await Promise.all(
      cluster.members.flatMap((member) =>
        Array.from({ length: 2 * LIMIT }, () => callUnified(member, cluster.key, id, "/git/repos?limit=1")),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    return statuses.filter((status) => status === 200).length;
  }
  const timesLogged = (text: string) => cluster.members.map(({ output }) => output.stdout.split(text).length - 1);

  it("while Redis is down each process applies the limit for itself, with a warning and a metric, and it recovers", async () => {
    expect(await metrics("plugboard_redis_up")).toEqual([1, 1]);
    expect(await metrics("plugboard_redis_outages_total")).toEqual([0, 0]);
    expect(await passed()).toBe(LIMIT);

    await redis!.stop();
    await vi.waitFor(async () => expect(await metrics("plugboard_redis_up")).toEqual([0, 0]), patience);
    expect(await passed()).toBe(2 * LIMIT);
    expect(await readiness()).toEqual([
      [200, "unavailable"],
      [200, "unavailable"],
    ]);
    expect(await metrics("plugboard_redis_outages_total")).toEqual([1, 1]);
    expect(timesLogged("Redis is unavailable")).toEqual([1, 1]);

    await redis!.start();
    await vi.waitFor(async () => expect(await metrics("plugboard_redis_up")).toEqual([1, 1]), patience);
    expect(await passed()).toBe(LIMIT);
    expect(await readiness()).toEqual([
      [200, "ok"],
      [200, "ok"],
    ]);
    expect(timesLogged("Redis is available again")).toEqual([1, 1]);
    expect(timesLogged('"level":"error"')).toEqual([0, 0]);
  });

  it("while Redis keeps its connections but does not answer, each process applies the limit for itself", async () => {
    redis!.freeze();
    expect(await passed()).toBe(2 * LIMIT);
    expect(await metrics("plugboard_redis_up")).toEqual([0, 0]);
    redis!.thaw();
    await vi.waitFor(async () => expect(await metrics("plugboard_redis_up")).toEqual([1, 1]), patience);
    expect(await passed()).toBe(LIMIT);
  });
});
