import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createRandom } from "../../test/chaos/random.ts";
import { simulate } from "../../test/support/limits/simulation.ts";
import { modelServer, scriptServer } from "../../test/support/limits/window-servers.ts";
import { testRedis } from "../../test/support/redis.ts";
import type { Coordination, RateLimit } from "../contracts/coordination.ts";
import { createCoordination } from "./index.ts";

const RUNS = Number(process.env.LIMIT_RUNS ?? 60) / 6;
const server = await testRedis();
const prefix = `plugboard-test-${randomUUID()}:`;
const channel = `${prefix}script`;
const limit = { points: 100, seconds: 600 };
const log = { info: vi.fn(), warn: vi.fn() };

describe.skipIf(!server)("rate limits in Redis", () => {
  let redis: Redis;
  let subscriber: Redis;
  const opened: Coordination[] = [];
  beforeAll(async () => {
    redis = new Redis(server!.url);
    subscriber = new Redis(server!.url);
    subscriber.setMaxListeners(0);
    await subscriber.subscribe(channel);
  });
  afterAll(async () => {
    await Promise.all(opened.map((coordination) => coordination.close()));
    redis.disconnect();
    subscriber.disconnect();
    await server!.drop();
  });

  async function open(): Promise<Coordination> {
    const coordination = await createCoordination({ redisUrl: server!.url, prefix, store: {} as never, log });
    opened.push(coordination);
    return coordination;
  }

  /** Makes calls one at a time, and returns how many were allowed. */
  async function callInTurn({ consume }: Coordination, key: string, count: number, by: RateLimit = limit) {
    let allowed = 0;
    for (let call = 0; call < count; call++) if ((await consume(key, by)).allowed) allowed += 1;
    return allowed;
  }

  const stored = (key: string) => redis.hgetall(`${prefix}limit:${limit.points}/${limit.seconds}:${key}`);

  it("the script answers random requests exactly as the model does that other tests use", async () => {
    const script = scriptServer(redis, subscriber, channel);
    const model = modelServer();
    const random = createRandom(1);
    const names = ["one", "two", "three"].map((name) => `${prefix}${randomUUID()}:${name}`);
    /** The model has ids of its own for windows. */
    const ids = new Map<string, string>([["", ""]]);
    const held = new Map<string, { window: string; points: number }>();
    for (let now = 0; now < 10_000; now += random.between(1, 40)) {
      const name = random.pick(names);
      const { window = "", points = 0 } = held.get(name) ?? {};
      const used = random.between(0, points);
      const request = {
        name,
        limit: { points: 50, seconds: 1 },
        window,
        calls: random.pick([0, 1, 1, 8]),
        reserve: random.pick([0, 4, 20]),
        used,
        returned: random.between(0, points - used),
      };
      const [real, modelled] = await Promise.all([
        script.execute(request, now),
        model.execute({ ...request, window: ids.get(window)! }, now),
      ]);
      ids.set(real.reply.window, modelled.reply.window);
      expect({ ...real, reply: { ...real.reply, window: modelled.reply.window } }).toEqual(modelled);
      const kept = real.reply.window === window ? points - used - request.returned : 0;
      held.set(name, { window: real.reply.window, points: kept + real.reply.reserved });
    }
    expect(ids.size).toBeGreaterThan(15);
  });

  it.each([
    { what: "in one long window", seconds: 3600, mortal: false },
    { what: "over many windows with processes that die or stop", seconds: 2, mortal: true },
  ])("the script allows each call as long as points are left, and none beyond, $what", async ({ seconds, mortal }) => {
    for (let seed = 1; seed <= RUNS; seed++) {
      const random = createRandom(seed);
      const points = random.pick([2, 20, 100]);
      const run = await simulate({
        random,
        server: scriptServer(redis, subscriber, channel),
        key: `${prefix}${randomUUID()}`,
        limit: { points, seconds },
        processes: 3,
        calls: 2 * points,
        mortal,
      });
      await run.idle();
      await run.exhaust();
      if (!mortal) expect(run.windows, `seed ${seed}`).toMatchObject([{ allowed: points }]);
    }
  });

  it("a thousand calls one at a time with a large limit take fewer than fifty commands, and all but a few no promise", async () => {
    const coordination = await open();
    const key = randomUUID();
    const monitor = await redis.monitor();
    let commands = 0;
    const marker = randomUUID();
    const seenAll = new Promise<void>((resolve) => {
      monitor.on("monitor", (_, args: string[], source: string) => {
        if (source !== "lua" && args.some((arg) => arg.includes(key))) commands += 1;
        if (args.includes(marker)) resolve();
      });
    });
    let promises = 0;
    for (let call = 1; call <= 1000; call++) {
      const counted = coordination.consume(key, { points: 100_000, seconds: 600 });
      if (counted instanceof Promise) promises += 1;
      expect(await counted).toMatchObject({ allowed: true, remaining: 100_000 - call });
    }
    await redis.echo(marker);
    await seenAll;
    monitor.disconnect();
    expect(commands).toBeGreaterThan(1);
    expect(commands).toBeLessThan(50);
    expect(promises).toBeLessThanOrEqual(commands);
  });

  it("exactly as many calls as the limit allows pass in two processes, one of which has reserved points", async () => {
    const [here, there] = await Promise.all([open(), open()]);
    const key = randomUUID();
    expect(await callInTurn(here, key, 30)).toBe(30);
    expect(await callInTurn(there, key, 80)).toBe(70);
    expect(await callInTurn(here, key, 1)).toBe(0);
    expect(await stored(key)).toMatchObject({ given: "100", reserved: "0" });
  });

  it("a process that stops returns its points", async () => {
    const here = await open();
    const key = randomUUID();
    await callInTurn(here, key, 30);
    await here.close();
    expect(await stored(key)).toMatchObject({ given: "30", reserved: "0" });
  });

  it("points that are not used are returned without any further call", async () => {
    const here = await open();
    const key = randomUUID();
    await callInTurn(here, key, 30);
    await vi.waitFor(async () => expect(await stored(key)).toMatchObject({ given: "30", reserved: "0" }), {
      timeout: 10_000,
    });
  });
});
