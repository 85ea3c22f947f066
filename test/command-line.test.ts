import { once } from "node:events";
import { readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { operations } from "../src/categories/index.ts";
import { providers } from "../src/providers/registry.gen.ts";
import { launch, newDataDir, printed, type Running, run, start } from "./support/command.ts";
import { createPlatform } from "./support/platform.ts";

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
  it("shows help that names every command, and its version", async () => {
    const [help, short, bare, version] = await Promise.all([run(["--help"]), run(["-h"]), run([]), run(["--version"])]);
    for (const command of [
      "start",
      "sandbox",
      "keys create",
      "keys list",
      "keys revoke",
      "keys rotate-encryption",
      "providers",
    ])
      expect(help.stdout).toContain(`  ${command} `);
    expect(short).toEqual(help);
    expect(bare).toEqual(help);
    expect(help.code).toBe(0);
    const { version: current } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8"));
    expect(version).toEqual({ code: 0, stdout: `${current}\n`, stderr: "" });
  });

  const mistakes: [string[], RegExp][] = [
    [["nonsense"], /unknown command: nonsense/],
    [["start", "--fast"], /unknown option '--fast'/],
    [["keys"], /create, list, revoke/],
    [["keys", "create"], /--workspace NAME/],
    [["keys", "create", "--workspace", " "], /--workspace NAME/],
    [["keys", "create", "--workspace", "a", "--yaml"], /--yaml/],
    [["keys", "revoke", "a", "b"], /ID of one key/],
    [["sandbox", "--port", "many"], /--port/],
    [["providers", "all"], /unexpected argument/],
  ];
  it.concurrent.each(mistakes)("%j: one clear line, exit code 2", async (args, line) => {
    const { code, stdout, stderr } = await run(args, { DATA_DIR: newFolder() });
    expect(stderr).toMatch(line);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect([code, stdout]).toEqual([2, ""]);
  });

  it("refuses a wrong environment before anything is opened, one line for each variable", async () => {
    const folder = newFolder();
    const { code, stdout, stderr } = await run(["start"], { DATA_DIR: join(folder, "data"), PORT: "x", SANDBOX: "x" });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr.trim().split("\n")).toEqual([
      expect.stringMatching(/^plugboard: PORT: must be /),
      expect.stringMatching(/^plugboard: SANDBOX: must be /),
    ]);
    expect(() => statSync(join(folder, "data"))).toThrow();
  });

  it("says in one line that the port is taken, or that the database does not answer", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const taken = await run(["start"], { DATA_DIR: newFolder(), PORT: String(port) });
    server.close();
    expect(taken.code).toBe(1);
    expect(taken.stderr).toMatch(/^plugboard: .*EADDRINUSE.*\n$/);

    const unanswered = await run(["keys", "list"], {
      DATABASE_URL: `postgres://nobody:hunter2@127.0.0.1:${port}/none`,
      ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
    });
    expect(unanswered.code).toBe(1);
    expect(unanswered.stderr).toMatch(/^plugboard: The database is unavailable.*\n$/);
    expect(unanswered.stderr).not.toContain("hunter2");
  });

  it("lists the providers", async () => {
    const [plain, json] = await Promise.all([run(["providers"]), run(["providers", "--json"])]);
    const listed = JSON.parse(json.stdout);
    expect(listed.map(({ id }: { id: string }) => id)).toEqual(providers.map(({ manifest }) => manifest.id));
    for (const { manifest } of providers) expect(plain.stdout).toContain(manifest.name);
  });
});

