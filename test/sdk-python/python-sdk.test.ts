// The Python package as users get it: built, unpacked, and run by the machine's own Python. Its tests are in
// sdk-python/tests; here they get a running service. Also runs the recipes of its README.
import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Plugboard } from "../../sdk/src/index.ts";
import { readRecipes } from "../support/recipes.ts";
import { startService, type TestService } from "../support/service.ts";
import { findPython, run } from "./python.ts";
import { serviceFile } from "./service-file.ts";

const root = join(import.meta.dirname, "../..");
const python = findPython();
const BUILD = `import setuptools.build_meta as backend
for build in (backend.build_wheel, backend.build_sdist): print(build("../built"))`;

describe.skipIf(!python)("the Python SDK", () => {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-python-"));
  const site = join(folder, "site");
  const app = join(folder, "app");
  const secret = `whsec_${randomBytes(24).toString("base64")}`;
  const environment = { PYTHONPATH: site, PYTHONDONTWRITEBYTECODE: "1", WEBHOOK_SECRET: secret };
  const recipes = readRecipes(join(root, "sdk-python/README.md"), "python");
  let service: TestService;
  let built: string[];

  beforeAll(async () => {
    for (const name of ["built", "app/data"]) mkdirSync(join(folder, name), { recursive: true });
    const isSource = (path: string) => !/\/(dist|build|tests|__pycache__|[^/]+\.egg-info)$/.test(path);
    cpSync(join(root, "sdk-python"), join(folder, "source"), { recursive: true, filter: isSource });
    await run(python!, ["-c", BUILD], join(folder, "source"));
    built = readdirSync(join(folder, "built")).sort();
    await run(python!, ["-m", "zipfile", "-e", join(folder, "built", built[1]!), site], folder);
    service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60", LOG_LEVEL: "error" } });
    writeFileSync(join(folder, "service.json"), JSON.stringify(await serviceFile(service)));
    writeFileSync(join(app, "data/sandbox.json"), JSON.stringify(service.parts.sandbox!.file));
    for (const [index, { code }] of recipes.entries())
      writeFileSync(join(app, `recipe_${index}.py`), code.replaceAll("http://127.0.0.1:8080", service.url));
  });
  afterAll(async () => {
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("the wheel and the sdist of the Python SDK have the product's version, types and license, and no dependencies", async () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(built).toEqual([`plugboard-sdk-${version}.tar.gz`, `plugboard_sdk-${version}-py3-none-any.whl`]);
    const metadata = readFileSync(join(site, `plugboard_sdk-${version}.dist-info/METADATA`), "utf8");
    expect(metadata).toMatch(new RegExp(`^Version: ${RegExp.escape(version)}$`, "m"));
    expect([...metadata.matchAll(/^Requires-Dist: (.*)$/gm)].map(([, name]) => name)).toEqual([
      expect.stringMatching(/^httpx.*extra == ["']httpx["']$/),
    ]);
    expect(metadata).toContain("## Recipes");
    expect(readdirSync(join(site, "plugboard"))).toContain("py.typed");
    const license = readFileSync(join(root, "LICENSE"), "utf8");
    expect(readFileSync(join(site, `plugboard_sdk-${version}.dist-info/LICENSE`), "utf8")).toBe(license);
  });

  it("the tests of the Python SDK pass with the built package and a running service", async () => {
    const args = ["-W", "ignore::ResourceWarning", "-m", "unittest", "discover", "-s", "tests", "-t", "."];
    const env = { ...environment, PLUGBOARD_TEST_SERVICE: join(folder, "service.json") };
    const { stderr } = await run(python!, args, join(root, "sdk-python"), env);
    expect(stderr).toMatch(/\nOK\b/);
  });

  it("every recipe of the Python SDK's README runs, and prints what the README shows", async () => {
    expect(recipes.length).toBeGreaterThanOrEqual(13);
    // The event log is written shortly after the connections of the sandbox.
    const pb = new Plugboard({ apiKey: service.apiKey, baseUrl: service.url });
    await expect.poll(async () => (await pb.platform.events.list()).data.length).toBeGreaterThan(10);
    const main = `import runpy
for index in range(${recipes.length}):
    runpy.run_path(f"recipe_{index}.py")
    print("\\x01")`;
    const printed = (await run(python!, ["-c", main], app, environment)).stdout.split("\u0001\n");
    for (const [index, { title, shown = "" }] of recipes.entries()) {
      const pattern = shown.split("…").map(RegExp.escape).join(".*");
      expect(printed[index], title).toMatch(new RegExp(`^${pattern}$`));
    }
  });

  it("the webhook handler of the Python SDK's README accepts a signed event and refuses others", async () => {
    const now = new Date();
    const body = JSON.stringify({ type: "connection.created", timestamp: now.toISOString(), data: {} });
    const headers = {
      "webhook-id": "evt_1",
      "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
      "webhook-signature": new Webhook(secret).sign("evt_1", now, body),
    };
    const handler = recipes.findIndex(({ code }) => code.includes("def receive"));
    const code = `import json, runpy, sys
receive = runpy.run_path("recipe_${handler}.py")["receive"]
body, headers = json.loads(sys.argv[1])
print(receive(body.encode(), headers), receive(body.encode() + b" ", headers))`;
    const { stdout } = await run(python!, ["-c", code, JSON.stringify([body, headers])], app, environment);
    expect(stdout).toBe("connection.created\n204 400\n");
  });
});
