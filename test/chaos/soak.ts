// npm run soak -- [--calls N] [--connections N]: many calls over many connections to two processes. Memory must not grow
// and no socket may stay open.
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { Agent, request } from "undici";
import { newId } from "../../src/runtime/ids.ts";
import { createStore } from "../../src/store/index.ts";
import { keysFromText } from "../../src/store/secrets/key-source.ts";
import { createKeyring } from "../../src/store/secrets/vault.ts";
import { newConnection, newIntegration } from "../support/entities.ts";
import { ownPostgres } from "../support/postgres.ts";
import { newDataDir } from "../support/process.ts";
import { ownRedis } from "../support/redis.ts";
import { createWorkspace } from "../support/workspace.ts";
import { checkFootprint, footprintOf } from "./checks.ts";
import { type ChaosMember, startMember } from "./members.ts";
import { namesOf, type Provider, startProvider } from "./provider.ts";
import { createRandom } from "./random.ts";

const { values } = parseArgs({ options: { calls: { type: "string" }, connections: { type: "string" } } });
const CALLS = Number(values.calls ?? 1_000_000);
const CONNECTIONS = Number(values.connections ?? 10_000);
const AT_ONCE = 48;
const SAMPLES = 100;
/** Every n-th connection has tokens that expire during the run. */
const EXPIRING = 20;
const TOKEN_SECONDS = 60;
/** By how much memory may grow from the second quarter to the last. */
const GROWTH = 0.05;

interface Target {
  id: string;
  account: string;
}

const problems: string[] = [];
const report = (problem: string) => {
  if (problems.length < 20) console.log(`PROBLEM  ${problem}`);
  problems.push(problem);
};
const random = createRandom(CALLS);

const [postgres, redis] = await Promise.all([ownPostgres(), ownRedis()]);
if (!postgres || !redis) process.exit(1);
const folder = newDataDir();
const env = {
  DATA_DIR: folder,
  DATABASE_URL: postgres.url,
  REDIS_URL: redis.url,
  ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  SANDBOX: "off",
  ALLOW_PRIVATE_UPSTREAMS: "true",
  UNIFIED_RATE_LIMIT: "100000000/60",
  RATE_LIMIT: "100000000/60",
};
const provider = await startProvider(random, TOKEN_SECONDS);
console.log(`${CALLS} calls over ${CONNECTIONS} connections at two processes. Filling the database …`);
const { key, targets } = await fill(provider);
const members = await Promise.all(["first", "second"].map((name) => startMember(name, env, report)));
const before = await Promise.all(members.map(footprintOf));

/** Megabytes at each sample, by process. */
const samples: number[][] = members.map(() => []);
const dispatcher = new Agent({ connections: AT_ONCE });
let started = 0;
let done = 0;
let wrong = 0;
const startedAt = Date.now();
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    while (started < CALLS) {
      started++;
      await call(random.pick(members), random.pick(targets));
      done++;
      if (done % Math.ceil(CALLS / SAMPLES) === 0) sample();
    }
  }),
);
const seconds = (Date.now() - startedAt) / 1000;
await dispatcher.destroy();
await provider.close();

