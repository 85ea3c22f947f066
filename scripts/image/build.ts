// Runs the steps of the Dockerfile in folders, each a root file system of its own. Needs root, for chroot and mounts.
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, matchesGlob, relative, resolve } from "node:path";
import { run } from "../release/run.ts";
import { readPairs, type Stage, type Step } from "./dockerfile.ts";

export interface Image {
  root: string;
  workdir: string;
  user: string;
  env: Record<string, string>;
}

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const CA_FILE = "/tmp/extra-ca.pem";

/** Builds all stages, each on a copy of the base, and returns the last one. */
export function buildStages(stages: Stage[], base: string, context: string, folder: string): Image {
  const built = new Map<string | undefined, Image>();
  const isSent = dockerIgnore(readFileSync(join(context, ".dockerignore"), "utf8"));
  for (const stage of stages) {
    const root = join(folder, stage.name ?? "image");
    run("cp", ["--archive", base, root], folder);
    const image: Image = { root, workdir: "/", user: "root", env: { PATH } };
    for (const step of stage.steps) {
      const began = performance.now();
      apply(step, image, { built, context, isSent });
      if (step.word === "RUN" || step.word === "COPY")
        console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${step.word} ${step.text}`);
    }
    built.set(stage.name, image);
  }
  return built.get(stages.at(-1)!.name)!;
}

interface Surroundings {
  built: Map<string | undefined, Image>;
  context: string;
  isSent: (file: string) => boolean;
}

function apply(step: Step, image: Image, around: Surroundings): void {
  const { word, text } = step;
  if (word === "WORKDIR") {
    image.workdir = resolve(image.workdir, text);
    mkdirSync(join(image.root, image.workdir), { recursive: true });
  } else if (word === "USER") image.user = text;
  else if (word === "ENV") Object.assign(image.env, readPairs(text));
  else if (word === "COPY") copy(step, image, around);
  else if (word === "RUN") runInside(image, step.list ?? ["sh", "-c", text]);
}

/** Arguments for `unshare`: a command in a root, as a user, with nothing of this machine's environment. */
export function inside({ root, workdir, user, env }: Image, command: string[]): string[] {
  const pairs = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return [
    ...["--mount", "--pid", "--fork", "--kill-child", `--mount-proc=${root}/proc`],
    ...["chroot", root, "setpriv", `--reuid=${user}`, `--regid=${user}`, "--clear-groups", "--no-new-privs"],
    ...["env", "--ignore-environment", `--chdir=${workdir}`, ...pairs, ...command],
  ];
}

function runInside(image: Image, command: string[]): void {
  const { NODE_EXTRA_CA_CERTS: certificates } = process.env;
  const env = { ...image.env, HOME: "/tmp", ...(certificates && { NODE_EXTRA_CA_CERTS: CA_FILE }) };
  if (certificates) cpSync(certificates, join(image.root, CA_FILE), { dereference: true });
  cpSync("/etc/resolv.conf", join(image.root, "etc/resolv.conf"), { dereference: true });
  run("unshare", inside({ ...image, env }, command), "/");
}

function copy(step: Step, image: Image, { built, context, isSent }: Surroundings): void {
  const words = step.text.split(/\s+/);
  const target = words.pop()!;
  const { from, chown } = step.options;
  const other = from ? built.get(from) : undefined;
  if (from && !other) throw new Error(`Dockerfile: there is no stage "${from}"`);
  for (const source of words) {
    const path = join(other ? other.root : context, source);
    const isFolder = statSync(path).isDirectory();
    const end = target.endsWith("/") && !isFolder ? join(target, source) : target;
    const to = join(image.root, resolve(image.workdir, end));
    mkdirSync(dirname(to), { recursive: true });
    const filter = (file: string) => other !== undefined || isSent(relative(context, file));
    if (!filter(path)) throw new Error(`.dockerignore leaves out ${source}, which the Dockerfile copies`);
    cpSync(path, to, { recursive: true, filter });
    if (chown) run("chown", ["--recursive", chown, to], image.root);
  }
}

/** Whether a file of the checkout is sent to the builder. The last line that matches it, or a folder of it, decides. */
function dockerIgnore(source: string): (file: string) => boolean {
  const lines = source.split("\n").filter((line) => line && !line.startsWith("#"));
  const rules = lines.map((line) => ({ isSent: line.startsWith("!"), pattern: line.replace(/^!/, "") }));
  return (file) => {
    const parts = file.split("/");
    const paths = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
    return rules.findLast(({ pattern }) => paths.some((path) => matchesGlob(path, pattern)))?.isSent ?? true;
  };
}

/** A root like that of the image `node:24-bookworm-slim`: a minimal Debian, with Node, npm and the user `node`. */
export function makeBase(folder: string, node: string, npm: string): void {
  run("debootstrap", ["--variant=minbase", "bookworm", folder], "/");
  for (const cached of globSync("{var/cache/apt/archives,var/lib/apt/lists}/*", { cwd: folder }))
    run("rm", ["-rf", join(folder, cached)], "/");
  cpSync(node, join(folder, "usr/local/bin/node"));
  mkdirSync(join(folder, "usr/local/lib/node_modules"), { recursive: true });
  run("cp", ["--archive", npm, join(folder, "usr/local/lib/node_modules/npm")], "/");
  for (const name of ["npm", "npx"])
    run("ln", ["-s", `../lib/node_modules/npm/bin/${name}-cli.js`, join(folder, "usr/local/bin", name)], "/");
  run("chroot", [folder, "useradd", "--uid", "1000", "--create-home", "--shell", "/bin/bash", "node"], "/");
  if (!existsSync(join(folder, "dev/null")))
    throw new Error("debootstrap has made no devices: it needs to run as root");
}
