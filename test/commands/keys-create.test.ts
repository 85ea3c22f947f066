import { readdirSync, rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { providers } from "../../src/providers/registry.gen.ts";
import { callCommand } from "../support/command.ts";
import { createPlatform } from "../support/platform.ts";
import { newDataDir, type PlugboardProcess, runCommand, startPlugboard } from "../support/process.ts";
import { createWorkspaces } from "../support/workspace.ts";

const folders: string[] = [];
function newFolder(): string {
  const folder = newDataDir();
  folders.push(folder);
  return folder;
}
afterAll(async () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe("keys create while the service runs", () => {
  const env = { DATA_DIR: newFolder() };
  let service: PlugboardProcess;
  beforeAll(async () => {
    service = await startPlugboard(env);
  });
  afterAll(async () => void (await service?.stop()));

  it("keys create --sandbox fills a workspace with emulated providers while the service runs, and prints a first call that works", async () => {
    const PORT = new URL(service.url).port;
    const printed = await runCommand(["keys", "create", "--workspace", "Mine", "--sandbox"], { ...env, PORT });
    expect(printed).toMatchObject({ code: 0, stderr: "" });
    const [, address, ...headers] = /curl '([^']+)' -H '([^:]+): ([^']+)' -H '([^:]+): ([^']+)'/.exec(printed.stdout)!;
    const response = await fetch(address!, {
      headers: { [headers[0]!]: headers[1]!, [headers[2]!]: headers[3]! },
    });
    expect([response.status, ((await response.json()) as any).response.data.length]).toEqual([200, 3]);

    // Once more: nothing is created twice.
    const again = await callCommand(["keys", "create", "--workspace", "Mine", "--sandbox", "--json"], {
      ...env,
      PORT,
    });
    const made = JSON.parse(again.stdout);
    expect(Object.keys(made)).toEqual(["workspace", "client_id", "api_key", "connections", "integrations"]);
    const expected = providers.map(({ manifest }) => manifest.id).sort();
    expect(Object.keys(made.connections).sort()).toEqual(expected);
    expect(Object.keys(made.integrations).sort()).toEqual(expected);
    const platform = createPlatform(service, made.api_key);
    const ids = async (path: string) => (await platform("GET", path)).body.map(({ id }: { id: string }) => id).sort();
    expect(await ids("/v1/connections?limit=100")).toEqual(Object.values(made.connections).sort());
    expect(await ids("/v1/integrations?limit=100")).toEqual(Object.values(made.integrations).sort());

    const proxied = await fetch(`${service.url}/proxy/user`, {
      headers: { authorization: `Bearer ${made.api_key}.${made.connections.github}` },
    });
    expect(proxied.status).toBe(200);
  });

  it("keys create --tool-pack limits a key to a tool pack of the workspace", async () => {
    const create = (...args: string[]) =>
      callCommand(["keys", "create", "--workspace", "Packs", "--json", ...args], env);
    const { api_key } = JSON.parse((await create()).stdout);
    const platform = createPlatform(service, api_key);
    const { id } = (await platform("POST", "/v1/tool-packs", { name: "Sales", access: "read" })).body;
    expect(await create("--tool-pack", id)).toMatchObject({ code: 0, stderr: "" });
    const [key] = (await platform("GET", "/v1/api-keys?order=newest&limit=1")).body;
    expect(key).toMatchObject({ tool_pack_id: id, scopes: ["mcp"] });
    expect(await create("--tool-pack", id, "--scopes", "mcp,proxy")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--scopes must be mcp with --tool-pack, or left out"),
    });
    for (const workspace of ["Packs", "Another"])
      expect(await create("--tool-pack", "tp_none", "--workspace", workspace)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`there is no tool pack tp_none in the workspace "${workspace}"`),
      });
    expect((await callCommand(["keys", "list"], env)).stdout).not.toContain("Another");
  });
});

