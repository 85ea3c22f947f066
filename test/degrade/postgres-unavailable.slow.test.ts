import { setTimeout as wait } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { CACHE_TTL_WITHOUT_INVALIDATION_MS } from "../../src/coordination/memory.ts";
import { callUnified, startCluster } from "../support/cluster.ts";
import { createPlatform } from "../support/platform.ts";
import { type OwnPostgres, ownPostgres } from "../support/postgres.ts";
import { answerJson, startUpstream } from "../support/upstream.ts";

const UNKNOWN = "conn_000000000000000000000000";
/** Without one, the calls would keep a processor busy. */
const PAUSE_MS = 25;
const patience = { timeout: 60_000, interval: 50 };

/** A process on its own database, with a connection. */
async function setUp(postgres: OwnPostgres) {
  const upstream = await startUpstream(answerJson("[]"));
  // The default query timeout is 12 s; shorter here to keep the test fast.
  const cluster = await startCluster({ databaseUrl: `${postgres.url}?query_timeout=2000`, members: 1 });
  const { key } = cluster;
  const member = cluster.members[0]!;
  const { connection, integration, addConnection } = await cluster.connectTo("github", upstream.url);
  const { id: spare } = await addConnection();
  const platform = createPlatform(member, key);
  const call = (id = connection) => callUnified(member, key, id, "/git/repos?limit=1");
  const post = (path: string, body: object) =>
    fetch(member.url + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const forward = () =>
    fetch(`${member.url}/proxy/user`, {
      headers: { authorization: `Bearer ${key}`, "svc-connection-id": connection },
    });

  return {
    member,
    call,
    status: async (path: string) => (await fetch(member.url + path)).status,
    create: () => post("/platform/v1/connections", { integration_id: integration, auth_token: "made-up" }),
    /** Requests that need the database. */
    requestsThatNeedIt: () =>
      Promise.all([
        post("/platform/v1/connections", { integration_id: integration, auth_token: "made-up" }),
        platform("PATCH", `/v1/integrations/${integration}`, { scopes: "repo" }),
        platform("DELETE", `/v1/connections/${spare}`),
        post("/auth/connection", { code: "made-up", redirect_uri: "https://app.example/done" }),
        // A connection that is not cached.
        call(UNKNOWN),
      ]),
    /** Calls again and again until everything that was cached before has expired. */
    async keepCalling(): Promise<{ statuses: Set<number>; rounds: number }> {
      const statuses = new Set<number>();
      const end = Date.now() + CACHE_TTL_WITHOUT_INVALIDATION_MS + 1500;
      let rounds = 0;
      for (; Date.now() < end; rounds++) {
        for (const { status } of await Promise.all([call(), call(), forward()])) statuses.add(status);
        await wait(PAUSE_MS);
      }
      return { statuses, rounds };
    },
    async close() {
      await cluster.close();
      await upstream.close();
      await postgres.drop();
    },
  };
}

it.concurrent.for([
  { what: "is killed", stop: ({ kill }: OwnPostgres) => kill(), restart: ({ start }: OwnPostgres) => start() },
  {
    what: "does not answer",
    stop: async ({ freeze }: OwnPostgres) => freeze(),
    restart: async ({ thaw }: OwnPostgres) => thaw(),
  },
])(
  "while Postgres $what, cached connections work and writes get 503 with Retry-After, and everything recovers",
  async ({ stop, restart }, { skip }) => {
    const postgres = await ownPostgres();
    if (!postgres) return skip("Postgres is not installed");
    const { member, call, status, create, requestsThatNeedIt, keepCalling, close } = await setUp(postgres);
    expect([(await call()).status, await status("/readyz")]).toEqual([200, 200]);

    await stop(postgres);
    const calls = keepCalling();
    await vi.waitFor(async () => expect(await status("/readyz")).toBe(503), patience);
    expect(await status("/healthz")).toBe(200);
    expect(await member.metric("plugboard_store_up")).toBe(0);
    for (const answer of await requestsThatNeedIt()) {
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    const { statuses, rounds } = await calls;
    expect([...statuses]).toEqual([200]);
    // If every call had waited for the database, there would be three rounds at most.
    expect(rounds).toBeGreaterThan(3);

    await restart(postgres);
    await vi.waitFor(async () => expect(await status("/readyz")).toBe(200), patience);
    await vi.waitFor(async () => expect((await create()).status).toBe(201), patience);
    expect(await member.metric("plugboard_store_up")).toBe(1);
    expect([(await call()).status, (await call(UNKNOWN)).status]).toEqual([200, 404]);
    expect(member.output.stdout).not.toContain('"level":"error"');
    await close();
  },
);
