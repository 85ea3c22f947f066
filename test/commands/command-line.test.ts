import { once } from "node:events";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { operations } from "../../src/categories/index.ts";
import { readCatalogue } from "../../src/provider-document/catalogue.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { callCommand } from "../support/command.ts";
import { createPlatform } from "../support/platform.ts";
import { freePort } from "../support/postgres.ts";
import {
  launch,
  newDataDir,
  type PlugboardProcess,
  runCommand,
  startPlugboard,
  waitForOutput,
} from "../support/process.ts";
import { createWorkspaces } from "../support/workspace.ts";

const folders: string[] = [];
function newFolder(): string {
  const folder = newDataDir();
  folders.push(folder);
  return folder;
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe("plugboard", () => {
  it("plugboard shows help that names every command, and its version", async () => {
    const [help, version] = await Promise.all([runCommand(["--help"]), runCommand(["--version"])]);
    const [short, bare] = [await callCommand(["-h"]), await callCommand([])];
    for (const command of [
      "start",
      "sandbox",
      "dashboard",
      "keys create",
      "keys list",
      "keys revoke",
      "keys rotate-encryption",
      "doctor",
      "apply -f FILE",
      "apply --export",
      "backup FILE",
      "restore FILE",
      "export FILE",
      "import FILE",
      "import --from nango",
      "providers",
      "new-provider",
      "test-provider",
    ])
      expect(help.stdout).toContain(`  ${command} `);
    expect(short).toEqual(help);
    expect(bare).toEqual(help);
    expect(help.code).toBe(0);
    const { version: current } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
    expect(version).toEqual({ code: 0, stdout: `${current}\n`, stderr: "" });
  });

  const wrongArguments: [string[], RegExp][] = [
    [["nonsense"], /unknown command: nonsense/],
    [["start", "--fast"], /unknown option '--fast'/],
    [["keys"], /create, list, revoke/],
    [["keys", "create"], /--workspace NAME/],
    [["keys", "create", "--workspace", " "], /--workspace NAME/],
    [["keys", "create", "--workspace", "a", "--yaml"], /--yaml/],
    [["keys", "revoke", "a", "b"], /ID of one key/],
    [["apply"], /-f FILE, or --export/],
    [["apply", "--export", "--prune"], /it takes no -f, --prune/],
    [["apply", "--export", "--url", "nowhere"], /--url must be an http or https address/],
    [["sandbox", "--port", "many"], /--port/],
    [["providers", "all"], /unexpected argument/],
    [["doctor", "--fix"], /unknown option '--fix'/],
  ];
  it.each(wrongArguments)("plugboard called with %j prints one line on stderr and exits with 2", async (args, line) => {
    const { code, stdout, stderr } = await callCommand(args, { DATA_DIR: newFolder() });
    expect(stderr).toMatch(line);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect([code, stdout]).toEqual([2, ""]);
  });

  it("a process ends with the output and the exit code of its command", async () => {
    const [unknown, incomplete] = [["nonsense"], ["keys", "create"]];
    const ended = await Promise.all([runCommand(unknown!), runCommand(incomplete!)]);
    expect(ended).toEqual([await callCommand(unknown!), await callCommand(incomplete!)]);
    expect(ended[0]).toMatchObject({ code: 2, stderr: expect.stringContaining("unknown command") });
  });

  it("plugboard start refuses an invalid environment before it opens anything, with one line per variable", async () => {
    const folder = newFolder();
    const { code, stdout, stderr } = await runCommand(["start"], {
      DATA_DIR: join(folder, "data"),
      PORT: "x",
      SANDBOX: "x",
    });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr.trim().split("\n")).toEqual([
      expect.stringMatching(/^plugboard: PORT: must be /),
      expect.stringMatching(/^plugboard: SANDBOX: must be /),
    ]);
    expect(() => statSync(join(folder, "data"))).toThrow();
  });

  it("plugboard says in one line that the database is unavailable", async () => {
    const port = await freePort();
    const unavailable = await callCommand(["keys", "list"], {
      DATABASE_URL: `postgres://nobody:hunter2@127.0.0.1:${port}/none`,
      ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
    });
    expect(unavailable.code).toBe(1);
    expect(unavailable.stderr).toMatch(/^plugboard: The database is unavailable.*\n$/);
    expect(unavailable.stderr).not.toContain("hunter2");
  });

  it("plugboard names DATA_DIR if it cannot be used", async () => {
    const DATA_DIR = join(newFolder(), "file");
    writeFileSync(DATA_DIR, "");
    const { code, stderr } = await callCommand(["keys", "create", "--workspace", "a"], { DATA_DIR });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^plugboard: DATA_DIR: must be a folder .+ EEXIST: .+ plugboard doctor says more\n$/);
  });

  it("plugboard providers lists the providers, as text and as JSON", async () => {
    const [plain, json] = [await callCommand(["providers"]), await runCommand(["providers", "--json"])];
    const listed = JSON.parse(json.stdout);
    const all = [...providers, ...readCatalogue()];
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(all.map(({ manifest }) => manifest.id));
    for (const { manifest } of all) expect(plain.stdout).toContain(manifest.name);
    expect(plain.stdout).toContain(`The catalogue, for the Proxy (${all.length - providers.length}):`);
  });
});

