// The package as users get it: packed, installed, and run by the machine's own Node. Also runs the recipes of its README.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Plugboard } from "../../sdk/src/index.ts";
import { launchChromium } from "../auth/support/chromium.ts";
import { readRecipes } from "../support/recipes.ts";
import { startService, type TestService } from "../support/service.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "plugboard-sdk-"));
const app = join(folder, "app");
const installed = join(app, "node_modules/plugboard-sdk");
const bin = join(root, "node_modules/.bin");
/** One checker: each of several would check what all files share again. TypeScript's own types need no check. */
const CHECK_TYPES = ["--noEmit", "--strict", "--checkers", "1", "--skipDefaultLibCheck"];
const secret = `whsec_${randomBytes(24).toString("base64")}`;

/** The Node that is installed on the machine, if there is one: it may be older than the one that runs the tests. */
const plainNode =
  process.env
    .PATH!.split(delimiter)
    .filter((entry) => !entry.includes("node_modules"))
    .map((entry) => join(entry, "node"))
    .find((file) => existsSync(file)) ?? process.execPath;

async function run(command: string, args: string[], cwd: string): Promise<string> {
  const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter), WEBHOOK_SECRET: secret, NO_COLOR: "1" };
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let [output, problems] = ["", ""];
  child.stdout.on("data", (data) => {
    output += data;
  });
  child.stderr.on("data", (data) => {
    problems += data;
  });
  const status = await new Promise((resolve) => child.once("close", resolve));
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}:\n${problems}${output}`);
  return output;
}

function signedEvent() {
  const now = new Date();
  const body = JSON.stringify({ type: "connection.created", timestamp: now.toISOString(), data: {} });
  const headers = {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign("evt_1", now, body),
  };
  return { body, headers };
}

const recipes = readRecipes(join(root, "sdk/README.md"), "js");

let service: TestService;
beforeAll(async () => {
  const source = join(folder, "sdk");
  cpSync(join(root, "sdk"), source, { recursive: true, filter: (path) => !path.endsWith("/dist") });
  const [packed] = JSON.parse(await run("npm", ["pack", "--json"], source));
  mkdirSync(join(app, "data"), { recursive: true });
  writeFileSync(join(app, "package.json"), JSON.stringify({ name: "app", private: true, type: "module" }));
  const file = join(source, packed.filename);
  await run("npm", ["install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", file], app);
  service = await startService();
  writeFileSync(join(app, "data/sandbox.json"), JSON.stringify(service.parts.sandbox!.file));
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

it("the package has compiled code, types, README, methods and license, and no dependencies", () => {
  expect(readdirSync(installed).sort()).toEqual(["LICENSE", "METHODS.md", "README.md", "dist", "package.json"]);
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect(manifest).not.toHaveProperty("dependencies");
  expect(manifest).not.toHaveProperty("private");
  expect(readFileSync(join(installed, "LICENSE"), "utf8")).toBe(readFileSync(join(root, "LICENSE"), "utf8"));
  expect(manifest.version).toBe(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version);
});

it("the package uses nothing that only Node has", () => {
  for (const file of readdirSync(join(installed, "dist")).filter((name) => name.endsWith(".js")))
    expect(readFileSync(join(installed, "dist", file), "utf8")).not.toMatch(/node:|\bprocess\.|\bBuffer\b|\brequire\(/);
});

it("the installed package's types accept and refuse what they should, without Node's types, as ES modules and as CommonJS", async () => {
  const calls = readFileSync(join(import.meta.dirname, "typed-calls.ts"), "utf8");
  // `node16` refuses to import ES modules from CommonJS, which `.cts` is.
  const files = ["typed-calls.mts", "typed-calls.cts"];
  for (const file of files) writeFileSync(join(app, file), calls.replace("../../sdk/src/index.ts", "plugboard-sdk"));
  const lib = "es2022,dom,dom.iterable,dom.asynciterable";
  await run("tsc", [...CHECK_TYPES, "--module", "node16", "--lib", lib, "--types", "", ...files], app);
});

it("the package is loaded by require as CommonJS, on the machine's own Node", async () => {
  const code = `const { Plugboard, NotFoundError } = require("plugboard-sdk");
    const { apiKey, baseUrl } = ${JSON.stringify({ apiKey: service.apiKey, baseUrl: service.url })};
    const pb = new Plugboard({ apiKey, baseUrl });
    console.log(require.resolve("plugboard-sdk").split("plugboard-sdk/").at(-1));
    pb.platform.connections.get("none").catch((error) => console.log(error instanceof NotFoundError));`;
  writeFileSync(join(app, "required.cjs"), code);
  expect(await run(plainNode, ["required.cjs"], app)).toBe("dist/cjs/index.js\ntrue\n");
});

it("the recipes of the README have the right types", async () => {
  for (const [index, { code }] of recipes.entries()) writeFileSync(join(app, `recipe-${index}.ts`), code);
  const options = [...CHECK_TYPES, "--noImplicitAny", "false", "--useUnknownInCatchVariables", "false"];
  const types = ["--types", "node", "--typeRoots", join(root, "node_modules/@types"), "--skipLibCheck"];
  const files = recipes.map((_, index) => `recipe-${index}.ts`);
  await run("tsc", [...options, "--module", "nodenext", "--target", "esnext", ...types, ...files], app);
});

it("every recipe of the README runs on the machine's own Node, and prints what the README shows", async () => {
  expect(recipes.length).toBeGreaterThanOrEqual(10);
  // The event log is written shortly after the connections of the sandbox.
  const pb = new Plugboard({ apiKey: service.apiKey, baseUrl: service.url });
  await expect.poll(async () => (await pb.platform.events.list()).data.length).toBeGreaterThan(10);
  const files = recipes.map(({ code }, index) => {
    const file = `./recipe-${index}.js`;
    writeFileSync(join(app, file), code.replaceAll("http://127.0.0.1:8080", service.url));
    return file;
  });
  const separator = "\u0001";
  const main = `for (const file of ${JSON.stringify(files)}) { await import(file); console.log("${separator}"); }`;
  writeFileSync(join(app, "main.js"), main);
  const printed = (await run(plainNode, ["main.js"], app)).split(`${separator}\n`);
  for (const [index, { title, shown = "" }] of recipes.entries()) {
    const pattern = shown.split("…").map(RegExp.escape).join(".*");
    expect(printed[index], title).toMatch(new RegExp(`^${pattern}$`));
  }
});

it("the README's webhook handler accepts a signed event and refuses others, on the machine's own Node", async () => {
  const { body, headers } = signedEvent();
  const handler = recipes.findIndex(({ code }) => code.includes("export async function POST"));
  const code = `const { POST } = await import("./recipe-${handler}.js");
    const init = { method: "POST", headers: ${JSON.stringify(headers)} };
    for (const body of ${JSON.stringify([body, `${body} `])})
      console.log((await POST(new Request("http://app.example", { ...init, body }))).status);`;
  writeFileSync(join(app, "handler.js"), code);
  writeFileSync(join(app, `recipe-${handler}.js`), recipes[handler]!.code);
  expect(await run(plainNode, ["handler.js"], app)).toBe("connection.created\n204\n400\n");
});

const browser = await launchChromium();
afterAll(() => browser?.close());

it.skipIf(!browser)("the package works in a browser, behind a server of its own origin that has the key", async () => {
  const site = createServer(async (request, response) => {
    const [, folder, rest] = /^\/(dist|plugboard)\/(.*)$/.exec(request.url!) ?? [];
    if (folder === "plugboard") {
      const headers = { authorization: `Bearer ${service.apiKey}`, "svc-connection-id": service.connections.github! };
      const answer = await fetch(`${service.url}/${rest}`, { headers });
      response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
    } else if (folder) {
      response.setHeader("content-type", "text/javascript");
      response.end(readFileSync(join(installed, "dist", rest!)));
    } else response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Application</title>");
  });
  site.listen(0, "127.0.0.1");
  await once(site, "listening");
  const page = await browser!.newPage();
  try {
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    const code = `(async ({ secret, body, headers }) => {
      const { Plugboard, verifyWebhook } = await import("/dist/index.js");
      const pb = new Plugboard({ apiKey: "added by the server", baseUrl: location.origin + "/plugboard" });
      const repos = await pb.connection("conn_1").git.repos.list({ limit: 40 }).toArray(60);
      return { repos: repos.length, event: await verifyWebhook(body, headers, secret) };
    })(${JSON.stringify({ secret, ...signedEvent() })})`;
    const result = await page.evaluate(code);
    expect(result).toMatchObject({ repos: 60, event: { type: "connection.created" } });
  } finally {
    await page.close();
    site.closeAllConnections();
    site.close();
  }
});
