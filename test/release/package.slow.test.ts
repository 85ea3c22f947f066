// The release as people get it: made from a copy of the last commit, installed into an empty folder, and started there.
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { healthCommand, lastStep, readDockerfile, readPairs } from "../../scripts/image/dockerfile.ts";
import { type Artifacts, makeArtifacts } from "../../scripts/release/artifacts.ts";
import { callSandbox, MAX_BYTES, MAX_PACKAGES } from "../../scripts/release/figures.ts";
import { type Installed, installPackage, type RunningPackage } from "../../scripts/release/installed.ts";
import { productionPackages } from "../../scripts/release/sbom.ts";
import { freePort } from "../support/postgres.ts";
import { startPlugboard } from "../support/process.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "plugboard-release-"));
const VERSION = "99.0.0";
let artifacts: Artifacts;
let installed: Installed;
let service: RunningPackage;
let app: string;

beforeAll(async () => {
  artifacts = await makeArtifacts({
    root,
    commit: "HEAD",
    folder: join(folder, "release"),
    version: VERSION,
    image: false,
  });
  installed = installPackage(artifacts.packed);
  app = join(installed.folder, "node_modules/plugboard");
  installed.plugboard("new-provider", "acme", "tasks", "Acme", "--dir", "providers");
  service = await installed.start({ PROVIDERS_DIR: "providers" });
});
afterAll(async () => {
  await service?.stop();
  installed?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const get = (path: string) => fetch(service.url + path);
const call = (path: string, provider?: string) => callSandbox(service.url, installed.folder, path, provider);

it("a release has both packages, the chart, the bill of materials, notes, and checksums that match", () => {
  expect(readdirSync(artifacts.folder).sort()).toEqual([
    "SHA256SUMS",
    "notes.md",
    `plugboard-${VERSION}.cdx.json`,
    `plugboard-${VERSION}.tgz`,
    `plugboard-chart-${VERSION}.tgz`,
    `plugboard-sdk-${VERSION}.tgz`,
  ]);
  const check = spawnSync("sha256sum", ["--check", "--strict", "SHA256SUMS"], { cwd: artifacts.folder });
  expect(check.status).toBe(0);
  const chart = execFileSync("tar", ["-xzOf", `plugboard-chart-${VERSION}.tgz`, "plugboard/Chart.yaml"], {
    cwd: artifacts.folder,
    encoding: "utf8",
  });
  expect(chart).toContain(`version: ${VERSION}\n`);
  expect(readFileSync(join(artifacts.folder, "notes.md"), "utf8")).toContain("### Added");
});

it("the package has what it needs to run, and no sources, tests, scripts or dependencies", () => {
  const files = readdirSync(app, { recursive: true, encoding: "utf8" });
  expect(readdirSync(app).sort()).toEqual([
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "THIRD-PARTY-LICENSES.txt",
    "bin",
    "dist",
    "docs",
    ...(existsSync(join(app, "node_modules")) ? ["node_modules"] : []),
    "package.json",
    "sbom.cdx.json",
    "src",
    "types",
  ]);
  expect(files.filter((file) => /(?<!\.d)\.ts$|\.test\.|fixture|\.map$|\.env/.test(file))).toEqual([]);
  const manifest = JSON.parse(readFileSync(join(app, "package.json"), "utf8"));
  expect(manifest.version).toBe(VERSION);
  for (const name of ["private", "scripts", "dependencies", "optionalDependencies"])
    expect(manifest).not.toHaveProperty(name);
  expect(installed.packages).toBe(1);
  expect(installed.packages).toBeLessThan(MAX_PACKAGES);
  expect(installed.bytes).toBeLessThan(MAX_BYTES);
});

it("the bill of materials and the licenses name everything that the bundle is made of", () => {
  const bom = JSON.parse(readFileSync(join(app, "sbom.cdx.json"), "utf8"));
  expect(bom).toMatchObject({
    bomFormat: "CycloneDX",
    metadata: { component: { name: "plugboard", version: VERSION } },
  });
  const listed = bom.components.map(({ name, version }: Record<string, string>) => `${name}@${version}`);
  const licenses = readFileSync(join(app, "THIRD-PARTY-LICENSES.txt"), "utf8");
  for (const { name, version } of productionPackages(root)) {
    expect(listed).toContain(`${name}@${version}`);
    expect(licenses).toContain(`\n${name} ${version}\n`);
  }
  for (const name of ["typebox", "ajv", "pg", "fastify", "undici"])
    expect(listed.some((entry: string) => entry.startsWith(`${name}@`))).toBe(true);
  expect(listed).not.toContain(expect.stringContaining("vitest"));
});

it("npx plugboard start serves the first call to the sandbox", async () => {
  const { response } = await call("/unified/v1/git/repos?limit=3");
  expect(response.data).toHaveLength(3);
  expect(((await (await get("/healthz")).json()) as any).version).toBe(VERSION);
});

it("the installed package finds the files that its modules read", async () => {
  const pages = [
    "/dashboard",
    "/docs",
    "/docs/js/scalar.js",
    "/docs/guides/running",
    "/docs/style.css",
    "/favicon.ico",
  ];
  for (const path of pages) expect(`${path} ${(await get(path)).status}`).toBe(`${path} 200`);
  expect(await (await get("/dashboard")).text()).toContain("<title>");
  // Names of emoji come from a file, and so does the catalogue.
  const { response } = await call("/unified/v1/chat/channels?limit=1", "slack");
  const messages = await call(`/unified/v1/chat/channels/${response.data[0]!.id}/messages?limit=50`, "slack");
  expect(JSON.stringify(messages)).toMatch(/\p{Emoji_Presentation}/u);
  expect(installed.plugboard("providers", "--json")).toContain('"airtable"');
});

it("a provider that the installed package has scaffolded is served, and has types for the editor", async () => {
  expect((await call("/unified/v1/tasks/tasks?limit=2", "acme")).response.data).toHaveLength(2);
  const providers = join(installed.folder, "providers");
  const manifest = JSON.parse(readFileSync(join(providers, "package.json"), "utf8"));
  expect(manifest.devDependencies).toMatchObject({ plugboard: `^${VERSION}`, typescript: expect.any(String) });
  // What npm install would put there.
  mkdirSync(join(providers, "node_modules"));
  for (const name of Object.keys(manifest.devDependencies)) {
    if (name.includes("/")) mkdirSync(join(providers, "node_modules", name, ".."), { recursive: true });
    if (name === "plugboard") cpSync(app, join(providers, "node_modules/plugboard"), { recursive: true });
    else symlinkSync(join(root, "node_modules", name), join(providers, "node_modules", name));
  }
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const check = () =>
    spawnSync(process.execPath, [tsc, "--checkers", "1"], { cwd: providers, encoding: "utf8" }).stdout;
  expect(check()).toBe("");
  const mistake = `import { tasks, type Task } from "plugboard/provider-kit";
export const wrong: Task["title"] = 1;
export const category: string = tasks.operations.noSuchOperation;
`;
  writeFileSync(join(providers, "acme/mistake.ts"), mistake);
  expect(check().match(/error TS\d+/g)).toHaveLength(2);
});

it("the kit of the installed package can be imported by tests of providers", () => {
  const code = `import { htmlToMarkdown, replaceEmojiNames } from "plugboard/provider-kit";
    import { seeded } from "plugboard/provider-kit/sandbox";
    import * as graphql from "plugboard/provider-kit/sandbox/graphql";
    console.log(htmlToMarkdown("<b>x</b>"), replaceEmojiNames(":tada:"), typeof seeded, Object.keys(graphql).length > 0);`;
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", code], {
    cwd: installed.folder,
    encoding: "utf8",
  });
  expect(printed).toBe("**x** 🎉 function true\n");
});