describe("plugboard keys", () => {
  it("plugboard keys creates workspaces and keys, lists them and revokes them", async () => {
    const env = { DATA_DIR: newFolder() };
    const first = await runCommand(["keys", "create", "--workspace", "Acme Ltd.", "--json"], env);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    const created = JSON.parse(first.stdout);
    expect(first.stdout.trim()).toBe(
      `{"workspace":"Acme Ltd.","client_id":"${created.client_id}","api_key":"${created.api_key}"}`,
    );
    expect(created.api_key).toMatch(/^sk_[A-Za-z0-9]{48}$/);

    const second = await callCommand(["keys", "create", "--workspace", "Acme Ltd."], env);
    expect(second.stdout).toContain(created.client_id);
    const limited = ["--name", "billing", "--scopes", "unified:read, logs:read", "--expires", "90d"];
    await callCommand(["keys", "create", "--workspace", "Other", "--external-id", "user-1", ...limited], env);
    expect(await callCommand(["keys", "create", "--workspace", "Other", "--scopes", "unified:red"], env)).toMatchObject(
      {
        code: 2,
        stderr: expect.stringContaining("--scopes: unified:red is unknown; there are unified:read"),
      },
    );
    for (const expires of ["2020-01-01", "9999-12-31"])
      expect(await callCommand(["keys", "create", "--workspace", "Other", "--expires", expires], env)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining("--expires must be a time from now, such as 90d"),
      });

    const all = JSON.parse((await callCommand(["keys", "list", "--json"], env)).stdout);
    expect(all.map(({ workspace }: { workspace: string }) => workspace)).toEqual(["Acme Ltd.", "Acme Ltd.", "Other"]);
    expect(all[0]).toEqual({
      id: expect.stringMatching(/^key_/),
      workspace: "Acme Ltd.",
      name: null,
      prefix: created.api_key.slice(0, 9),
      scopes: ["*"],
      external_id: null,
      connection_ids: null,
      tool_pack_id: null,
      expires_at: null,
      last_used_at: null,
      created_at: expect.stringMatching(/Z$/),
    });
    expect(all[2]).toMatchObject({ name: "billing", scopes: ["unified:read", "logs:read"], external_id: "user-1" });
    expect(Date.parse(all[2].expires_at) - Date.now()).toBeCloseTo(90 * 86_400_000, -6);
    const list = await callCommand(["keys", "list", "--workspace", "Acme Ltd."], env);
    expect(list.stdout.trim().split("\n")).toHaveLength(3);
    expect(list.stdout).not.toContain(created.api_key);

    expect(await runCommand(["keys", "revoke", all[0].id], env)).toMatchObject({
      code: 0,
      stdout: `Revoked ${all[0].id}\n`,
    });
    expect(await callCommand(["keys", "revoke", all[0].id], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(all[0].id),
    });
    expect(JSON.parse((await callCommand(["keys", "list", "--json"], env)).stdout)).toHaveLength(2);
    expect(await callCommand(["keys", "list", "--workspace", "Nobody"], env)).toMatchObject({
      code: 1,
      stderr: 'plugboard: there is no workspace "Nobody"\n',
    });
  });
});

/** What Node and the allocator were started with, if it concerns memory. */
const memorySettings = ({ child: { pid } }: PlugboardProcess) =>
  ["cmdline", "environ"]
    .map((file) => readFileSync(`/proc/${pid}/${file}`, "utf8"))
    .flatMap((text) => text.match(/--max-semi-space-size=\d+|MALLOC_ARENA_MAX=\d/g) ?? [])
    .sort();

