// `plugboard doctor` as a command: its output, its exit code, and that it changes nothing.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { thisMachine } from "../../src/commands/doctor/context.ts";
import { catalogue } from "../../src/commands/doctor/findings.ts";
import { describe as describeReport, examine, type Report } from "../../src/commands/doctor/index.ts";
import { createHiding } from "../../src/commands/doctor/secrets.ts";
import { expectFinding, healthyMachine, newInstallation, SECRET } from "../support/doctor.ts";
import { newDataDir, runCommand, startPlugboard } from "../support/process.ts";

const folder = newDataDir();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { env: installed, store } = await newInstallation();
await store.close();
const root = join(import.meta.dirname, "../..");

/** Everything in a folder. */
const contents = (path: string) =>
  readdirSync(path).map((name) => [name, readFileSync(join(path, name)).toString("base64")]);

/** What depends on where the tests run. */
const ofThisMachine = ["data-dir-temporary", "open-files-low", "disk-low"];
const findingsOf = (stdout: string) =>
  (JSON.parse(stdout) as Report).findings.filter(({ id }) => !ofThisMachine.includes(id));

const nobody = { uid: 65_534, gid: 65_534 };
/** Only root can, and only if the folders above the checkout let others in. */
const canRunAsNobody = () =>
  process.getuid?.() === 0 && (process.env.CI === "true" || !spawnSync(process.execPath, ["--version"], nobody).error);

describe("plugboard doctor", () => {
  it("plugboard doctor finds nothing in a new installation, while the service runs and after it has stopped", async () => {
    const DATA_DIR = join(folder, "data");
    const service = await startPlugboard({ DATA_DIR, SANDBOX: "off" });
    const env = { DATA_DIR, SANDBOX: "off", PORT: new URL(service.url).port };
    const running = await runCommand(["doctor", "--json"], env);
    expect(running).toMatchObject({ code: 0, stderr: "" });
    expect(findingsOf(running.stdout)).toEqual([]);
    expect((JSON.parse(running.stdout) as Report).checks).toContainEqual({ name: "running service" });

    expect(await service.stop("SIGINT")).toBe(0);
    const before = contents(DATA_DIR);
    const stopped = await runCommand(["doctor"], env);
    expect(stopped).toMatchObject({ code: 0, stderr: "" });
    expect(stopped.stdout).toMatch(/^Checked: settings, .*database, /m);
    expect(stopped.stdout).toMatch(/^Not checked: .*running service \(it does not run on this machine\)/m);
    expect(contents(DATA_DIR)).toEqual(before);
  });

  it("plugboard doctor prints one problem and one thing to do per finding, exits with 1, and creates nothing", async () => {
    const DATA_DIR = join(folder, "none");
    const env = { DATA_DIR, SANDBOX: "off", PORT: "1", REDIS_URL: `redis://:${SECRET}@127.0.0.1:1` };
    const { code, stdout, stderr } = await runCommand(["doctor"], { ...env, DATABSE_URL: SECRET });
    expect([code, stderr]).toEqual([1, ""]);
    expect(stdout).toContain(
      "ERROR redis-unreachable: Redis at 127.0.0.1:1 cannot be used: ECONNREFUSED\n  Do this: Start Redis, or ",
    );
    expect(stdout.indexOf("ERROR ")).toBeLessThan(stdout.indexOf("WARNING setting-misspelled: "));
    expect(stdout).toMatch(/^1 error, \d warnings?\.$/m);
    expect(stdout).not.toContain(SECRET);
    expect(() => readdirSync(DATA_DIR)).toThrow();
  });

  it.skipIf(!canRunAsNobody())(
    "plugboard doctor finds files that its user may not use: data-dir-unusable (skipped if others cannot run this checkout)",
    async () => {
      const asNobody = async () => findingsOf((await runCommand(["doctor", "--json"], installed, nobody)).stdout);
      const problem = (found: string) => ({ id: "data-dir-unusable", problem: expect.stringContaining(found) });
      // Only the owner can open the folder.
      expect(await asNobody()).toMatchObject([problem(`cannot write to ${installed.DATA_DIR}: EACCES`)]);
      chmodSync(installed.DATA_DIR!, 0o777);
      expect(await asNobody()).toMatchObject([problem("encryption.key: EACCES"), problem("plugboard.db: EACCES")]);
      chmodSync(installed.DATA_DIR!, 0o700);
    },
  );

  it("this machine says what it has", () => {
    expect(thisMachine.fileSystem(folder).freeBytes).toBeGreaterThan(0);
    if (process.platform === "linux") expect(thisMachine.maxOpenFiles()).toBeGreaterThan(0);
  });
});

it("a healthy installation is described by what was checked, and nothing in its folder changes", async () => {
  const before = contents(installed.DATA_DIR!);
  const names: string[] = [];
  const report = await examine(installed, { machine: healthyMachine, progress: (name) => void names.push(name) });
  expect(report).toMatchObject({ healthy: true, findings: [] });
  expect(describeReport(report)).toMatch(/^Nothing found\.\nChecked: settings, .*\nNot checked: Redis \(/);
  expect(report.checks.map(({ name }) => name)).toEqual(names);
  expect(contents(installed.DATA_DIR!)).toEqual(before);
});

it("a check that fails itself is a finding, and the others go on: check-unfinished", async () => {
  const maxOpenFiles = () => {
    throw new Error("made-up failure");
  };
  await expectFinding(installed, "check-unfinished", /check of limit of open files did not end: made-up failure/, {
    maxOpenFiles,
  });
});

it("a secret of the environment that gets into a text is hidden, and the address around it is not", () => {
  const file = join(folder, "secret");
  writeFileSync(file, `postgres://user:${SECRET}%21@db.test:5432/x?sslpassword=other-${SECRET}`);
  const key = randomBytes(32).toString("base64");
  const hide = createHiding({
    DATABASE_URL_FILE: file,
    REDIS_URL: `redis+sentinel://:${SECRET}-2@a.test:1,b.test:2/main?sentinel_password=third-${SECRET}`,
    ENCRYPTION_KEY: `${key},${key}`,
    OTEL_EXPORTER_OTLP_HEADERS: `x-a=Bearer%20token-of-${SECRET},x-b=2`,
  });
  const texts = [`${SECRET}!`, `other-${SECRET}`, `${SECRET}-2`, `third-${SECRET}`, key, `token-of-${SECRET}`];
  for (const text of texts)
    expect(hide(`cannot use "${text}" at db.test:5432`)).toBe('cannot use "***" at db.test:5432');
});

describe("the list of findings", () => {
  it("docs/running.md has every finding as in the code", () => {
    const text = readFileSync(join(root, "docs/running.md"), "utf8");
    const rows = [...text.matchAll(/^\| `([a-z-]+)` \| (error|warning) \| (.+) \|$/gm)].map(([, ...row]) => row);
    expect(rows).toEqual(Object.entries(catalogue).map(([id, [severity, about]]) => [id, severity, about]));
  });

  it("every finding is set up by a test", () => {
    const tests = globSync("test/commands/doctor*.test.ts", { cwd: root })
      .map((file) => readFileSync(join(root, file), "utf8"))
      .join("\n");
    expect(Object.keys(catalogue).filter((id) => !tests.includes(`"${id}"`))).toEqual([]);
    expect(Object.keys(catalogue).length).toBeGreaterThan(60);
  });
});