describe("plugboard keys", () => {
  it("makes workspaces and keys, lists them, and revokes them", async () => {
    const env = { DATA_DIR: newFolder() };
    const first = await run(["keys", "create", "--workspace", "Acme Ltd.", "--json"], env);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    const made = JSON.parse(first.stdout);
    expect(first.stdout.trim()).toBe(
      `{"workspace":"Acme Ltd.","client_id":"${made.client_id}","api_key":"${made.api_key}"}`,
    );
    expect(made.api_key).toMatch(/^sk_[A-Za-z0-9]{48}$/);

    const second = await run(["keys", "create", "--workspace", "Acme Ltd."], env);
    expect(second.stdout).toContain(made.client_id);
    await run(["keys", "create", "--workspace", "Other"], env);

    const all = JSON.parse((await run(["keys", "list", "--json"], env)).stdout);
    expect(all.map(({ workspace }: { workspace: string }) => workspace)).toEqual(["Acme Ltd.", "Acme Ltd.", "Other"]);
    expect(all[0]).toEqual({
      id: expect.stringMatching(/^key_/),
      workspace: "Acme Ltd.",
      name: null,
      prefix: made.api_key.slice(0, 9),
      created_at: expect.stringMatching(/Z$/),
    });
    const list = await run(["keys", "list", "--workspace", "Acme Ltd."], env);
    expect(list.stdout.trim().split("\n")).toHaveLength(3);
    expect(list.stdout).not.toContain(made.api_key);

    expect(await run(["keys", "revoke", all[0].id], env)).toMatchObject({ code: 0, stdout: `Revoked ${all[0].id}\n` });
    expect(await run(["keys", "revoke", all[0].id], env)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(all[0].id),
    });
    expect(JSON.parse((await run(["keys", "list", "--json"], env)).stdout)).toHaveLength(2);
    expect(await run(["keys", "list", "--workspace", "Nobody"], env)).toMatchObject({
      code: 1,
      stderr: 'plugboard: there is no workspace "Nobody"\n',
    });
  });
});

describe("plugboard start", () => {
  const dataDir = newFolder();
  let service: Running;
  beforeAll(async () => {
    service = await start({ DATA_DIR: dataDir });
  });
  afterAll(async () => {
    service?.child.kill("SIGKILL");
    await service?.ended;
  });

  const sandboxJson = () => JSON.parse(readFileSync(join(dataDir, "sandbox.json"), "utf8"));

  it("prints a call that works when pasted, and where everything is", async () => {
    const { stdout } = service.output;
    const [, address, ...headers] = /curl '([^']+)' -H '([^:]+): ([^']+)' -H '([^:]+): ([^']+)'/.exec(stdout)!;
    const response = await fetch(address!, {
      headers: { [headers[0]!]: headers[1]!, [headers[2]!]: headers[3]! },
    });
    expect(response.status).toBe(200);
    const { data } = ((await response.json()) as any).response;
    expect(data).toHaveLength(3);
    expect(stdout).toContain(join(dataDir, "sandbox.json"));
    // The README shows the same call, and the beginning of its answer.
    const readme = readFileSync(join(import.meta.dirname, "..", "README.md"), "utf8");
    expect(readme).toContain(`curl 'http://127.0.0.1:8080${address!.slice(service.url.length)}'`);
    const { id, title, status } = data[0];
    expect(readme).toContain(`{"id": "${id}", "title": "${title}", "status": "${status}", …}`);
    expect(stdout).toContain(`${service.url}/docs`);
  });

  it("writes sandbox.json and its key file for its owner alone", async () => {
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
    expect(service.output.stdout).toContain(content.api_key);
  });

  it("keeps serving while its secrets are encrypted again, and while keys come and go", async () => {
    const env = { DATA_DIR: dataDir };
    const rotated = await run(["keys", "rotate-encryption"], env);
    expect(rotated).toMatchObject({ code: 0, stderr: "" });
    expect(Number.parseInt(rotated.stdout, 10)).toBeGreaterThan(0);
    const key = JSON.parse((await run(["keys", "create", "--workspace", "new", "--json"], env)).stdout).api_key;
    expect(await createPlatform(service, key)("GET", "/v1/workspace")).toMatchObject({
      status: 200,
      body: { name: "new" },
    });
    const { api_key, integrations } = sandboxJson();
    const call = createPlatform(service, api_key);
    for (const id of Object.values(integrations))
      expect((await call("GET", `/v1/integrations/${id}`)).status).toBe(200);
  });

  it("is the same sandbox at the next start, and makes again what was deleted", async () => {
    const before = sandboxJson();
    const [provider, id] = Object.entries<string>(before.connections)[0]!;
    await createPlatform(service, before.api_key)("DELETE", `/v1/connections/${id}`);
    service.child.kill("SIGTERM");
    expect(await service.ended).toBe(0);

    service = await start({ DATA_DIR: dataDir, PORT: new URL(service.url).port });
    const after = sandboxJson();
    expect(after.connections[provider]).not.toBe(id);
    expect(after).toEqual({
      ...before,
      connections: { ...before.connections, [provider]: after.connections[provider] },
    });
    expect((await createPlatform(service, after.api_key)("GET", "/v1/workspace")).status).toBe(200);
  });
});

