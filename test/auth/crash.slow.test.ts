import { spawn } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
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
import { keysFromText } from "../../src/store/secrets/key-source.ts";
import { createKeyring } from "../../src/store/secrets/vault.ts";
import { createRandom } from "../chaos/random.ts";
import { newConnection, newIntegration } from "../support/entities.ts";
import { createWorkspace } from "../support/workspace.ts";

const REFRESHES = 200;
const CONNECTIONS = 10;

/** A refresh as the provider saw it: the refresh token that was used, and the one that took its place. */
const seed = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31));
const random = createRandom(seed);

interface Rotation {
  used: string;
  given: string;
  generation: number;
}

/** A provider whose refresh tokens work once. It answers after a random delay. */
async function startRotatingProvider() {
  const current = new Map<string, string>();
  const last = new Map<string, Rotation>();
  let rotations = 0;
  let refusals = 0;
  let generation = 0;
  let asked = Promise.withResolvers<void>();
  let requestsLeft = 0;

  const within = (milliseconds: number) => wait(random.between(0, milliseconds));

  async function handle(request: IncomingMessage, response: ServerResponse) {
    let text = "";
    for await (const chunk of request) text += chunk;
    const used = new URLSearchParams(text).get("refresh_token")!;
    const [connection = ""] = used.split(".");
    if (--requestsLeft === 0) asked.resolve();
    await within(30);
    // A request whose client is gone by now counts as never sent.
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
    /** Called when a new process starts. Resolves at its n-th request. */
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

it(`a process that is killed at random (CRASH_SEED=${seed}) during ${REFRESHES} refreshes loses only tokens that nobody else was given`, async () => {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-crash-"));
  const file = join(folder, "plugboard.db");
  const key = randomBytes(32).toString("base64");
  const provider = await startRotatingProvider();
  const store = await createStore({ url: `sqlite:${file}`, keyring: createKeyring(keysFromText(key)) });
  const { workspace } = await createWorkspace(store, "crash");
  const integration = await store.integrations.create(
    newIntegration({ workspace_id: workspace.id, identifier: "scripted", base_url: provider.url }),
  );
  const ids: string[] = [];
  for (let n = 0; n < CONNECTIONS; n++) {
    const id = newId("conn");
    ids.push(id);
    provider.current.set(id, `${id}.first`);
    await store.connections.create(
      newConnection({
        id,
        workspace_id: workspace.id,
        integration_id: integration!.id,
        integration_identifier: "scripted",
        credentials: { token: "access.0", refresh_token: `${id}.first` },
        expires_at: new Date(0).toISOString(),
      }),
    );
  }

  /** Runs a process for a random time and kills it. */
  async function runAndKill(): Promise<void> {
    const asked = provider.nextGeneration(random.between(1, 40));
    const script = fileURLToPath(new URL("./support/refresher.ts", import.meta.url));
    const child = spawn(process.execPath, [script, `sqlite:${file}`, key, workspace.id, ...ids], {
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") },
    });
    const ended = once(child, "exit");
    await Promise.race([asked, ended]);
    await wait(random.between(0, 30));
    expect(child.exitCode).toBeNull();
    child.kill("SIGKILL");
    await ended;
    // The provider finishes the requests that it has accepted.
    await wait(30);
  }

  let kills = 0;
  let survived = 0;
  let lost = 0;
  while (provider.rotations() < REFRESHES) {
    await runAndKill();
    kills += 1;
    const database = new DatabaseSync(file, { timeout: 60_000 });
    const locks = database.prepare("select count(*) as count from locks").get()!.count as number;
    // As if the locks of the dead process had expired.
    database.exec("delete from locks");
    database.close();
    survived += locks;

    for (const id of ids) {
      const { credentials, is_valid } = (await store.connections.get(workspace.id, id))!;
      const stored = credentials.refresh_token!;
      expect(is_valid).toBe(true);
      if (stored === provider.current.get(id)) continue;
      // The only way to fall behind: the provider gave the next token to the process that died, and to nobody else.
      expect(provider.last.get(id)).toEqual({
        used: stored,
        given: provider.current.get(id),
        generation: provider.generation(),
      });
      lost += 1;
      survived -= 1;
      // As if the user had connected again.
      provider.current.set(id, stored);
    }
  }
  // No refresh token was used a second time.
  expect(provider.refusals()).toBe(0);
  expect(survived).toBeGreaterThan(0);
  console.log(`${provider.rotations()} refreshes, ${kills} kills, ${survived} interrupted and saved, ${lost} lost`);

  await store.close();
  await provider.close();
  rmSync(folder, { recursive: true, force: true });
});
