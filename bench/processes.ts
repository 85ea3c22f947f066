// Starts and stops the servers of the benchmark, each in its own process.
import { type ChildProcess, fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { endWithBenchmark, temporaryFolder } from "./clean-up.ts";
import type { LoadOptions, LoadResult } from "./load.ts";
import { isWrkInstalled, loadWithWrk } from "./wrk.ts";

const here = import.meta.dirname;
const manifest = JSON.parse(readFileSync(join(here, "..", "package.json"), "utf8")) as { scripts: { start: string } };
/** What `npm start` passes to Node. */
export const [, ...launchArguments] = manifest.scripts.start.split(" ");

/**
 * Runs a script of this folder that announces its port. Like Plugboard, it keeps its optimized code while it waits for
 * the next round.
 */
export async function serve(script: string, ...args: string[]): Promise<Running> {
  const execArgv = ["--no-memory-reducer-favors-memory"];
  const child = endWithBenchmark(fork(join(here, script), args, { execArgv }));
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return watch(child, port);
}

export type Load = (options: LoadOptions) => Promise<LoadResult>;

export interface LoadGenerator {
  name: string;
  load: Load;
}

export async function startLoadGenerator(): Promise<LoadGenerator> {
  const own = await startLoader();
  // wrk cannot send each request once.
  return isWrkInstalled()
    ? { name: "wrk", load: (options) => (options.each ? own(options) : loadWithWrk(options)) }
    : { name: "bench/load.ts", load: own };
}

async function startLoader(): Promise<Load> {
  const child = endWithBenchmark(fork(join(here, "load.ts")));
  await once(child, "message");
  return async (options) => {
    child.send(options);
    const [result] = await once(child, "message");
    return result as LoadResult;
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as { port: number };
  probe.close();
  await once(probe, "close");
  return port;
}

export interface Running {
  port: number;
  pid: number;
  /** Resident memory in MB. */
  memory(): number;
  /** CPU time used so far, user and system, as the operating system counts it. */
  cpuMs(): number;
  stop(): Promise<void>;
}

const TICK_MS = 10;

/** What the operating system says about a process. */
export const watchProcess = (pid: number): Pick<Running, "memory" | "cpuMs"> => ({
  memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024,
  cpuMs() {
    // https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html: the 14th and 15th field, 12 and 13 after the name.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  },
});

const watch = (child: ChildProcess, port: number): Running => ({
  port,
  pid: child.pid!,
  ...watchProcess(child.pid!),
  async stop() {
    const ended = once(child, "exit");
    child.kill();
    await ended;
  },
});

const bundled = new Set<string>();

/** As after an installation: a checkout whose sources have changed since then would run slower, from its sources. */
function bundle(folder: string): void {
  if (bundled.has(folder)) return;
  bundled.add(folder);
  spawnSync(process.execPath, [join(folder, "bin/plugboard.js"), "warm"], { stdio: ["ignore", "ignore", "inherit"] });
}

/** Plugboard as `npm start` runs it, with every check on and rate limits out of the way. */
export async function startPlugboard(
  env: Record<string, string>,
  nodeArguments: string[] = [],
  folder = join(here, ".."),
): Promise<Running> {
  bundle(folder);
  const port = await freePort();
  const flags = launchArguments.slice(0, -2);
  const child = spawn(process.execPath, [...flags, ...nodeArguments, ...launchArguments.slice(-2)], {
    cwd: folder,
    env: {
      ...process.env,
      ...env,
      PORT: String(port),
      SANDBOX: "off",
      ALLOW_PRIVATE_UPSTREAMS: "true",
      RATE_LIMIT: "100000000/60",
      UNIFIED_RATE_LIMIT: "100000000/60",
      LOG_LEVEL: "warn",
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  endWithBenchmark(child);
  for (let tries = 0; ; tries++) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) break;
    if (tries > 200) throw new Error("Plugboard did not become ready");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return watch(child, port);
}

/** nginx as a reverse proxy with keep-alive to the upstream; undefined if it is not installed. */
export async function startNginx(upstream: number): Promise<Running | undefined> {
  if (spawnSync("nginx", ["-v"]).error) return undefined;
  const port = await freePort();
  const folder = temporaryFolder();
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    `master_process off; daemon off; pid ${folder}/pid; error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off; client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c;
  uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e; keepalive_requests 1000000000; proxy_buffers 64 16k;
  upstream provider { server 127.0.0.1:${upstream}; keepalive 256; keepalive_requests 1000000000; }
  server { listen 127.0.0.1:${port}; location / { proxy_pass http://provider; proxy_http_version 1.1; proxy_set_header Connection ""; } }
}`,
  );
  const child = endWithBenchmark(
    spawn("nginx", ["-c", file, "-p", folder], { stdio: ["ignore", "ignore", "inherit"] }),
  );
  await new Promise((resolve) => setTimeout(resolve, 300));
  return watch(child, port);
}
