// The packed package as somebody gets it who has nothing but Node: installed into an empty folder, and started there.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { run } from "./run.ts";

export interface Installed {
  folder: string;
  /** Packages that npm has installed. */
  packages: number;
  bytes: number;
  seconds: number;
  /** Runs `npx plugboard` until it ends, and returns what it prints. */
  plugboard(...args: string[]): string;
  /** `npx plugboard start`, once it is ready. */
  start(env?: Record<string, string>): Promise<RunningPackage>;
  remove(): void;
}

export interface RunningPackage {
  url: string;
  /** From the command to the line that it is ready. */
  seconds: number;
  stop(): Promise<void>;
}

/** Neither this checkout's modules nor its programs, but the Node that runs this. */
function bareEnvironment(): Record<string, string> {
  const others = process.env.PATH!.split(delimiter).filter((entry) => !entry.includes("node_modules"));
  const { HOME = tmpdir() } = process.env;
  return { PATH: [dirname(process.execPath), ...others].join(delimiter), HOME, npm_config_update_notifier: "false" };
}

const secondsSince = (start: number) => (performance.now() - start) / 1000;

/** `npm i FILE` in an empty folder. Nothing is downloaded: the package has no dependencies. */
export function installPackage(file: string): Installed {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-installed-"));
  const env = bareEnvironment();
  const start = performance.now();
  run("npm", ["install", "--offline", "--no-audit", "--no-fund", file], folder, env);
  const seconds = secondsSince(start);
  const files = readdirSync(join(folder, "node_modules"), { recursive: true, withFileTypes: true });
  const sizes = files
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
  const listed = JSON.parse(run("npm", ["ls", "--all", "--json"], folder, env));
  return {
    folder,
    packages: countPackages(listed),
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    seconds,
    plugboard: (...args) => run("npx", ["--offline", "plugboard", ...args], folder, env),
    start: (more = {}) => startInstalled(folder, { ...env, ...more }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

interface Listed {
  dependencies?: Record<string, Listed>;
}

const countPackages = ({ dependencies = {} }: Listed): number =>
  Object.values(dependencies).reduce((sum, child) => sum + 1 + countPackages(child), 0);

async function startInstalled(folder: string, env: Record<string, string>): Promise<RunningPackage> {
  const began = performance.now();
  // A group of its own, because npx starts a shell, which starts Node.
  const child = spawn("npx", ["--offline", "plugboard", "start"], {
    cwd: folder,
    env: { PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const closed = once(child, "close");
  let [stdout, stderr] = ["", ""];
  child.stderr.on("data", (data) => {
    stderr += data;
  });
  const ready = new Promise<string>((resolve) => {
    child.stdout.on("data", (data) => {
      stdout += data;
      const [, url] = /ready at ([^\s"]+)/.exec(stdout) ?? [];
      if (url) resolve(url);
    });
  });
  const url = await Promise.race([
    ready,
    closed.then(([code]) => {
      throw new Error(`plugboard start ended with ${code}: ${stderr}${stdout}`);
    }),
  ]);
  return {
    url,
    seconds: secondsSince(began),
    async stop() {
      process.kill(-child.pid!, "SIGTERM");
      await closed;
    },
  };
}
