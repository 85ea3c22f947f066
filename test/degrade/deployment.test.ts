import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CORE_SCHEMA, load, mergeTag } from "js-yaml";
import { describe, expect, it } from "vitest";
import { lastStep, readDockerfile, readPairs } from "../../scripts/image/dockerfile.ts";
import { variables } from "../../src/config/variables.ts";

// Checks the files for deployment against the checkout, without a Docker engine.
const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const stages = readDockerfile(read("Dockerfile"));
const image = stages.at(-1)!;
/** Sources that COPY takes from the checkout, not from another stage. */
const copied = stages
  .flatMap(({ steps }) => steps.filter(({ word, options }) => word === "COPY" && !options.from))
  .flatMap(({ text }) => text.split(" ").slice(0, -1));

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
    expect(lastStep(image, "USER")!.text).toBe("node");
    expect(lastStep(image, "HEALTHCHECK")!.text).toContain("/healthz");
    const { NODE_ENV: _, ...settings } = readPairs(lastStep(image, "ENV")!.text);
    for (const name of Object.keys(settings)) expect(Object.keys(variables)).toContain(name);
  });

  it("the image has the Node version that package.json requires", () => {
    const wanted = /\d+/.exec(JSON.parse(read("package.json")).engines.node)![0];
    for (const { base } of stages) expect(base).toMatch(new RegExp(`^node:${wanted}-`));
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
