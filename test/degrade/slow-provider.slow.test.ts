import type { ServerResponse } from "node:http";
import { Agent, request } from "undici";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Cluster, startCluster } from "../support/cluster.ts";
import { residentMegabytes } from "../support/process.ts";
import { answerJson, startUpstream, type Upstream } from "../support/upstream.ts";

/** The engine's limits: calls in flight to one origin, and sockets for calls whose answers are buffered. */
const BACKLOG = 1024;
const SOCKETS = 256;
const FLOOD = 1200;
const patience = { timeout: 60_000, interval: 50 };

let cluster: Cluster;
let slow: Upstream;
let quick: Upstream;
const connections: Record<"slow" | "quick", string> = { slow: "", quick: "" };
const pending: ServerResponse[] = [];
const clients = new Agent({ connections: 2 * FLOOD });

beforeAll(async () => {
  slow = await startUpstream((_, response) => {
    pending.push(response);
  });
  quick = await startUpstream(answerJson('{"results":[]}'));
  cluster = await startCluster({ members: 1, env: { UPSTREAM_TIMEOUT_MS: "120000" } });
  connections.slow = (await cluster.connectTo("github", slow.url)).connection;
  // Connecting tried to read whose account it is.
  pending.length = 0;
  connections.quick = (await cluster.connectTo("hubspot", quick.url)).connection;
});
afterAll(async () => {
  await clients.destroy();
  await cluster.close();
  await Promise.all([slow.close(), quick.close()]);
});

const memory = () => residentMegabytes(cluster.members[0]!.child);

async function call(path: string, connection: string) {
  const response = await request(`${cluster.members[0]!.url}${path}`, {
    dispatcher: clients,
    headers: { authorization: `Bearer ${cluster.key}`, "svc-connection-id": connection, "svc-max-retries": "0" },
  });
  return {
    status: response.statusCode,
    wait: response.headers["retry-after"],
    body: (await response.body.json()) as any,
  };
}

/** Answers every pending call, and those that take its place. */
async function release(calls: Promise<unknown>[]): Promise<void> {
  let left = calls.length;
  for (const each of calls) each.finally(() => left--);
  while (left > 0) {
    for (const response of pending.splice(0)) answerJson("[]")(response.req, response);
    await new Promise(setImmediate);
  }
}

it.each([
  {
    surface: "Unified",
    hanging: "/unified/v1/git/repos?limit=1",
    other: "/unified/v1/crm/contacts?limit=1",
    atProvider: SOCKETS,
    refusal: {
      success: false,
      errors: [{ code: 7005, message: "Service Unavailable", detail: "too many calls to this provider are waiting" }],
    },
  },
  {
    surface: "Proxy",
    hanging: "/proxy/user",
    other: "/proxy/crm/v3/objects/contacts",
    atProvider: BACKLOG,
    refusal: { status: 503, code: "overloaded", message: "Too many calls to this provider are waiting" },
  },
])(
  "a provider that does not answer takes no capacity or memory from others on $surface, and excess calls get 503",
  async ({ hanging, other, atProvider, refusal }) => {
    const before = memory();
    const refused: Awaited<ReturnType<typeof call>>[] = [];
    const answered: number[] = [];
    const flood = Array.from({ length: FLOOD }, () =>
      call(hanging, connections.slow).then((answer) => {
        if (answer.status === 503) refused.push(answer);
        else answered.push(answer.status);
      }),
    );
    await vi.waitFor(() => expect(refused.length).toBe(FLOOD - BACKLOG), patience);
    await vi.waitFor(() => expect(pending.length).toBe(atProvider), patience);
    for (const { wait, body } of refused) expect([wait, body]).toEqual(["1", refusal]);

    // Calls to another provider are answered meanwhile.
    const otherAnswers = await Promise.all(Array.from({ length: 100 }, () => call(other, connections.quick)));
    expect(new Set(otherAnswers.map(({ status }) => status))).toEqual(new Set([200]));
    // Further calls are refused at once and take no memory.
    for (let round = 0; round < 2; round++) {
      const more = await Promise.all(Array.from({ length: 300 }, () => call(hanging, connections.slow)));
      expect(new Set(more.map(({ status }) => status))).toEqual(new Set([503]));
    }
    expect(answered).toEqual([]);
    expect(pending.length).toBe(atProvider);
    expect(memory() - before).toBeLessThan(200);
    expect(
      await cluster.members[0]!.metric('plugboard_upstream_calls_total{provider="github",status="overloaded"}'),
    ).toBeGreaterThan(FLOOD - BACKLOG);

    await release(flood);
    await Promise.all(flood);
    expect(answered).toEqual(Array.from({ length: BACKLOG }, () => 200));
    expect((await call(other, connections.quick)).status).toBe(200);
  },
);