it("plugboard start without the sandbox says how to make a key, and has no emulated providers", async () => {
  const service = await start({ DATA_DIR: newFolder(), SANDBOX: "off" });
  try {
    expect(service.output.stdout).toContain("keys create --workspace");
    expect((await fetch(`${service.url}/sandbox/_requests`)).status).toBe(404);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  } finally {
    service.child.kill("SIGTERM");
    expect(await service.ended).toBe(0);
  }
});

describe("a signal to stop", () => {
  /** A provider that leaves its callers waiting until it is told to answer. */
  async function slowProvider() {
    const waiting: ServerResponse[] = [];
    const server = createServer((_, response) => void waiting.push(response)).listen(0, "127.0.0.1");
    await once(server, "listening");
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      waiting,
      close: () => {
        server.closeAllConnections();
        server.close();
      },
    };
  }

  /** A service with one call under way to the slow provider. */
  async function busyService(upstream: string) {
    const dataDir = newFolder();
    const service = await start({ DATA_DIR: dataDir, ALLOW_PRIVATE_UPSTREAMS: "true" });
    const made = await run(["keys", "create", "--workspace", "busy", "--json"], { DATA_DIR: dataDir });
    const { api_key } = JSON.parse(made.stdout);
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

  it("lets the request under way finish, writes the request log, and ends with 0", async () => {
    const provider = await slowProvider();
    const { service, dataDir, answer, connection } = await busyService(provider.url);
    await vi.waitFor(() => expect(provider.waiting).toHaveLength(1), 10_000);
    service.child.kill("SIGTERM");
    await vi.waitFor(async () => expect(await accepts(service.url)).toBe(false), 10_000);
    provider.waiting[0]!.writeHead(418, { "content-type": "text/plain" }).end("in the end");
    const response = await answer;
    expect([response.status, await response.text()]).toEqual([418, "in the end"]);
    expect(await service.ended).toBe(0);
    expect(service.output.stderr).toBe("");
    const database = new DatabaseSync(join(dataDir, "plugboard.db"), { readOnly: true });
    const batches = database.prepare("select entries from request_batches where connections like ?");
    const entries = batches.all(`%"${connection}"%`).flatMap((batch) => JSON.parse(batch.entries as string));
    const [called] = entries.filter((entry: unknown[]) => entry.includes("unified"));
    expect(called).toContain(418);
    database.close();
    provider.close();
  });

  it("given twice, ends it at once", async () => {
    const provider = await slowProvider();
    const { service, answer } = await busyService(provider.url);
    const broken = expect(answer).rejects.toThrow();
    await vi.waitFor(() => expect(provider.waiting).toHaveLength(1), 10_000);
    service.child.kill("SIGINT");
    await printed(service.child, service.output, /stopping/);
    service.child.kill("SIGINT");
    expect(await service.ended).toBe(1);
    await broken;
    provider.close();
  });
});

it("plugboard sandbox serves the emulated providers alone", async () => {
  const service = await startSandbox();
  try {
    expect(await (await fetch(`${service.url}/_requests`)).json()).toEqual([]);
    expect((await fetch(`${service.url}/../unified/v1/git/repos`)).status).toBe(404);
  } finally {
    service.child.kill("SIGTERM");
    expect(await service.ended).toBe(0);
  }
});

async function startSandbox() {
  const { child, output } = launch(["sandbox", "--port", "0"], {});
  const ended = once(child, "close").then(([code]) => code);
  const url = await printed(child, output, /are at (\S+)\/<provider>/);
  return { child, url, ended };
}
