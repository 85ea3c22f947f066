import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "./random.ts";
import type { Traffic } from "./traffic.ts";
import type { Answer } from "./verdicts.ts";
import type { World } from "./world.ts";

/** What a client of a write saw. */
type Attempt = "no answer" | "lost" | "try again" | "in progress";

interface KeyedWrite {
  title: string;
  key: string;
  /** What happened before the final answer. */
  attempts: Attempt[];
  /** `refused`: the connection was lost for good, together with a process that had just refreshed its token. */
  outcome?: "written" | "unknown" | "refused";
}

const WORKERS = 4;
/** Longer than the lease of a process that was killed, and than every outage. */
const PATIENCE_MS = 90_000;

/** What an answer means for the client; undefined if it is final. */
function attemptOf({ status, body }: Answer): Attempt | undefined {
  const { code, reason } = body?.errors?.[0] ?? {};
  if (status === 200 || code === 7012 || reason === "connection_invalid") return undefined;
  if (code === 7011) return "in progress";
  // Certainly not carried out: over a limit, or the store or the token is unavailable. A provider's own 503 says nothing.
  if (status === 429 || status === 401 || code === 7005 || code === 7002) return "try again";
  return "lost";
}

interface KeyedWritesOptions {
  world: World;
  traffic: Pick<Traffic, "call">;
  random: Random;
  count: number;
  milliseconds: number;
  report(problem: string): void;
}

/** Clients that repeat each write with the same key until they get an answer, at any process. */
export function createKeyedWrites({ world, traffic, random, count, milliseconds, report }: KeyedWritesOptions) {
  const { members, connected, provider } = world;
  const writes: KeyedWrite[] = [];

  async function write(): Promise<void> {
    const target = random.pick(connected);
    const one: KeyedWrite = { title: randomUUID(), key: randomUUID(), attempts: [] };
    writes.push(one);
    const path = `/unified/v1/git/repos/${encodeURIComponent(`${target.account}/repository-0`)}/issues`;
    const deadline = Date.now() + PATIENCE_MS;
    while (Date.now() < deadline) {
      const answer = await traffic.call(random.pick(members), path, {
        method: "POST",
        key: target.key,
        connection: target.id,
        idempotencyKey: one.key,
        body: { title: one.title },
      });
      const attempt = answer ? attemptOf(answer) : "no answer";
      if (attempt === undefined) {
        one.outcome = ({ 200: "written", 409: "unknown", 404: "refused" } as const)[answer!.status];
        if (one.outcome === "written" && answer!.body.response?.data?.title !== one.title)
          report(`the write ${one.title} got the answer to another one: ${JSON.stringify(answer!.body)}`);
        return;
      }
      one.attempts.push(attempt);
      await wait(random.between(20, 300));
    }
  }

  /** Spreads the writes over the time of the outages. */
  async function work(share: number): Promise<void> {
    for (let made = 0; made < share; made++) {
      await write();
      await wait(random.between(0, (milliseconds / share) * 0.6));
    }
  }

  return {
    run: () => Promise.all(Array.from({ length: WORKERS }, () => work(Math.ceil(count / WORKERS)))),

    /** Nothing is written twice, nothing answered is missing, and an unknown outcome has a reason. */
    check() {
      for (const { title, attempts, outcome } of writes) {
        const times = provider.issues.get(title)?.length ?? 0;
        const history = attempts.join(", ") || "none";
        if (times > 1) report(`the issue ${title} was written ${times} times (attempts: ${history})`);
        if (outcome === undefined) report(`the write ${title} got no final answer (attempts: ${history})`);
        if (outcome === "written" && times !== 1) report(`the issue ${title} was confirmed and is not there`);
        if (outcome === "unknown" && !attempts.some((attempt) => attempt === "no answer" || attempt === "lost"))
          report(`the outcome of ${title} is unknown without a reason (attempts: ${history})`);
      }
      const of = (outcome: KeyedWrite["outcome"]) => writes.filter((one) => one.outcome === outcome);
      return {
        written: of("written").length,
        unknown: of("unknown").length,
        /** Unknown ones that are at the provider. */
        unknownButThere: of("unknown").filter(({ title }) => provider.issues.has(title)).length,
        repeated: writes.filter(({ attempts }) => attempts.length > 0).length,
      };
    },
  };
}
