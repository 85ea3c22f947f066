// Starts and stops what the benchmark runs against, each in a process of its own.
import { type ChildProcess, fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LoadOrder, LoadResult } from "./load.ts";

const here = import.meta.dirname;
const manifest = JSON.parse(readFileSync(join(here, "..", "package.json"), "utf8")) as { scripts: { start: string } };
const started: ChildProcess[] = [];

export function stopAll(): void {
  for (const child of started) child.kill();
}

/** A script of this folder that announces its port. */
export async function serve(script: string, ...args: string[]): Promise<number> {
  const child = fork(join(here, script), args);
  started.push(child);
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  return port;
}

export async function startLoader(): Promise<(order: LoadOrder) => Promise<LoadResult>> {
  const child = fork(join(here, "load.ts"));
  started.push(child);
  await once(child, "message");
  return async (order) => {
    child.send(order);
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
}

const memoryOf = (pid: number) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;

/** Plugboard as a user starts it, every check on, with limits out of the way. */
export async function startPlugboard(env: Record<string, string>): Promise<Running> {
  const port = await freePort();
  const [, ...args] = manifest.scripts.start.split(" ");
  const child = spawn(process.execPath, args, {
    cwd: join(here, ".."),
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
  started.push(child);
  for (let tries = 0; ; tries++) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) break;
    if (tries > 200) throw new Error("Plugboard does not get ready");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const pid = child.pid!;
  return { port, pid, memory: () => memoryOf(pid) };
}

/** nginx as a reverse proxy with keep-alive to the upstream; undefined where it is not installed. */
export async function startNginx(upstream: number): Promise<number | undefined> {
  if (spawnSync("nginx", ["-v"]).error) return undefined;
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "plugboard-bench-nginx-"));
  const file = join(folder, "nginx.conf");
  writeFileSync(
    file,
    `worker_processes 1; daemon off; pid ${folder}/pid; error_log stderr crit;
events { worker_connections 1024; }
http {
  access_log off; client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c;
  uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e; keepalive_requests 1000000000; proxy_buffers 64 16k;
  upstream provider { server 127.0.0.1:${upstream}; keepalive 256; keepalive_requests 1000000000; }
  server { listen 127.0.0.1:${port}; location / { proxy_pass http://provider; proxy_http_version 1.1; proxy_set_header Connection ""; } }
}`,
  );
  const child = spawn("nginx", ["-c", file, "-p", folder], { stdio: ["ignore", "ignore", "inherit"] });
  started.push(child);
  await new Promise((resolve) => setTimeout(resolve, 300));
  return port;
}
