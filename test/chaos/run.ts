import { setTimeout as wait } from "node:timers/promises";
import { checkFootprint, checkOutputs, checkPromises, type Footprint, footprintOf } from "./checks.ts";
import { createKeyedWrites } from "./keyed-writes.ts";
import { describeOutage, makePlan, type PlannedOutage, targets } from "./plan.ts";
import { createRandom } from "./random.ts";
import { createTimeline, type Timeline } from "./timeline.ts";
import { createTraffic } from "./traffic.ts";
import { createWorld, type World } from "./world.ts";

export interface ChaosOptions {
  seed: number;
  /** How long outages are injected. */
  milliseconds: number;
  connections: number;
  /** How many writes with an idempotency key are made meanwhile. */
  writes: number;
  upstreamTimeoutMs: number;
  tokenSeconds: number;
  log(line: string): void;
}

export interface ChaosReport {
  /** Empty if every promise was kept. */
  problems: string[];
  /** Calls by kind and outcome. */
  counts: Record<string, number>;
  outages: number;
  /** Bursts in which the rate limit could be checked. */
  bursts: number;
  tokenRequests: number;
  /** What became of the writes with an idempotency key. */
  keyedWrites: { written: number; unknown: number; unknownButThere: number; repeated: number };
  /** Refreshed tokens that were lost with the process that had just received them. */
  lostRefreshes: number;
  before: Footprint[];
  after: Footprint[];
}

/** Runs the whole suite once. Undefined if Postgres or Redis is not installed. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport | undefined> {
  const { seed, milliseconds, log } = options;
  const problems: string[] = [];
  const report = (problem: string) => {
    if (problems.length < 100) problems.push(problem);
    log(`PROBLEM  ${problem}`);
  };
  const plan = makePlan(seed, milliseconds);
  const random = createRandom(seed + 1);
  const world = await createWorld({ ...options, random, report });
  if (!world) return undefined;
  try {
    const timeline = createTimeline();
    const traffic = createTraffic({ world, random, timeline, report });
    for (const target of world.connected) await traffic.list(world.members[1]!, target);
    const before = await Promise.all(world.members.map(footprintOf));

    const keyedWrites = createKeyedWrites({ ...options, world, traffic, random, count: options.writes, report });
    world.provider.setFaulty(true);
    traffic.start();
    const writing = keyedWrites.run();
    const started = Date.now();
    await Promise.all(
      targets.map(async (target) => {
        // One after the other, because a target may take a while to come back.
        for (const outage of plan.filter((each) => each.target === target)) {
          await wait(Math.max(0, started + outage.at - Date.now()));
          // On a busy machine a target may come back after the time is up.
          if (Date.now() > started + milliseconds) return;
          log(describeOutage(outage));
          await inject(world, timeline, outage);
        }
      }),
    );
    world.provider.setFaulty(false);
    await traffic.stop();
    await writing;
    await fetch(`${world.emulator.url}/_faults`, { method: "DELETE" });
    log("everything is up again: checking");

    const keyed = keyedWrites.check();
    const { lost } = await checkPromises(world, traffic, report);
    await Promise.all([traffic.close(), world.emulator.stop(), world.provider.close()]);
    const after = await Promise.all(
      world.members.map((member, index) => checkFootprint(member, before[index]!, report)),
    );
    await Promise.all(world.members.map((member) => member.stop()));
    checkOutputs(world.members, report);
    return {
      problems,
      counts: Object.fromEntries([...traffic.counts].sort()),
      outages: timeline.count(),
      bursts: traffic.bursts(),
      tokenRequests: [...world.provider.refreshTokens.values()].reduce((sum, { requests }) => sum + requests.length, 0),
      keyedWrites: keyed,
      lostRefreshes: lost.size,
      before,
      after,
    };
  } finally {
    await world.close();
  }
}

/** Injects an outage and waits until the target is back. */
async function inject(
  { members, redis, postgres }: World,
  timeline: Timeline,
  { target, kind, lasts }: PlannedOutage,
): Promise<void> {
  const member = members.find(({ name }) => name === target);
  const outage = timeline.begin(target, kind);
  const servers = {
    redis: { kill: redis.stop, start: redis.start, pause: redis.freeze, resume: redis.thaw },
    postgres: { kill: postgres.kill, start: postgres.start, pause: postgres.freeze, resume: postgres.thaw },
  };
  const failing = member ?? servers[target as keyof typeof servers];
  if (kind === "pause") {
    failing.pause();
    await wait(lasts);
    failing.resume();
  } else {
    await (kind === "restart" ? member!.stop() : failing.kill());
    await wait(lasts);
    await failing.start();
  }
  outage.end();
}
