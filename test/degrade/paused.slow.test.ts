import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type Cluster, callUnified, startCluster } from "../support/cluster.ts";
import { answerJson, startUpstream, type Upstream } from "../support/upstream.ts";

const TIMEOUT_MS = 2000;

let cluster: Cluster;
let upstream: Upstream;
let connection: string;
const pending: ServerResponse[] = [];

beforeAll(async () => {
  upstream = await startUpstream((_, response) => {
    pending.push(response);
  });
  cluster = await startCluster({ members: 1, env: { UPSTREAM_TIMEOUT_MS: String(TIMEOUT_MS) } });
  ({ connection } = await cluster.connectTo("github", upstream.url));
  // Connecting tried to read whose account it is.
  pending.length = 0;
});
afterAll(async () => {
  await cluster.close();
  await upstream.close();
});

const forward = () =>
  fetch(`${cluster.members[0]!.url}/proxy/user`, {
    headers: { authorization: `Bearer ${cluster.key}`, "svc-connection-id": connection, "svc-max-retries": "0" },
  });

it("a process that was paused for longer than the upstream timeout still uses the answers that arrived meanwhile", async () => {
  const { child } = cluster.members[0]!;
  const calls = [
    ...Array.from({ length: 5 }, () => callUnified(cluster.members[0]!, cluster.key, connection, "/git/repos")),
    ...Array.from({ length: 5 }, forward),
  ];
  await vi.waitFor(() => expect(pending).toHaveLength(calls.length), 60_000);
  child.kill("SIGSTOP");
  for (const response of pending.splice(0)) answerJson("[]")(response.req, response);
  // Longer than the timeout: this is the situation under test.
  await wait(1.5 * TIMEOUT_MS);
  child.kill("SIGCONT");
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200));
});

it("a process that was paused answers 408 for a provider that does not answer", async () => {
  const statuses = (
    await Promise.all([callUnified(cluster.members[0]!, cluster.key, connection, "/git/repos"), forward()])
  ).map(({ status }) => status);
  expect(statuses).toEqual([408, 408]);
});