it("test-provider of the installed package says that it needs a checkout", () => {
  const { status, stderr } = spawnSync(process.execPath, [join(app, "bin/plugboard.js"), "test-provider", "x"], {
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stderr).toContain("run it from a checkout of Plugboard's repository");
});

it("the image's command runs from the package's files, read-only and as an unprivileged user, and its health check passes", async () => {
  const image = readDockerfile(readFileSync(join(root, "Dockerfile"), "utf8")).at(-1)!;
  const [files, data] = [join(folder, "image"), join(folder, "data")];
  mkdirSync(data);
  cpSync(app, files, { recursive: true });
  spawnSync("chmod", ["-R", "a-w", files]);
  onTestFinished(() => {
    spawnSync("chmod", ["-R", "u+w", files]);
  });
  // Only root can switch users, and the other one must be able to run this Node.
  const nobody = { uid: 65_534, gid: 65_534 };
  const canSwitch = process.getuid!() === 0 && spawnSync(process.execPath, ["-e", ""], nobody).status === 0;
  const other = canSwitch ? nobody : undefined;
  chmodSync(folder, 0o755);
  if (other) chownSync(data, other.uid, other.gid);

  const [, ...entry] = lastStep(image, "ENTRYPOINT")!.list!;
  const flags = entry.filter((argument) => argument.startsWith("--"));
  const launcher = join(files, entry[flags.length]!);
  const PORT = String(await freePort());
  const settings = { HOST: "127.0.0.1", PORT, DATA_DIR: data, NODE_OPTIONS: flags.join(" ") };
  const env = { ...readPairs(lastStep(image, "ENV")!.text), ...settings };
  const started = await startPlugboard(env, { launcher, cwd: files, ...other });
  const [, ...args] = healthCommand(image);
  const health = () => spawnSync(process.execPath, args, { env: { PORT } }).status;
  expect(health()).toBe(0);
  expect(await started.stop("SIGTERM")).toBe(0);
  expect(health()).toBe(1);
  expect(started.output.stderr).toBe("");
});
