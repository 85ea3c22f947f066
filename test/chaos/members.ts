import { once } from "node:events";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { launch, printed } from "../support/command.ts";
import { freePort } from "../support/postgres.ts";

const observer = pathToFileURL(join(import.meta.dirname, "observe.ts")).href;
const STORE_AWAY = "The database is unavailable";
/** A stop waits for requests and refreshes under way; this is more than both take. */
const MAX_STOP_MS = 60_000;

interface Life {
  name: string;
  child: ReturnType<typeof launch>["child"];
  output: ReturnType<typeof launch>["output"];
  ended: Promise<unknown>;
  /** Whether its end is wanted. */
  doomed: boolean;
}

/** A Plugboard process that is killed, paused and restarted, and comes back each time at the same address. */
export async function startMember(name: string, env: Record<string, string>, report: (problem: string) => void) {
  const port = await freePort();
  const lives: Life[] = [];
  /** When each life was killed, by its name. */
  const killedAt = new Map<string, number>();
  let life: Life;

  function begin(): Life {
    const own = { ...env, PORT: String(port), CHAOS_PROCESS: `${name} ${lives.length + 1}` };
    const { child, output } = launch(["start"], { ...own, NODE_OPTIONS: `--import ${observer}` });
    const started: Life = {
      name: own.CHAOS_PROCESS,
      child,
      output,
      ended: once(child, "close"),
      doomed: false,
    };
    lives.push(started);
    return started;
  }

  /** As a service manager does: a start that fails since the database is away is tried again. */
  async function start(): Promise<void> {
    for (;;) {
      life = begin();
      const { child, output, ended, name: lifeName } = life;
      const ready = printed(child, output, /ready at (\S+)\n/);
      if (await Promise.race([ready.then(() => true), ended.then(() => false)])) {
        const current = life;
        ended.then(() => {
          if (!current.doomed) report(`${lifeName} ended by itself with ${child.exitCode ?? child.signalCode}`);
        });
        return;
      }
      life.doomed = true;
      if (!output.stderr.includes(STORE_AWAY)) return report(`${lifeName} did not start: ${output.stderr}`);
      await wait(200);
    }
  }

  await start();
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    killedAt,
    start,
    pid: () => life.child.pid!,
    async kill() {
      life.doomed = true;
      killedAt.set(life.name, Date.now());
      life.child.kill("SIGKILL");
      await life.ended;
    },
    /** As a service manager does. */
    async stop() {
      life.doomed = true;
      life.child.kill("SIGTERM");
      const inTime = await Promise.race([life.ended.then(() => true), wait(MAX_STOP_MS, false, { ref: false })]);
      if (!inTime) {
        report(`${life.name} did not stop in ${MAX_STOP_MS / 1000} s`);
        return this.kill();
      }
      if (life.child.exitCode !== 0)
        report(`${life.name} stopped with ${life.child.exitCode ?? life.child.signalCode}`);
    },
    pause: () => life.child.kill("SIGSTOP"),
    goOn: () => life.child.kill("SIGCONT"),
    /** What all of its lives wrote. */
    outputs: () => lives.map(({ name: lifeName, output }) => ({ name: lifeName, ...output })),
    /** Megabytes of heap in use after a collection. */
    async heap(): Promise<number> {
      life.child.kill("SIGUSR2");
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(text)![1]) / 2 ** 20;
    },
    memory: () => Number(/VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${life.child.pid}/status`, "utf8"))![1]) / 1024,
    sockets(): number {
      const folder = `/proc/${life.child.pid}/fd`;
      return readdirSync(folder).filter((handle) => targetOf(join(folder, handle)).startsWith("socket:")).length;
    },
  };
}

export type ChaosMember = Awaited<ReturnType<typeof startMember>>;

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    // Closed since.
    return "";
  }
}
