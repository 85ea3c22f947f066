import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { UNTOLD_CACHE_LIFE_MS } from "../../src/coordination/memory.ts";
import { startUpstream, type Upstream } from "../proxy/support.ts";
import { type Cluster, callUnified, startCluster } from "../support/cluster.ts";
import { createPlatform, type Platform } from "../support/platform.ts";
import { ownPostgres } from "../support/postgres.ts";

const postgres = await ownPostgres();
const UNKNOWN = "conn_000000000000000000000000";
const patience = { timeout: 30_000, interval: 50 };

describe.skipIf(!postgres)("a Postgres that goes away", () => {
  let cluster: Cluster;
  let upstream: Upstream;
  let platform: Platform;
  let connection: string;
  let integration: string;

  beforeAll(async () => {
    upstream = await startUpstream((_, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end("[]"),
    );
    // A server that says nothing is given up on after 12 s; here sooner, for the test's sake.
    cluster = await startCluster({ databaseUrl: `${postgres!.url}?query_timeout=2000`, members: 1 });
    platform = createPlatform(cluster.members[0]!, cluster.key);
    ({ connection, integration } = await cluster.connectTo("github", upstream.url));
  });
  afterAll(async () => {
    await cluster.close();
    await upstream.close();
    await postgres!.drop();
  });

  const call = (id = connection) => callUnified(cluster.members[0]!, cluster.key, id, "/git/repos?limit=1");
  const forward = () =>
    fetch(`${cluster.members[0]!.url}/proxy/user`, {
      headers: { authorization: `Bearer ${cluster.key}`, "svc-connection-id": connection },
    });
  const readiness = async () => (await fetch(`${cluster.members[0]!.url}/readyz`)).status;
  const alive = async () => (await fetch(`${cluster.members[0]!.url}/healthz`)).status;
  const write = () => platform("POST", "/v1/connections", { integration_id: integration, auth_token: "made-up" });

  const redeem = () =>
    fetch(`${cluster.members[0]!.url}/auth/connection`, {
      method: "POST",
      headers: { authorization: `Bearer ${cluster.key}`, "content-type": "application/json" },
      body: JSON.stringify({ code: "made-up", redirect_uri: "https://app.example/done" }),
    });

  /** Calls without a break until what was cached before has long been due to be read again. */
  async function callsThatGoOn(): Promise<{ statuses: Set<number>; rounds: number }> {
    const statuses = new Set<number>();
    const end = Date.now() + UNTOLD_CACHE_LIFE_MS + 1500;
    let rounds = 0;
    for (; Date.now() < end; rounds++)
      for (const { status } of await Promise.all([call(), call(), forward()])) statuses.add(status);
    return { statuses, rounds };
  }

  it.each([
    { what: "is killed", goes: () => postgres!.kill(), returns: () => postgres!.start() },
    { what: "says nothing", goes: async () => postgres!.freeze(), returns: async () => postgres!.thaw() },
  ])(
    "and $what: cached connections go on, writes are told to come back, and it is over by itself",
    async ({ goes, returns }) => {
      expect((await call()).status).toBe(200);
      expect(await readiness()).toBe(200);
      await goes();
      const ongoing = callsThatGoOn();
      await vi.waitFor(async () => expect(await readiness()).toBe(503), patience);
      expect(await alive()).toBe(200);
      expect(await cluster.members[0]!.metric("plugboard_store_up")).toBe(0);

      const [code, unknown, ...refused] = await Promise.all([
        redeem(),
        // What is not in memory cannot be known.
        call(UNKNOWN),
        write(),
        platform("PATCH", `/v1/integrations/${integration}`, { scopes: "repo" }),
        platform("DELETE", `/v1/connections/${connection}`),
      ]);
      for (const { status, headers } of [code, unknown, ...refused]) {
        expect(status).toBe(503);
        expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
      }
      for (const { body } of refused) expect(body).toEqual({ success: false, message: "Service unavailable" });
      const { statuses, rounds } = await ongoing;
      expect([...statuses]).toEqual([200]);
      // Had each of them waited for the database, there would have been three at most.
      expect(rounds).toBeGreaterThan(10);

      await returns();
      await vi.waitFor(async () => expect(await readiness()).toBe(200), patience);
      await vi.waitFor(async () => expect((await write()).status).toBe(201), patience);
      expect(await cluster.members[0]!.metric("plugboard_store_up")).toBe(1);
      expect((await call()).status).toBe(200);
      expect((await call(UNKNOWN)).status).toBe(404);
      expect(cluster.members[0]!.output.stdout).not.toContain('"level":"error"');
    },
    90_000,
  );
});
