// One command with two workers: they share the work, and neither a crash nor a restart is noticed from the outside.
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Cluster, type Member, startCluster } from "../support/cluster.ts";
import { testDatabase } from "../support/postgres.ts";
import { childrenOf, launch } from "../support/process.ts";
import { testRedis } from "../support/redis.ts";
import { answerJson, startUpstream, type Upstream } from "../support/upstream.ts";

const database = await testDatabase();
const redis = await testRedis();
const LIMIT = 20;
const CLIENTS = 6;
const PROVIDERS_DIR = join(import.meta.dirname, "../providers-dir/providers");
/** Between two calls of a client, so that there is time left to start workers. */
const PAUSE_MS = 25;

const until = (condition: () => boolean | Promise<boolean>) => vi.waitUntil(condition, { timeout: 60_000 });

describe.skipIf(!database || !redis)("WORKERS=2", () => {
  let cluster: Cluster;
  let primary: Member;
  let upstream: Upstream;
  let connection: string;
  /** Opens a connection for each request, and leaves none idle, for which a worker that is stopped would wait. */
  const unpooled = new Agent({ pipelining: 0 });

  beforeAll(async () => {
    upstream = await startUpstream(answerJson("[]"));
    const env = { WORKERS: "2", LOG_LEVEL: "debug", RATE_LIMIT: `${LIMIT}/600`, PROVIDERS_DIR };
    cluster = await startCluster({ databaseUrl: database!.url, redisUrl: redis!.url, members: 1, env });
    [primary] = cluster.members as [Member];
    const integration = await create("integrations", { identifier: "github", type: "api_key", base_url: upstream.url });
    connection = await create("connections", { integration_id: integration, auth_token: "made-up" });
  });
  afterAll(async () => {
    await unpooled.close();
    await cluster.close();
    await upstream.close();
    await database!.drop();
    await redis!.drop();
  });

  async function create(kind: string, fields: Record<string, string>): Promise<string> {
    const { body } = await request(`${primary.url}/platform/v1/${kind}`, {
      dispatcher: unpooled,
      method: "POST",
      headers: { authorization: `Bearer ${cluster.key}`, "content-type": "application/json" },
      body: JSON.stringify(fields),
    });
    return ((await body.json()) as { id: string }).id;
  }

  const workers = () => childrenOf(primary.child.pid!);
  /** The log lines that contain a text. */
  const logged = (text: string) =>
    primary.output.stdout
      .split("\n")
      .filter((line) => line.includes(text))
      .map((line) => JSON.parse(line) as Record<string, any>);

  async function call(path: string, { id = "", dispatcher = unpooled }: { id?: string; dispatcher?: Agent } = {}) {
    const { statusCode, body } = await request(primary.url + path, {
      dispatcher,
      headers: {
        authorization: `Bearer ${cluster.key}`,
        "svc-connection-id": connection,
        ...(id ? { "x-request-id": id } : {}),
      },
    });
    return { status: statusCode, text: await body.text() };
  }
  const callMany = (count: number, path: string, id: string) =>
    Promise.all(Array.from({ length: count }, (_, index) => call(path, { id: `${id}-${index}` })));

  /** The workers that answered the calls with such an id, by the log. */
  async function answeredBy(count: number, id: string): Promise<Set<number>> {
    const found = () => logged(`"request_id":"${id}-`);
    await until(() => found().length === count);
    return new Set(found().map(({ pid }) => pid));
  }

  const metric = (text: string, name: string): number =>
    Number(
      text
        .split("\n")
        .find((line) => line.startsWith(`${name} `))
        ?.slice(name.length + 1),
    );
  const proxied = (status: number) => `plugboard_requests_total{surface="proxy",method="GET",status="${status}"}`;

  const bothReady = async () => metric((await call("/metrics")).text, "plugboard_workers") === 2;

  /** Clients that call all the time, with and without connections of their own, while `work` runs. */
  async function underLoad(work: () => Promise<void>) {
    const failures: string[] = [];
    let answered = 0;
    let done = false;
    const clients = Array.from({ length: CLIENTS }, async (_, index) => {
      // A connection of its own, which is never idle for long.
      const dispatcher = index % 2 ? new Agent({ connections: 1 }) : unpooled;
      while (!done) {
        try {
          const { status, text } = await call("/unified/v1/git/repos?limit=1", { dispatcher });
          if (status === 200) answered++;
          else failures.push(`${status} ${text}`);
        } catch (error) {
          failures.push(`${(error as NodeJS.ErrnoException).code} ${(error as Error).message}`);
        }
        await wait(PAUSE_MS);
      }
      if (dispatcher !== unpooled) await dispatcher.close();
    });
    const moreAnswers = async () => {
      const enough = answered + 10 * CLIENTS;
      await until(() => answered >= enough);
    };
    try {
      await moreAnswers();
      await work();
      await moreAnswers();
    } finally {
      done = true;
      await Promise.all(clients);
    }
    return { failures, answered };
  }

  it("the start is announced once, by the process that started the workers", () => {
    expect(logged("Plugboard is ready")).toEqual([
      expect.objectContaining({ pid: primary.child.pid, workers: 2, msg: expect.stringMatching(/ with 2 workers$/) }),
    ]);
    expect(workers()).toHaveLength(2);
  });

  it("every worker knows that all of them have been ready", async () => {
    await until(async () =>
      (await Promise.all([1, 2, 3, 4].map(() => call("/readyz")))).every(({ status }) => status === 200),
    );
  });

  it("a second service on the same port ends with the same single line as without workers", async () => {
    const { port } = new URL(primary.url);
    const { child, output } = launch(["start"], { ...cluster.env, PORT: port });
    const [code] = await once(child, "close");
    expect(output.stderr).toMatch(/^plugboard: PORT: \d+ is already in use .*\n$/);
    expect(code).toBe(1);
  });

  it("every worker has the providers of PROVIDERS_DIR, and a mistake in them is reported once", async () => {
    const lists = await callMany(6, "/platform/v1/providers", "providers");
    expect(await answeredBy(6, "providers")).toEqual(new Set(workers()));
    for (const { text } of lists) expect(text).toContain('"field-notes"');

    const nowhere = join(PROVIDERS_DIR, "nowhere");
    const { child, output } = launch(["start"], { ...cluster.env, PORT: "0", PROVIDERS_DIR: nowhere });
    const [code] = await once(child, "close");
    expect(output.stderr).toBe(`plugboard: PROVIDERS_DIR: ${nowhere} is not a folder\n`);
    expect(code).toBe(1);
  });

  it("both workers serve, a rate limit is exact over both, and any of them shows the sum of their metrics", async () => {
    const answers = await callMany(3 * LIMIT, "/proxy/user", "limited");
    expect(await answeredBy(3 * LIMIT, "limited")).toEqual(new Set(workers()));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(LIMIT).fill(200), ...Array(2 * LIMIT).fill(429)]);

    const pages = await callMany(6, "/metrics", "scrape");
    expect(await answeredBy(6, "scrape")).toEqual(new Set(workers()));
    for (const { text } of pages) {
      expect(metric(text, proxied(200))).toBe(LIMIT);
      expect(metric(text, proxied(429))).toBe(2 * LIMIT);
      expect(metric(text, 'plugboard_request_duration_seconds_count{surface="proxy"}')).toBe(3 * LIMIT);
      expect(metric(text, "plugboard_workers")).toBe(2);
      // What describes the shared database and Redis is not added up.
      expect(metric(text, "plugboard_store_up")).toBe(1);
      expect(metric(text, "plugboard_redis_up")).toBe(1);
      expect(text.match(/^plugboard_subscriptions_due /gm)).toHaveLength(1);
    }
  });

  it("when a worker hangs and is killed, the other continues to serve, and a new one takes its place", async () => {
    const [killed, other] = workers() as [number, number];
    const { failures } = await underLoad(async () => {
      process.kill(killed, "SIGSTOP");
      let answered = 0;
      const calls = Array.from({ length: 6 }, () =>
        call("/healthz").then(
          () => answered++,
          () => {},
        ),
      );
      // All but the one that may have been handed to the worker that hangs.
      await until(() => answered >= 5);
      process.kill(killed, "SIGKILL");
      await Promise.all(calls);
      await until(bothReady);
    });
    // At most what the killed worker was doing.
    expect(failures.length).toBeLessThanOrEqual(CLIENTS);
    for (const failure of failures) expect(failure).toMatch(/^(ECONNRESET|UND_ERR_SOCKET)/);
    expect(workers()).toEqual([other, expect.any(Number)]);
    expect(logged("worker exited unexpectedly")).toEqual([
      expect.objectContaining({ pid: primary.child.pid, worker: killed, signal: "SIGKILL", level: "error" }),
    ]);
    const { text } = await call("/metrics");
    expect(metric(text, "plugboard_worker_crashes_total")).toBe(1);
    expect(metric(text, proxied(200)), "counts of the killed worker").toBe(LIMIT);
  });

  it("SIGHUP replaces the workers one after the other, and no request fails", async () => {
    const before = workers();
    const unified = 'plugboard_requests_total{surface="unified",method="GET",status="200"}';
    const counted = metric((await call("/metrics")).text, unified);
    const { failures, answered } = await underLoad(async () => {
      primary.child.kill("SIGHUP");
      await until(() => logged("rolling restart: done").length === 1);
    });
    expect(failures).toEqual([]);
    expect(workers()).toHaveLength(2);
    expect(workers().filter((pid) => before.includes(pid))).toEqual([]);
    const value = async (name: string) => metric((await call("/metrics")).text, name);
    await expect.poll(() => value(unified), { message: "with the counts of the old workers" }).toBe(counted + answered);
    expect(await value("plugboard_worker_crashes_total")).toBe(1);
  });

  it("on SIGTERM all workers finish their requests, and no process is left", async () => {
    const pids = workers();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    upstream.answer(async (incoming, response) => {
      await released;
      answerJson("[]")(incoming, response);
    });
    const before = upstream.seen.length;
    const answers = callMany(4, "/unified/v1/git/repos?limit=1", "last");
    await until(() => upstream.seen.length === before + 4);
    primary.child.kill("SIGTERM");
    await until(() => logged("stopping: waiting for requests").filter(({ pid }) => pids.includes(pid)).length === 2);
    release();
    expect((await answers).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await primary.ended).toBe(0);
    expect(await answeredBy(4, "last")).toEqual(new Set(pids));
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    expect(primary.output.stderr).toBe("");
  });
});
