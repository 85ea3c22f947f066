import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { newId } from "../../src/runtime/ids.ts";
import { createStore } from "../../src/store/index.ts";
import { keysFromText } from "../../src/store/key-source.ts";
import { createKeyring } from "../../src/store/vault.ts";

const REFRESHES = 200;
const CONNECTIONS = 10;

/** A refresh as the provider saw it: the refresh token that was used, and the one that took its place. */
interface Rotation {
  used: string;
  given: string;
  generation: number;
}

/** A provider whose refresh tokens are good once. It takes a random while to make up its mind. */
async function startRotatingProvider() {
  const current = new Map<string, string>();
  const last = new Map<string, Rotation>();
  let rotations = 0;
  let refusals = 0;
  let generation = 0;
  let asked = Promise.withResolvers<void>();
  let requestsLeft = 0;

  const within = (milliseconds: number) => wait(Math.random() * milliseconds);

  async function handle(request: IncomingMessage, response: ServerResponse) {
    let text = "";
    for await (const chunk of request) text += chunk;
    const used = new URLSearchParams(text).get("refresh_token")!;
    const [connection = ""] = used.split(".");
    if (--requestsLeft === 0) asked.resolve();
    await within(30);
    // Whoever is gone by now might as well never have asked.
    if (request.socket.destroyed) return;
    response.setHeader("content-type", "application/json");
    if (current.get(connection) !== used) {
      refusals += 1;
      response.statusCode = 400;
      return response.end(JSON.stringify({ error: "invalid_grant" }));
    }
    rotations += 1;
    const given = `${connection}.${rotations}`;
    current.set(connection, given);
    last.set(connection, { used, given, generation });
    await within(3);
    response.end(JSON.stringify({ access_token: `access.${rotations}`, refresh_token: given, expires_in: 0.02 }));
  }

  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    current,
    last,
    rotations: () => rotations,
    refusals: () => refusals,
    /** A new process begins. Resolves at its n-th request. */
    nextGeneration(requests: number): Promise<void> {
      generation += 1;
      requestsLeft = requests;
      asked = Promise.withResolvers();
      return asked.promise;
    },
    generation: () => generation,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

it(`loses no connection for a reason of ours when it is killed at random in ${REFRESHES} refreshes`, async () => {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-crash-"));
  const file = join(folder, "plugboard.db");
  const key = randomBytes(32).toString("base64");
  const provider = await startRotatingProvider();
  const store = await createStore({ url: `sqlite:${file}`, keyring: createKeyring(keysFromText(key)) });
  const workspace = await store.workspaces.create({
    id: newId("ws"),
    name: "crash",
    client_id: newId("client"),
    redirect_uris: [],
  });
  const integration = await store.integrations.create({
    id: newId("int"),
    workspace_id: workspace.id,
    identifier: "scripted",
    type: "oauth2",
    client_id: "a client",
    client_secret: "made up",
    scopes: null,
    base_url: provider.url,
    mcp_url: null,
  });
  const ids: string[] = [];
  for (let n = 0; n < CONNECTIONS; n++) {
    const id = newId("conn");
    ids.push(id);
    provider.current.set(id, `${id}.first`);
    await store.connections.create({
      id,
      workspace_id: workspace.id,
      integration_id: integration!.id,
      integration_identifier: "scripted",
      external_id: null,
      credentials: { token: "access.0", refresh_token: `${id}.first` },
      settings: {},
      metadata: null,
      is_valid: true,
      invalid_reason: null,
      expires_at: new Date(0).toISOString(),
      refreshed_at: null,
    });
  }

  /** Runs a process for a moment and kills it. */
  async function runAndKill(): Promise<void> {
    const asked = provider.nextGeneration(1 + Math.floor(Math.random() * 40));
    const script = fileURLToPath(new URL("./support/refresher.ts", import.meta.url));
    const child = spawn(process.execPath, [script, `sqlite:${file}`, key, workspace.id, ...ids], {
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") },
    });
    const ended = once(child, "exit");
    await Promise.race([asked, ended]);
    await wait(Math.random() * 30);
    expect(child.exitCode).toBeNull();
    child.kill("SIGKILL");
    await ended;
    // What the provider has begun it brings to its end.
    await wait(30);
  }

  let kills = 0;
  let survived = 0;
  let unsavable = 0;
  while (provider.rotations() < REFRESHES) {
    await runAndKill();
    kills += 1;
    const database = new DatabaseSync(file, { timeout: 5000 });
    const held = database.prepare("select count(*) as held from locks").get()!.held as number;
    // The time of the dead process's locks runs out.
    database.exec("delete from locks");
    database.close();
    survived += held;

    for (const id of ids) {
      const { credentials, is_valid } = (await store.connections.get(workspace.id, id))!;
      const stored = credentials.refresh_token!;
      expect(is_valid).toBe(true);
      if (stored === provider.current.get(id)) continue;
      // The only way to be behind: the provider gave the next token to the process that died, and to nobody else.
      expect(provider.last.get(id)).toEqual({
        used: stored,
        given: provider.current.get(id),
        generation: provider.generation(),
      });
      unsavable += 1;
      survived -= 1;
      // As if the user had connected again.
      provider.current.set(id, stored);
    }
  }
  // Nobody ever used a token that was used up.
  expect(provider.refusals()).toBe(0);
  expect(survived).toBeGreaterThan(0);
  console.log(`${provider.rotations()} refreshes, ${kills} kills, ${survived} saved mid-way, ${unsavable} unsavable`);

  await store.close();
  await provider.close();
  rmSync(folder, { recursive: true, force: true });
}, 120_000);
