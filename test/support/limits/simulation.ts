// Processes that share a rate limit, with a network and a clock that a seed determines. Every call is judged when it is
// answered: an allowed one must be within the limit of the window at that time, and a refused one must be over it.
import { setImmediate as turn } from "node:timers/promises";
import type { CountedCall } from "../../../src/contracts/coordination.ts";
import type { WindowReply, WindowRequest } from "../../../src/coordination/redis-limits.ts";
import { createSharedLimits } from "../../../src/coordination/shared-limits.ts";
import type { Random } from "../../chaos/random.ts";
import type { WindowServer } from "./window-servers.ts";

export interface SimulationOptions {
  random: Random;
  server: WindowServer;
  /** Tells this run's windows from those of others. */
  key: string;
  limit: { points: number; seconds: number };
  processes: number;
  calls: number;
  /** Whether processes die, and are stopped and replaced. */
  mortal: boolean;
}

interface Window {
  id: string;
  endsAt: number;
  /** Calls that were allowed, and those that were made. */
  allowed: number;
  /** Points that each process has reserved and neither used nor returned. */
  held: Map<Process, number>;
}

interface Process {
  limits: ReturnType<typeof createSharedLimits>;
  alive: boolean;
  /** A process that stops gets no more calls. */
  stopping: boolean;
  /** Messages on one connection stay in order: these are the times of the last ones. */
  arrival: { request: number; reply: number; recall: number };
  answered: CountedCall[];
  lowest: { window: string; remaining: number };
}

const MAX_LATENCY_MS = 10;
/** Longer than it takes until a process returns what it does not use. */
const IDLE_MS = 5000;