describe("plugboard start", () => {
  const dataDir = newFolder();
  let service: PlugboardProcess;
  beforeAll(async () => {
    service = await startPlugboard({ DATA_DIR: dataDir });
  });
  afterAll(async () => {
    await service?.stop();
  });

  const sandboxJson = () => JSON.parse(readFileSync(join(dataDir, "sandbox.json"), "utf8"));

  it("plugboard start writes sandbox.json, the key file and the database readable by their owner only", async () => {
    const content = sandboxJson();
    expect(Object.keys(content)).toEqual(["api_key", "client_id", "urls", "connections", "integrations"]);
    expect(content.urls).toEqual({
      unified: `${service.url}/unified`,
      platform: `${service.url}/platform`,
      auth: `${service.url}/auth`,
      proxy: `${service.url}/proxy`,
      mcp: `${service.url}/mcp`,
    });
    expect(Object.keys(content.connections).sort()).toEqual(Object.keys(content.integrations).sort());
    for (const file of ["sandbox.json", "encryption.key", "plugboard.db"])
      expect(statSync(join(dataDir, file)).mode & 0o077, file).toBe(0);
    expect(service.output.stdout).not.toContain(content.api_key);
  });

  it.skipIf(process.platform !== "linux")(
    "plugboard start runs with a small young heap and one arena for all threads",
    () => {
      expect(memorySettings(service)).toEqual(["--max-semi-space-size=16", "MALLOC_ARENA_MAX=1"]);
    },
  );

  it("a running service keeps serving while its secrets are re-encrypted and a key is created", async () => {
    const env = { DATA_DIR: dataDir };
    const rotated = await runCommand(["keys", "rotate-encryption"], env);
    expect(rotated).toMatchObject({ code: 0, stderr: "" });
    expect(Number.parseInt(rotated.stdout, 10)).toBeGreaterThan(0);
    const key = JSON.parse((await callCommand(["keys", "create", "--workspace", "new", "--json"], env)).stdout).api_key;
    expect(await createPlatform(service, key)("GET", "/v1/workspace")).toMatchObject({
      status: 200,
      body: { name: "new" },
    });
    const { api_key, integrations } = sandboxJson();
    const call = createPlatform(service, api_key);
    for (const id of Object.values(integrations))
      expect((await call("GET", `/v1/integrations/${id}`)).status).toBe(200);
  });

  it("the sandbox stays the same at the next start, and a deleted connection is created again", async () => {
    const before = sandboxJson();
    const [provider, id] = Object.entries<string>(before.connections)[0]!;
    await createPlatform(service, before.api_key)("DELETE", `/v1/connections/${id}`);
    // Unlike SIGTERM, it does not wait for clients that keep their connections.
    expect(await service.stop("SIGINT")).toBe(0);

    service = await startPlugboard({ DATA_DIR: dataDir, PORT: new URL(service.url).port });
    const after = sandboxJson();
    expect(after.connections[provider]).not.toBe(id);
    expect(after).toEqual({
      ...before,
      connections: { ...before.connections, [provider]: after.connections[provider] },
    });
    expect((await createPlatform(service, after.api_key)("GET", "/v1/workspace")).status).toBe(200);
  });
});

describe("plugboard start with SANDBOX=off, and settings of its own for memory", () => {
  const env = { SANDBOX: "off", LOG_LEVEL: "error", NODE_OPTIONS: "--max-semi-space-size=32", MALLOC_ARENA_MAX: "2" };
  let service: PlugboardProcess;
  beforeAll(async () => {
    service = await startPlugboard({ DATA_DIR: newFolder(), ...env });
  });
  afterAll(async () => void (await service?.stop()));

  it.skipIf(process.platform !== "linux")("plugboard start runs as its environment says", () => {
    expect(memorySettings(service)).toEqual(["--max-semi-space-size=32", "MALLOC_ARENA_MAX=2"]);
  });

  it("plugboard start has no emulated providers with SANDBOX=off", async () => {
    expect((await fetch(`${service.url}/sandbox/_requests`)).status).toBe(404);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  });

  it("plugboard start says that it is ready at every log level but silent, and ends with 0", async () => {
    expect(await service.stop("SIGINT")).toBe(0);
    const lines = service.output.stdout.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual([`Plugboard is ready at ${service.url}`]);
  });
});

