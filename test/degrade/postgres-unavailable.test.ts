import { expect, it, vi } from "vitest";
import { CACHE_TTL_WITHOUT_INVALIDATION_MS } from "../../src/coordination/memory.ts";
import { startUpstream } from "../proxy/support.ts";
import { callUnified, startCluster } from "../support/cluster.ts";
import { createPlatform } from "../support/platform.ts";
import { type OwnPostgres, ownPostgres } from "../support/postgres.ts";

const UNKNOWN = "conn_000000000000000000000000";
const patience = { timeout: 30_000, interval: 50 };

/** A process on a database of its own, with a connection that it has used. */
async function setUp(postgres: OwnPostgres) {
  const upstream = await startUpstream((_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end("[]"),
  );
  // A server that says nothing is given up on after 12 s; here sooner, for the test's sake.
  const cluster = await startCluster({ databaseUrl: `${postgres.url}?query_timeout=2000`, members: 1 });
  const { key } = cluster;
  const member = cluster.members[0]!;
  const { connection, integration, add } = await cluster.connectTo("github", upstream.url);
  const { id: spare } = await add();
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
    /** Requests that cannot be answered without the database. */
    needy: () =>
      Promise.all([
        post("/platform/v1/connections", { integration_id: integration, auth_token: "made-up" }),
        platform("PATCH", `/v1/integrations/${integration}`, { scopes: "repo" }),
        platform("DELETE", `/v1/connections/${spare}`),
        post("/auth/connection", { code: "made-up", redirect_uri: "https://app.example/done" }),
        // What is not in memory cannot be known.
        call(UNKNOWN),
      ]),
    /** Calls without a break until what was cached before has long been due to be read again. */
    async callOnAndOn(): Promise<{ statuses: Set<number>; rounds: number }> {
      const statuses = new Set<number>();
      const end = Date.now() + CACHE_TTL_WITHOUT_INVALIDATION_MS + 1500;
      let rounds = 0;
      for (; Date.now() < end; rounds++)
        for (const { status } of await Promise.all([call(), call(), forward()])) statuses.add(status);
      return { statuses, rounds };
    },
    async close() {
      await cluster.close();
      await upstream.close();
      await postgres.drop();
    },
  };
}

it.concurrent.each([
  { what: "is killed", goes: ({ kill }: OwnPostgres) => kill(), returns: ({ start }: OwnPostgres) => start() },
  {
    what: "says nothing",
    goes: async ({ freeze }: OwnPostgres) => freeze(),
    returns: async ({ thaw }: OwnPostgres) => thaw(),
  },
])(
  "Postgres $what: cached connections go on, writes are told to come back, and it is over by itself",
  async ({ goes, returns }) => {
    const postgres = await ownPostgres();
    if (!postgres) return;
    const { member, call, status, create, needy, callOnAndOn, close } = await setUp(postgres);
    expect([(await call()).status, await status("/readyz")]).toEqual([200, 200]);

    await goes(postgres);
    const calls = callOnAndOn();
    await vi.waitFor(async () => expect(await status("/readyz")).toBe(503), patience);
    expect(await status("/healthz")).toBe(200);
    expect(await member.metric("plugboard_store_up")).toBe(0);
    for (const answer of await needy()) {
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    const { statuses, rounds } = await calls;
    expect([...statuses]).toEqual([200]);
    // Had each of them waited for the database, there would have been three at most.
    expect(rounds).toBeGreaterThan(10);

    await returns(postgres);
    await vi.waitFor(async () => expect(await status("/readyz")).toBe(200), patience);
    await vi.waitFor(async () => expect((await create()).status).toBe(201), patience);
    expect(await member.metric("plugboard_store_up")).toBe(1);
    expect([(await call()).status, (await call(UNKNOWN)).status]).toEqual([200, 404]);
    expect(member.output.stdout).not.toContain('"level":"error"');
    await close();
  },
  90_000,
);