export async function simulate(options: SimulationOptions) {
  const { random, server, key, limit, calls } = options;
  const length = limit.seconds * 1000;
  let now = 0;
  const events: { at: number; run: () => unknown }[] = [];
  const windows: Window[] = [];
  const processes: Process[] = [];
  const stopped: Promise<void>[] = [];
  let made = 0;
  let lastCallAt = 0;
  let synchronous = 0;
  let commands = 0;

  const at = (time: number, run: () => unknown) => {
    const index = events.findLastIndex((event) => event.at <= time);
    events.splice(index + 1, 0, { at: time, run });
  };
  const latency = () => random.next() * random.pick([0.5, 2, MAX_LATENCY_MS]);
  const current = () => windows.findLast(({ endsAt }) => endsAt > now);
  function fail(problem: string): never {
    throw new Error(`${problem} at ${now.toFixed(3)} ms, in ${JSON.stringify(windows.at(-1))}`);
  }

  const add = (window: Window, process: Process, points: number) =>
    window.held.set(process, (window.held.get(process) ?? 0) + points);

  function allow(window: Window | undefined): void {
    if (!window) fail("a call was allowed with a point of a window that has ended");
    window.allowed += 1;
    if (window.allowed > limit.points) fail("too many calls were allowed");
  }

  function useReserved(process: Process): void {
    const window = current();
    allow(window);
    add(window!, process, -1);
    if (window!.held.get(process)! < 0) fail("a process used a point that it did not have");
  }

  function judgeRefusal(window: Window | undefined): void {
    const lost = [...(window?.held ?? [])].reduce((sum, [{ alive }, points]) => (alive ? sum : sum + points), 0);
    if (!window || window.allowed + lost < limit.points) fail("a call was refused though points are left");
  }

  function judgeRemaining(process: Process, window: string, { allowed, remaining, resetSeconds }: CountedCall): void {
    if (resetSeconds < 1 || resetSeconds > limit.seconds) fail(`resetSeconds is ${resetSeconds}`);
    if (!allowed && remaining !== 0) fail("a refused call has points left");
    if (!allowed) return;
    if (process.lowest.window === window && remaining >= process.lowest.remaining) fail("remaining did not decrease");
    if (remaining >= limit.points) fail(`remaining is ${remaining}`);
    const { allowed: known } = windows.find(({ id }) => id === window)!;
    if (remaining < limit.points - known) fail("remaining is less than what is left");
    process.lowest = { window, remaining };
  }

  /** Executes a request, and counts what it gives away. */
  async function execute(process: Process, request: WindowRequest) {
    const { reply, recalled } = await server.execute(request, now);
    commands += 1;
    if (reply.window && windows.at(-1)?.id !== reply.window)
      windows.push({ id: reply.window, endsAt: now + length, allowed: 0, held: new Map() });
    const window = windows.at(-1)!;
    for (let call = 0; call < reply.counted; call++) allow(window);
    if (reply.window) add(window, process, reply.reserved - (request.window === reply.window ? request.returned : 0));
    if (recalled) for (const each of processes) deliverRecall(each, reply.window, request.name);
    return reply;
  }

  function deliverRecall(process: Process, window: string, name: string): void {
    process.arrival.recall = Math.max(process.arrival.recall, now + latency());
    at(process.arrival.recall, () => process.alive && process.limits.recall({ window, name }));
  }

  /** Calls that Redis did not count, and are allowed by a reply, have a reserved point. */
  async function deliverReplies(process: Process, replies: WindowReply[], resolve: (replies: WindowReply[]) => void) {
    resolve(replies);
    await turn();
    const allowed = process.answered.filter((each) => each.allowed).length;
    const counted = replies.reduce((sum, reply) => sum + reply.counted, 0);
    for (let call = counted; call < allowed; call++) useReserved(process);
    const window = windows.find(({ id }) => id === replies.at(-1)!.window);
    for (const each of process.answered) {
      judgeRemaining(process, window!.id, each);
      if (!each.allowed) judgeRefusal(window);
    }
    process.answered = [];
  }

  function start(): void {
    // Every clock has its own zero and its own speed.
    const [zero, speed] = [random.between(0, 1e6), 1 + (random.next() - 0.5) / 1000];
    const process: Process = {
      alive: true,
      stopping: false,
      arrival: { request: 0, reply: 0, recall: 0 },
      answered: [],
      lowest: { window: "", remaining: 0 },
      limits: createSharedLimits({
        prefix: "",
        available: () => true,
        mayReserve: () => true,
        countInProcess: () => fail("counted in the process"),
        exchange: (requests) =>
          new Promise((resolve) => {
            process.arrival.request = Math.max(process.arrival.request, now + latency());
            at(process.arrival.request, async () => {
              if (!process.alive && random.happens(0.5)) return;
              const replies: WindowReply[] = [];
              for (const request of requests) replies.push(await execute(process, request));
              process.arrival.reply = Math.max(process.arrival.reply, now + latency());
              at(process.arrival.reply, () => process.alive && deliverReplies(process, replies, resolve));
            });
          }),
        clock: {
          now: () => zero + now * speed,
          defer: (run) => at(now + random.next() * random.pick([0.1, 4]), () => process.alive && run()),
          later: (run, ms) => at(now + ms / speed, () => process.alive && run()),
          every(run, ms) {
            let ended = false;
            const repeat = () => {
              if (ended || !process.alive) return;
              run();
              at(now + ms / speed, repeat);
            };
            at(now + random.next() * ms, repeat);
            return () => {
              ended = true;
            };
          },
        },
      }),
    };
    processes.push(process);
  }

  function call(process: Process): void {
    if (!process.alive || process.stopping) return;
    made += 1;
    const counted = process.limits.consume(key, limit);
    if (counted instanceof Promise) {
      counted.then((each) => process.answered.push(each));
      return;
    }
    synchronous += 1;
    const window = current();
    if (counted.allowed) useReserved(process);
    else judgeRefusal(window);
    judgeRemaining(process, window!.id, counted);
  }

  /** Several calls to a process, at once or one after another. */
  function addSeries(): void {
    const process = random.pick(processes.filter(({ alive, stopping }) => alive && !stopping));
    const count = random.between(1, random.pick([1, 5, 40]));
    const gap = random.pick([0, 0.3, 1, 8, 50, 400]);
    for (let index = 0; index < count; index++) {
      const time = now + gap * index * (0.5 + random.next());
      lastCallAt = Math.max(lastCallAt, time);
      at(time, () => call(process));
    }
  }

  async function stop(process: Process): Promise<void> {
    process.stopping = true;
    await process.limits.close();
    process.alive = false;
    if ((current()?.held.get(process) ?? 0) > 0) fail("a process that was stopped kept points");
  }

  function endOne(): void {
    const process = random.pick(processes.filter(({ alive, stopping }) => alive && !stopping));
    if (random.happens(0.5)) process.alive = false;
    else stopped.push(stop(process));
    start();
  }

  async function runUntil(time: number): Promise<void> {
    while (events[0] && events[0].at <= time) {
      const event = events.shift()!;
      now = event.at;
      await event.run();
    }
    now = time;
  }

  for (let index = 0; index < options.processes; index++) start();
  while (made < calls) {
    addSeries();
    if (options.mortal && random.happens(0.05)) endOne();
    await runUntil(now + random.pick([0, 1, 10, 100, 400]));
  }
  return {
    windows,
    get synchronous() {
      return synchronous;
    },
    get commands() {
      return commands;
    },
    get made() {
      return made;
    },
    /** Calls every process until it refuses, one after another, or all of them at once. */
    async exhaust(): Promise<void> {
      for (const process of processes)
        for (let index = 0; index <= limit.points; index++) {
          call(process);
          await runUntil(now + random.pick([0, 0, 1, 5]));
        }
      await runUntil(now + IDLE_MS);
    },
    /** How many points are reserved when there have been no calls for a while. */
    async idle(): Promise<number> {
      await runUntil(lastCallAt + IDLE_MS);
      await Promise.all(stopped);
      return [...(windows.at(-1)?.held.values() ?? [])].reduce((sum, points) => sum + points, 0);
    },
  };
}
