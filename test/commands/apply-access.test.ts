// How `plugboard apply` finds its service and its workspace, as a command.
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { callCommand } from "../support/command.ts";
import { createPlatform, createStrictPlatform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import { runInTerminal, terminalProblem } from "../support/terminal.ts";

let service: TestService;
let key: string;
/** Of the machine on which the service runs. */
let local: Record<string, string>;
const folder = mkdtempSync(join(tmpdir(), "plugboard-apply-"));
const file = join(folder, "plugboard.yaml");
beforeAll(async () => {
  service = await startService();
  key = await service.createWorkspace("Acme");
  local = { DATA_DIR: service.config.dataDir, PORT: new URL(service.url).port };
  writeFileSync(file, "tool_packs: [{ name: Agents, access: read }]\n");
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

it("on the machine of the service it needs no key, leaves none behind, and is in the audit log", async () => {
  const planned = await callCommand(["apply", "-f", file, "--workspace", "Acme"], local);
  expect(planned).toMatchObject({ code: 3, stderr: "" });
  expect(planned.stdout).toContain(`The workspace "Acme" at ${service.url}/platform\n\n  + tool pack Agents\n`);
  const platform = createStrictPlatform(service, key);
  expect(await platform("GET", "/tool-packs")).toEqual([]);
  const applied = await callCommand(["apply", "-f", file, "--workspace", "Acme", "--yes"], local);
  expect(applied).toMatchObject({ code: 0, stderr: "" });
  expect(applied.stdout).toMatch(/\ncreated tool pack Agents \(tp_\w+\)\n$/);
  expect(await platform("GET", "/tool-packs")).toMatchObject([{ name: "Agents" }]);
  expect(await platform("GET", "/api-keys")).toHaveLength(1);
  const entries = (await platform("GET", "/audit?limit=3")) as { action: string; actor: object }[];
  expect(entries.map(({ action }) => action)).toEqual(["key.delete", "tool_pack.create", "key.create"]);
  expect(entries.map(({ actor }) => actor)).toEqual([
    expect.objectContaining({ kind: "command", name: "plugboard apply" }),
    expect.objectContaining({ kind: "key", name: "plugboard apply" }),
    expect.objectContaining({ kind: "command", name: "plugboard apply" }),
  ]);
  const unknown = await callCommand(["apply", "-f", file, "--workspace", "Other"], local);
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('there is no workspace "Other"')]);
});

it("with an address it needs a key, from a file or from the environment", async () => {
  const keyFile = join(folder, "key");
  writeFileSync(keyFile, `${key}\n`);
  const byFile = await callCommand(["apply", "--export", "--url", `${service.url}/platform/`, "--key-file", keyFile]);
  const withVariables = (env: Record<string, string>) =>
    callCommand(["apply", "--export"], { PLUGBOARD_URL: service.url, ...env });
  const byVariables = await withVariables({ PLUGBOARD_API_KEY: key });
  const without = await withVariables({});
  const wrong = await withVariables({ PLUGBOARD_API_KEY: "sk_wrong" });
  expect(byFile).toMatchObject({ code: 0, stderr: "" });
  expect(byFile.stdout).toContain("workspace:\n  name: Acme\n");
  expect(byVariables.stdout).toBe(byFile.stdout);
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining("needs PLUGBOARD_API_KEY or --key-file")]);
  expect([wrong.code, wrong.stderr]).toEqual([1, `plugboard: ${service.url}/platform does not accept the API key\n`]);
});

it("a key without the scopes, a service that is unavailable and one that is too old are named in one line", async () => {
  const { api_key } = (
    await createPlatform(service, key)("POST", "/v1/api-keys", { scopes: ["workspace:read", "keys:read"] })
  ).body;
  writeFileSync(join(folder, "other.yaml"), "tool_packs: [{ name: Other, access: read }]\n");
  const apply = (env: Record<string, string>) => callCommand(["apply", "-f", join(folder, "other.yaml"), "--yes"], env);
  // It knows no dry runs, and would make the change.
  const called: string[] = [];
  const old = createServer((request, response) => {
    called.push(`${request.method} ${request.url}`);
    response.end(JSON.stringify({ paths: { "/v1/integrations": { post: { parameters: [] } } } }));
  }).listen(0, "127.0.0.1");
  await once(old, "listening");
  const oldUrl = `http://127.0.0.1:${(old.address() as AddressInfo).port}`;
  const weak = await apply({ PLUGBOARD_URL: service.url, PLUGBOARD_API_KEY: api_key });
  const tooOld = await apply({ PLUGBOARD_URL: oldUrl, PLUGBOARD_API_KEY: key });
  const none = await apply({ PLUGBOARD_URL: "http://127.0.0.1:9", PLUGBOARD_API_KEY: key });
  old.close();
  expect([weak.code, weak.stderr]).toEqual([1, expect.stringMatching(/^plugboard: POST .*keys:write.*\n$/)]);
  expect([tooOld.code, tooOld.stderr]).toEqual([
    1,
    expect.stringMatching(/too old for this command: upgrade it first\n$/),
  ]);
  expect(called).toEqual(["GET /platform/openapi.json"]);
  expect([none.code, none.stderr]).toEqual([
    1,
    expect.stringMatching(/^plugboard: http:\/\/127\.0\.0\.1:9\/platform does not answer: .*\n$/),
  ]);
  for (const { stderr } of [weak, tooOld, none]) expect(stderr).not.toContain(key);
});

it.skipIf(terminalProblem())("in a terminal it asks before it changes anything", async () => {
  writeFileSync(join(folder, "asked.yaml"), "tool_packs: [{ name: Asked, access: read }]\n");
  const args = ["apply", "-f", join(folder, "asked.yaml"), "--workspace", "Acme"];
  await runInTerminal(args, local, /Type yes: /, async (output) => {
    expect(output).toContain("1 to create");
    expect(await createStrictPlatform(service, key)("GET", "/tool-packs")).toHaveLength(1);
  });
});