const after = await Promise.all(members.map((member, index) => checkFootprint(member, before[index]!, report, 30)));
console.log(`\n${done} calls in ${Math.round(seconds)} s, ${Math.round(done / seconds)} a second, ${wrong} wrong`);
for (const [index, member] of members.entries()) {
  const [, second, , last] = quarters(samples[index]!).map(mean) as [number, number, number, number];
  const growth = last / second - 1;
  console.log(
    `${member.name}: resident memory ${second.toFixed(1)} MB in the second quarter, ${last.toFixed(1)} MB in the last (${(growth * 100).toFixed(1)} %); heap ${before[index]!.heap.toFixed(1)} -> ${after[index]!.heap.toFixed(1)} MB, sockets ${before[index]!.sockets} -> ${after[index]!.sockets}`,
  );
  if (growth > GROWTH) report(`the memory of ${member.name} grew by ${(growth * 100).toFixed(1)} %`);
}
for (const member of members) await member.stop();
await Promise.all([postgres.drop(), redis.drop()]);
rmSync(folder, { recursive: true, force: true });
console.log(problems.length === 0 ? "no problems" : `${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);

/** Writes the workspace, key, integration and connections directly to the store. */
async function fill({ url, grant }: Provider): Promise<{ key: string; targets: Target[] }> {
  const store = await createStore({ url: postgres!.url, keyring: createKeyring(keysFromText(env.ENCRYPTION_KEY)) });
  const { workspace, key: createdKey } = await createWorkspace(store, "soak");
  const workspace_id = workspace.id;
  const integration_id = newId("int");
  await store.integrations.create(
    newIntegration({ id: integration_id, workspace_id, identifier: "github", base_url: url }),
  );
  const filled: Target[] = Array.from({ length: CONNECTIONS }, (_, number) => ({
    id: newId("conn"),
    account: `account-${number}`,
  }));
  const left = filled.entries();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const [number, { id, account }] of left) {
        const expires = number % EXPIRING === 0;
        const { access, refresh } = grant(account, expires);
        await store.connections.create(
          newConnection({
            id,
            workspace_id,
            integration_id,
            integration_identifier: "github",
            external_id: account,
            credentials: { token: access, ...(expires ? { refresh_token: refresh } : {}) },
            expires_at: expires ? new Date(Date.now() + TOKEN_SECONDS * 1000).toISOString() : null,
          }),
        );
      }
    }),
  );
  await store.close();
  return { key: createdKey, targets: filled };
}

/** Mostly lists, some forwarded calls, some that are refused, and some whose client disconnects. */
async function call(member: ChaosMember, { id, account }: Target): Promise<void> {
  const dice = random.next();
  const headers = { authorization: `Bearer ${key}`, "svc-connection-id": id };
  const expect = async (path: string, status: number, check: (body: any) => boolean, more: object = {}) => {
    const response = await request(member.url + path, { dispatcher, headers, ...more });
    const body = await response.body.json();
    if (response.statusCode === status && check(body)) return;
    wrong++;
    report(`${path}: ${response.statusCode} ${JSON.stringify(body).slice(0, 200)}`);
  };
  try {
    if (dice < 0.7)
      return await expect(
        "/unified/v1/git/repos",
        200,
        ({ response }) => response.data[0].full_name === namesOf(account)[0],
      );
    if (dice < 0.9) return await expect("/proxy/whoami", 200, (body) => body.account === account);
    if (dice < 0.95) {
      const more = { method: "POST", body: "x".repeat(random.between(1, 10_000)) };
      return await expect("/proxy/echo", 200, (body) => body.account === account, more);
    }
    if (dice < 0.98) {
      const unknown = { headers: { ...headers, "svc-connection-id": newId("conn") } };
      return await expect("/unified/v1/git/repos", 404, ({ errors }) => errors[0].code === 7002, unknown);
    }
    if (dice < 0.99) return await expect("/unified/v1/git/repos?limit=0", 400, ({ errors }) => errors[0].code === 7001);
    await request(`${member.url}/proxy/whoami`, { dispatcher, headers, signal: AbortSignal.timeout(1) }).then(
      ({ body }) => body.dump(),
      () => {},
    );
  } catch (error) {
    wrong++;
    report(`a call failed: ${error}`);
  }
}

function sample(): void {
  for (const [index, member] of members.entries()) samples[index]!.push(member.memory());
  if (samples[0]!.length % (SAMPLES / 20) !== 0) return;
  const part = Math.round((100 * done) / CALLS);
  const rate = Math.round(done / ((Date.now() - startedAt) / 1000));
  const seen = members.map((member, index) => `${samples[index]!.at(-1)!.toFixed(0)} MB, ${member.sockets()} sockets`);
  console.log(`${String(part).padStart(3)} %  ${rate} calls/s  ${seen.join("  |  ")}`);
}

function quarters(all: number[]): number[][] {
  const size = all.length / 4;
  return [0, 1, 2, 3].map((quarter) => all.slice(Math.floor(quarter * size), Math.floor((quarter + 1) * size)));
}

function mean(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
