import { setImmediate as turn } from "node:timers/promises";
import type { RateLimit } from "../../../src/contracts/coordination.ts";
import { memoryLimits } from "../../../src/coordination/memory-limits.ts";
import type { WindowReply, WindowRequest } from "../../../src/coordination/redis-limits.ts";
import { createSharedLimits } from "../../../src/coordination/shared-limits.ts";
import { modelServer } from "./window-servers.ts";

/** Processes that share limits. Time passes only when a test or a pause says so. */
export function limitsWorld() {
  const server = modelServer();
  const processes: ReturnType<typeof startProcess>[] = [];
  let now = 0;

  function recall(message: { window: string; name: string }): void {
    for (const { recallsArrive, limits } of processes) if (recallsArrive) limits.recall(message);
  }

  function startProcess() {
    const requests: WindowRequest[] = [];
    const process = {
      /** What the process believes about Redis and about its subscription. */
      available: true,
      subscribed: true,
      /** Whether its requests reach Redis, and recalls reach it. Replies wait for `delay`. */
      requestsArrive: true,
      recallsArrive: true,
      delay: Promise.resolve(),
    };
    let tidy = () => {};

    async function exchange(batch: WindowRequest[]): Promise<WindowReply[] | undefined> {
      requests.push(...batch);
      if (!process.requestsArrive) return undefined;
      const replies: WindowReply[] = [];
      for (const request of batch) {
        const { reply, recalled } = await server.execute(request, now);
        replies.push(reply);
        if (recalled) recall({ window: reply.window, name: request.name });
      }
      await process.delay;
      return replies;
    }

    const limits = createSharedLimits({
      prefix: "",
      available: () => process.available,
      mayReserve: () => process.subscribed,
      exchange,
      countInProcess: memoryLimits(),
      clock: {
        now: () => now,
        defer: setImmediate,
        later(run, ms) {
          now += ms;
          setImmediate(run);
        },
        every(run) {
          tidy = run;
          return () => {};
        },
      },
    });
    return Object.assign(process, { limits, requests, tidy: () => tidy() });
  }

  return {
    start() {
      const process = startProcess();
      processes.push(process);
      return process;
    },
    /** Lets time pass, and everything end that is under way. */
    async pass(ms: number): Promise<void> {
      now += ms;
      for (let turns = 0; turns < 10; turns++) await turn();
    },
    /** A second without any other event. */
    async second(): Promise<void> {
      await this.pass(1000);
      for (const process of processes) process.tidy();
      await this.pass(0);
    },
  };
}

export type LimitsProcess = ReturnType<ReturnType<typeof limitsWorld>["start"]>;

/** Makes calls one at a time, and returns how many of them were allowed. */
export async function callInTurn({ limits }: LimitsProcess, key: string, limit: RateLimit, count: number) {
  let allowed = 0;
  for (let call = 0; call < count; call++) if ((await limits.consume(key, limit)).allowed) allowed += 1;
  return allowed;
}