describe("keys create", () => {
  it("keys create says in two lines what to do next, and the second one can be pasted", async () => {
    const env = { DATA_DIR: newFolder(), PORT: "8123" };
    const { stdout } = await callCommand(["keys", "create", "--workspace", "Bob's app"], env);
    const [, next] = stdout.split("Save the key now: it is not shown again.\n\n");
    expect(next!.split("\n")).toEqual([
      "Next, create an integration with POST http://127.0.0.1:8123/platform/v1/integrations, then connect an account: see docs/connecting.md.",
      "To try it with emulated providers first: npx plugboard keys create --workspace 'Bob'\\''s app' --sandbox",
      "",
    ]);
    const withoutSandbox = await callCommand(["keys", "create", "--workspace", "a"], { ...env, SANDBOX: "off" });
    expect(withoutSandbox.stdout).toContain("All calls are described at http://127.0.0.1:8123/docs.\n");
    expect(withoutSandbox.stdout).not.toContain("--sandbox");
  });

  it.each(["a".repeat(201), "Ac\nme", "Ac\u2028me"])("no workspace with the name %j is created", async (name) => {
    const env = { DATA_DIR: newFolder() };
    const { code, stderr } = await callCommand(["keys", "create", "--workspace", name], env);
    expect([code, stderr]).toEqual([2, expect.stringContaining("--workspace must be 1 to 200 characters, without")]);
    expect((await callCommand(["keys", "list", "--json"], env)).stdout).toBe("[]\n");
  });

  it("keys create finds a workspace by its exact name, also one that would not be created, and trims others", async () => {
    const env = { DATA_DIR: newFolder() };
    const long = "a".repeat(300);
    await createWorkspaces(env, "  Acme  ", long);
    const create = async (name: string) =>
      JSON.parse((await callCommand(["keys", "create", "--workspace", name, "--json"], env)).stdout).workspace;
    for (const name of ["  Acme  ", long, "New"]) expect(await create(name)).toBe(name);
    expect(await create(" New ")).toBe("New");
    const listed = JSON.parse((await callCommand(["keys", "list", "--workspace", "  Acme  ", "--json"], env)).stdout);
    expect(listed).toHaveLength(2);
  });

  it.each(["2099-02-29", "2099-12-31T23:59:60", "2099", "Feb 28 2099"])(
    "--expires %s is refused: it is no date and time, or does not exist",
    async (expires) => {
      const env = { DATA_DIR: newFolder() };
      const { code, stderr } = await callCommand(["keys", "create", "--workspace", "a", "--expires", expires], env);
      expect([code, stderr]).toEqual([2, expect.stringContaining("--expires must be a time from now, such as 90d")]);
    },
  );

  it("--expires without an offset counts as UTC, as in the API", async () => {
    const env = { DATA_DIR: newFolder() };
    const args = ["keys", "create", "--workspace", "a", "--expires", "2099-02-28T00:00:00"];
    await runCommand(args, { ...env, TZ: "America/New_York" });
    const [key] = JSON.parse((await callCommand(["keys", "list", "--json"], env)).stdout);
    expect(key.expires_at).toBe("2099-02-28T00:00:00.000Z");
  });

  it.each(["--external-id", "--tool-pack"])("an empty %s is refused: the key would not be limited", async (option) => {
    const env = { DATA_DIR: newFolder() };
    const { code, stderr } = await callCommand(["keys", "create", "--workspace", "a", option, ""], env);
    expect([code, stderr]).toEqual([2, `plugboard: ${option} must not be empty. See: plugboard --help\n`]);
    expect(readdirSync(env.DATA_DIR)).toEqual([]);
  });

  it("--sandbox is refused with SANDBOX=off, and no workspace is created", async () => {
    const env = { DATA_DIR: newFolder(), SANDBOX: "off" };
    const { code, stdout, stderr } = await callCommand(["keys", "create", "--workspace", "a", "--sandbox"], env);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^plugboard: SANDBOX: must be on or public with --sandbox.*\n$/);
    expect(readdirSync(env.DATA_DIR)).toEqual([]);
  });
});
