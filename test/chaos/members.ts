import { once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { freePort } from "../support/postgres.ts";
import { launch, residentMegabytes, waitForOutput } from "../support/process.ts";

const observer = pathToFileURL(join(import.meta.dirname, "observe.ts")).href;
const STORE_UNAVAILABLE = "The database is unavailable";
/** More than requests and refreshes in flight take, which a stop waits for. */
const MAX_STOP_MS = 60_000;

/** One run of the process, from its start to its end. */
interface Life {
  name: string;
  child: ReturnType<typeof launch>["child"];
  output: ReturnType<typeof launch>["output"];
  ended: Promise<unknown>;
  /** Whether its end is expected. */
  ending: boolean;
}

/** A Plugboard process that can be killed, paused and restarted, always at the same address. */
export async function startMember(name: string, env: Record<string, string>, report: (problem: string) => void) {
  let port = await freePort();
  const lives: Life[] = [];
  /** When each life was killed, by its name. */
  const killedAt = new Map<string, number>();
  let life: Life;
  let hasStarted = false;

  function launchLife(): Life {
    const own = { ...env, PORT: String(port), CHAOS_PROCESS: `${name} ${lives.length + 1}` };
    const { child, output } = launch(["start"], { ...own, NODE_OPTIONS: `--import ${observer}` });
    const started: Life = {
      name: own.CHAOS_PROCESS,
      child,
      output,
      ended: once(child, "close"),
      ending: false,
    };
    lives.push(started);
    return started;
  }

  /**
   * Retries a start that fails because the database is unavailable, as a service manager does, or because somebody else
   * has taken the port. Only its first start can choose another one.
   */
  async function start(): Promise<void> {
    for (;;) {
      life = launchLife();
      const { child, output, ended, name: lifeName } = life;
      const ready = waitForOutput(child, output, /ready at ([^\s"]+)/);
      if (await Promise.race([ready.then(() => true), ended.then(() => false)])) {
        hasStarted = true;
        const current = life;
        ended.then(() => {
          if (!current.ending) report(`${lifeName} ended by itself with ${child.exitCode ?? child.signalCode}`);
        });
        return;
      }
      life.ending = true;
      const isPortTaken = output.stderr.includes("EADDRINUSE");
      if (!isPortTaken && !output.stderr.includes(STORE_UNAVAILABLE))
        return report(`${lifeName} did not start: ${output.stderr}`);
      if (isPortTaken && !hasStarted) port = await freePort();
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
      life.ending = true;
      killedAt.set(life.name, Date.now());
      life.child.kill("SIGKILL");
      await life.ended;
    },
    /** Stops it with SIGTERM, as a service manager does. */
    async stop() {
      life.ending = true;
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
    resume: () => life.child.kill("SIGCONT"),
    /** What each of its lives wrote. */
    outputs: () => lives.map(({ name: lifeName, output }) => ({ name: lifeName, ...output })),
    /** Heap in use after a garbage collection, in megabytes. */
    async heap(): Promise<number> {
      life.child.kill("SIGUSR2");
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(text)![1]) / 2 ** 20;
    },
    memory: () => residentMegabytes(life.child),
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
    // Closed in the meantime.
    return "";
  }
}