describe("a signal to stop", () => {
  /** A provider that answers 404 at first, and then when the test says so. */
  async function slowProvider() {
    const pending: ServerResponse[] = [];
    let isSlow = false;
    const server = createServer((_, response) => {
      if (isSlow) pending.push(response);
      else response.writeHead(404).end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      pending,
      slowDown: () => {
        isSlow = true;
      },
      close: () => {
        server.closeAllConnections();
        server.close();
      },
    };
  }

  /** A service with one call in flight to the slow provider. */
  async function busyService({ url: upstream, slowDown }: Awaited<ReturnType<typeof slowProvider>>) {
    const dataDir = newFolder();
    const env = { DATA_DIR: dataDir, SANDBOX: "off" };
    const service = await startPlugboard({ ...env, ALLOW_PRIVATE_UPSTREAMS: "true" });
    const [api_key = ""] = await createWorkspaces(env, "busy");
    const platform = createPlatform(service, api_key);
    const { manifest, categories } = providers.find(({ manifest }) => manifest.auth.api_key && !manifest.settings)!;
    const operation = operations.find(
      ({ kind, parameters, category, name }) =>
        kind === "list" &&
        parameters.length === 0 &&
        categories.some((implemented) => implemented.category === category && implemented.operations[name]),
    )!;
    const integration = await platform("POST", "/v1/integrations", {
      identifier: manifest.id,
      type: "api_key",
      base_url: upstream,
    });
    const connection = await platform("POST", "/v1/connections", {
      integration_id: integration.body.id,
      auth_token: "made-up",
    });
    expect(connection.status).toBe(201);
    // Whose account it is has been asked before.
    slowDown();
    const answer = fetch(`${service.url}/unified${operation.route}`, {
      headers: { authorization: `Bearer ${api_key}`, "SVC-Connection-ID": connection.body.id },
    });
    return { service, dataDir, answer, connection: connection.body.id as string };
  }

  const accepts = (url: string) =>
    new Promise<boolean>((resolve) => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1");
      socket.on("connect", () => resolve(true)).on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });

  it("SIGTERM lets the request in flight finish, writes the request log and exits with 0", async () => {
    const provider = await slowProvider();
    const { service, dataDir, answer, connection } = await busyService(provider);
    await vi.waitFor(() => expect(provider.pending).toHaveLength(1), 60_000);
    service.child.kill("SIGTERM");
    await vi.waitFor(async () => expect(await accepts(service.url)).toBe(false), 60_000);
    provider.pending[0]!.writeHead(418, { "content-type": "text/plain" }).end("in the end");
    const response = await answer;
    expect([response.status, await response.text()]).toEqual([418, "in the end"]);
    expect(await service.ended).toBe(0);
    expect(service.output.stderr).toBe("");
    expect(service.output.stdout).toContain("to create an API key: npx plugboard keys create --workspace NAME");
    const database = new DatabaseSync(join(dataDir, "plugboard.db"), { readOnly: true });
    const batches = database.prepare("select entries from log_batches where entries like ?");
    const entries = batches.all(`%"${connection}"%`).flatMap((batch) => String(batch.entries).split("\n"));
    const [called] = entries.map((line) => JSON.parse(line)).filter((entry) => entry.includes("unified"));
    expect(called).toContain(418);
    database.close();
    provider.close();
  });

  it("a second SIGINT ends the process immediately", async () => {
    const provider = await slowProvider();
    const { service, answer } = await busyService(provider);
    const broken = expect(answer).rejects.toThrow();
    await vi.waitFor(() => expect(provider.pending).toHaveLength(1), 60_000);
    service.child.kill("SIGINT");
    await waitForOutput(service.child, service.output, /stopping/);
    service.child.kill("SIGINT");
    expect(await service.ended).toBe(1);
    await broken;
    provider.close();
  });
});

it("plugboard sandbox serves only the emulated providers, and writes JSON from the first line", async () => {
  const { child, output } = launch(["sandbox", "--port", "0"], {});
  const ended = once(child, "close");
  const url = await waitForOutput(child, output, /are at (\S+)\/<provider>/);
  expect(await (await fetch(`${url}/_requests`)).json()).toEqual([]);
  expect((await fetch(`${url}/../unified/v1/git/repos`)).status).toBe(404);
  child.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  for (const line of output.stdout.trim().split("\n")) expect(JSON.parse(line)).toHaveProperty("msg");
});
