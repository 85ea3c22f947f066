import { setTimeout as wait } from "node:timers/promises";
import { checkFootprint, checkOutputs, checkPromises, type Footprint, footprintOf } from "./checks.ts";
import { type Blow, describeBlow, makePlan, targets } from "./plan.ts";
import { createRandom } from "./random.ts";
import { createTimeline, type Timeline } from "./timeline.ts";
import { createTraffic } from "./traffic.ts";
import { createWorld, type World } from "./world.ts";

export interface ChaosOptions {
  seed: number;
  /** How long things are killed and paused. */
  milliseconds: number;
  connections: number;
  upstreamTimeoutMs: number;
  tokenSeconds: number;
  log(line: string): void;
}

export interface ChaosReport {
  /** Empty where all went well. */
  problems: string[];
  /** How often each kind of call ended in each way. */
  counts: Record<string, number>;
  blows: number;
  /** Bursts during which the limit could be checked. */
  bursts: number;
  tokenRequests: number;
  /** Renewals that died with the process that had just received them. */
  lostRenewals: number;
  before: Footprint[];
  after: Footprint[];
}

/** Runs the whole suite once. Undefined where there is no Postgres or Redis to start. */
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

    world.provider.setFaulty(true);
    traffic.start();
    const started = Date.now();
    await Promise.all(
      targets.map(async (target) => {
        // One after the other, since it may take its time to come back.
        for (const blow of plan.filter((each) => each.target === target)) {
          await wait(Math.max(0, started + blow.at - Date.now()));
          // On a busy machine it may come back so late that the time is up.
          if (Date.now() > started + milliseconds) return;
          log(describeBlow(blow));
          await strike(world, timeline, blow);
        }
      }),
    );
    world.provider.setFaulty(false);
    await traffic.stop();
    await fetch(`${world.emulator.url}/_faults`, { method: "DELETE" });
    log("all is up again: checking");

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
      blows: timeline.count(),
      bursts: traffic.bursts(),
      tokenRequests: [...world.provider.refreshTokens.values()].reduce((sum, { requests }) => sum + requests.length, 0),
      lostRenewals: lost.size,
      before,
      after,
    };
  } finally {
    await world.close();
  }
}

/** Does what the plan says, until the target is back. */
async function strike({ members, redis, postgres }: World, timeline: Timeline, blow: Blow): Promise<void> {
  const { target, kind, lasts } = blow;
  const member = members.find(({ name }) => name === target);
  const outage = timeline.begin(target, kind);
  const servers = {
    redis: { kill: redis.stop, start: redis.start, pause: redis.freeze, goOn: redis.thaw },
    postgres: { kill: postgres.kill, start: postgres.start, pause: postgres.freeze, goOn: postgres.thaw },
  };
  const struck = member ?? servers[target as keyof typeof servers];
  if (kind === "pause") {
    struck.pause();
    await wait(lasts);
    struck.goOn();
  } else {
    await (kind === "restart" ? member!.stop() : struck.kill());
    await wait(lasts);
    await struck.start();
  }
  outage.end();
}
