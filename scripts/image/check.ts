// npm run image:check: runs the steps of the Dockerfile without a container engine, in a clean Debian that debootstrap
// makes, and then the command of the image: as its user, without capabilities, without a network, on a read-only file
// system. Needs root, debootstrap and npm. `--base FOLDER` keeps the clean Debian there for the next time.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { copyCommit } from "../release/artifacts.ts";
import { run } from "../release/run.ts";
import { buildStages, type Image, makeBase } from "./build.ts";
import { healthCommand, lastStep, readDockerfile, type Stage } from "./dockerfile.ts";

const root = join(import.meta.dirname, "../..");
const { values } = parseArgs({ options: { base: { type: "string" } } });

if (process.getuid!() !== 0) fail("image:check needs root, for chroot and mounts");
if (spawnSync("which", ["debootstrap"]).status !== 0)
  fail("image:check needs debootstrap: apt-get install debootstrap");

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}

const began = performance.now();
const folder = mkdtempSync(join(tmpdir(), "plugboard-image-"));
try {
  const base = values.base ? resolve(values.base) : join(folder, "base");
  if (!existsSync(base)) {
    const node = createRequire(import.meta.url).resolve(`node-linux-${process.arch}/package.json`);
    // …/npm/bin/npm-cli.js
    const npm = dirname(dirname(realpathSync(run("which", ["npm"], "/").trim())));
    makeBase(`${base}.part`, join(dirname(node), "bin/node"), npm);
    renameSync(`${base}.part`, base);
    console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  the base`);
  }
  const context = copyCommit(root, "HEAD", join(folder, "context"));
  rmSync(join(context, "node_modules"));
  const stages = readDockerfile(readFileSync(join(context, "Dockerfile"), "utf8"));
  const image = buildStages(stages, base, context, folder);
  console.log(`${run("du", ["-sh", join(image.root, "app")], "/").split("\t")[0]} in /app`);
  tryImage(image, stages.at(-1)!);
  console.log(`The image works. ${((performance.now() - began) / 1000).toFixed(0)} s`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Starts it as a container would be started, waits for its health check, and stops it. */
function tryImage(image: Image, stage: Stage): void {
  const [entry, command] = ["ENTRYPOINT", "CMD"].map((word) => lastStep(stage, word)!.list!);
  const script = join(folder, "try.sh");
  const pairs = Object.entries(image.env).map(([name, value]) => `${name}=${value}`);
  const privileges = ["--clear-groups", "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs"];
  const inside = (args: string[]) =>
    ["chroot", image.root, "setpriv", `--reuid=${image.user}`, `--regid=${image.user}`, ...privileges]
      .concat("env", "--ignore-environment", `--chdir=${image.workdir}`, pairs, args)
      .map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
      .join(" ");
  const volume = lastStep(stage, "VOLUME")!.text;
  mkdirSync(join(image.root, "tmp"), { recursive: true });
  writeFileSync(
    script,
    `set -eu
ip link set lo up
mount --bind ${image.root} ${image.root}
mount -o remount,bind,ro ${image.root}
mount -t proc proc ${image.root}/proc
mount -t tmpfs tmpfs ${image.root}/tmp
mount -t tmpfs -o uid=1000,gid=1000,mode=700 tmpfs ${image.root}${volume}
if ${inside(["touch", "node_modules/.cache/written"])} 2>/dev/null; then
  echo "the file system is not read-only" >&2
  exit 1
fi
[ "$(${inside(["id", "-u"])})" = 1000 ]
${inside([...entry!, ...command!])} &
service=$!
tries=0
until ${inside(healthCommand(stage))}; do
  tries=$((tries + 1))
  kill -0 $service
  sleep 0.5
done
echo "The health check passes after $tries tries"
${inside([...entry!, "keys", "create", "--workspace", "image"])} >/dev/null
kill -TERM $service
wait $service
`,
  );
  const args = ["--mount", "--net", "--pid", "--fork", "--kill-child", "sh", script];
  const { status, stdout, stderr } = spawnSync("unshare", args, { encoding: "utf8", timeout: 120_000 });
  if (status !== 0) throw new Error(`the image does not work (${status}):\n${stdout}${stderr}`);
  console.log(
    stdout
      .split("\n")
      .filter((line) => line.startsWith("The health check"))
      .join("\n"),
  );
}
