import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CORE_SCHEMA, load, mergeTag } from "js-yaml";
import { afterAll, describe, expect, it } from "vitest";
import { variables } from "../../src/config.ts";
import { freePort } from "../support/postgres.ts";
import { launch, waitForOutput } from "../support/process.ts";

// Checks the files for deployment against the checkout, without a Docker engine.
const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
/** Instructions of the Dockerfile, continued lines joined. */
const instructions = read("Dockerfile")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll("\\\n", "")
  .split("\n")
  .filter((line) => line.trim() !== "");
const linesOf = (word: string) =>
  instructions.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1).trim());
/** Sources that COPY takes from the checkout, not from another stage. */
const copied = linesOf("COPY")
  .filter((line) => !line.startsWith("--from"))
  .flatMap((line) => line.split(" ").slice(0, -1));
const environment = Object.fromEntries(
  linesOf("ENV")
    .flatMap((line) => line.split(" "))
    .map((pair) => pair.split("=") as [string, string]),
);

describe("the Dockerfile", () => {
  it("the Dockerfile copies files that exist and that .dockerignore lets through", () => {
    const allowed = read(".dockerignore")
      .split("\n")
      .filter((line) => line.startsWith("!"))
      .map((line) => line.slice(1));
    for (const source of copied) {
      expect(existsSync(join(root, source)), source).toBe(true);
      expect(allowed).toContain(source);
    }
    expect(allowed.toSorted()).toEqual([...new Set(copied)].toSorted());
  });

  it("the image runs as a user other than root, with a health check and known settings", () => {
    expect(linesOf("USER").at(-1)).toBe("node");
    expect(linesOf("HEALTHCHECK")).toHaveLength(1);
    const { NODE_ENV: _, ...settings } = environment;
    for (const name of Object.keys(settings)) expect(Object.keys(variables)).toContain(name);
  });

  it("the image starts Node with the same flags as npm start and the launcher", () => {
    const flags = (text: string) => text.match(/--max-[\w-]+=\d+/g);
    const ours = flags(JSON.parse(read("package.json")).scripts.start);
    expect(ours).toHaveLength(1);
    expect(flags(linesOf("ENTRYPOINT")[0]!)).toEqual(ours);
    expect(flags(read("bin/plugboard.js"))).toEqual(ours);
  });

  it("the image has the Node version that package.json requires", () => {
    const wanted = /\d+/.exec(JSON.parse(read("package.json")).engines.node)![0];
    for (const image of linesOf("FROM")) expect(image).toMatch(new RegExp(`^node:${wanted}-`));
  });
});

describe("the image's command", () => {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-image-"));
  const app = join(folder, "app");
  const data = join(folder, "data");
  afterAll(() => {
    spawnSync("chmod", ["-R", "u+w", folder]);
    rmSync(folder, { recursive: true, force: true });
  });

  it("the image's command runs from read-only files as an unprivileged user, and its health check passes", async () => {
    const nobody = { uid: 65_534, gid: 65_534 };
    // Only root can switch users, and the other user must be able to read the checkout's modules.
    const probe =
      process.getuid!() === 0 ? spawnSync(process.execPath, ["-e", ""], { ...nobody, cwd: root }) : undefined;
    const other = probe?.status === 0 ? nobody : undefined;
    mkdirSync(app);
    mkdirSync(data);
    for (const source of copied)
      cpSync(join(root, source), join(app, source), { recursive: true, filter: (file) => !file.endsWith(".test.ts") });
    symlinkSync(join(root, "node_modules"), join(app, "node_modules"));
    spawnSync("chmod", ["-R", "a-w", app]);
    chmodSync(folder, 0o755);
    if (other) chownSync(data, other.uid, other.gid);

    const [entry, command] = ["ENTRYPOINT", "CMD"].map((word) => JSON.parse(linesOf(word)[0]!) as string[]);
    const [program, ...entryArguments] = entry!;
    expect(program).toBe("node");
    const flags = entryArguments.filter((argument) => argument.startsWith("--"));
    const [launcher] = entryArguments.slice(flags.length);
    const port = String(await freePort());
    const env = { ...environment, HOST: "127.0.0.1", PORT: port, DATA_DIR: data, NODE_OPTIONS: flags.join(" ") };
    const { child, output } = launch(command!, env, {
      launcher: join(app, launcher!),
      cwd: app,
      ...other,
    });
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    await Promise.race([
      waitForOutput(child, output, /ready at ([^\s"]+)/),
      ended.then((code) => expect.fail(`ended with ${code}: ${output.stderr}`)),
    ]);

    const [check] = /CMD (\[.*\])$/.exec(linesOf("HEALTHCHECK")[0]!)!.slice(1);
    const [checker, ...args] = JSON.parse(check!) as string[];
    expect(checker).toBe("node");
    const health = () => spawnSync(process.execPath, args, { env: { PORT: port } }).status;
    expect(health()).toBe(0);
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(health()).toBe(1);
    expect(output.stderr).toBe("");
  });
});

describe("compose.yaml", () => {
  const text = read("compose.yaml");
  const compose = load(text, { schema: CORE_SCHEMA.withTags(mergeTag) }) as any;
  const processes = Object.entries<any>(compose.services).filter(([name]) => name.startsWith("plugboard"));

  it("compose.yaml runs two processes on Postgres and Redis, with known settings", () => {
    expect(processes).toHaveLength(2);
    for (const [, service] of processes) {
      for (const name of Object.keys(service.environment)) expect(Object.keys(variables)).toContain(name);
      expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
      expect(Object.keys(service.depends_on)).toEqual(["postgres", "redis"]);
    }
  });

  it("compose.yaml publishes only nginx and keeps the databases on an internal network", () => {
    const published = Object.entries<any>(compose.services).filter(([, { ports }]) => ports);
    expect(published.map(([name]) => name)).toEqual(["nginx"]);
    for (const name of ["postgres", "redis"]) expect(compose.services[name].networks).toEqual(["inside"]);
    expect(compose.networks.inside).toEqual({ internal: true });
    for (const [name, service] of Object.entries<any>(compose.services))
      expect(Boolean(service.healthcheck) || service.image === "plugboard", `${name} has a health check`).toBe(true);
  });

  it("compose.yaml takes every secret from the environment file, which lists them all", () => {
    const needed = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name!));
    const named = [...read("deploy/env.example").matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
    expect(named.toSorted()).toEqual([...needed].toSorted());
    expect(text).not.toMatch(/(PASSWORD|KEY): (?!\$\{)/);
  });

  it("compose.yaml and nginx.conf name the same processes", () => {
    const servers = [...read("deploy/nginx.conf").matchAll(/^\s*server (\S+):8080/gm)].map(([, name]) => name);
    expect(servers).toEqual(processes.map(([name]) => name));
  });
});
