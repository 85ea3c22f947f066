import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startUpstream, type Upstream } from "../proxy/support.ts";
import { type Cluster, callUnified, startCluster } from "../support/cluster.ts";

const TIMEOUT_MS = 2000;

let cluster: Cluster;
let upstream: Upstream;
let connection: string;
const held: ServerResponse[] = [];

beforeAll(async () => {
  upstream = await startUpstream((_, response) => {
    held.push(response);
  });
  cluster = await startCluster({ members: 1, env: { UPSTREAM_TIMEOUT_MS: String(TIMEOUT_MS) } });
  ({ connection } = await cluster.connectTo("github", upstream.url));
});
afterAll(async () => {
  await cluster.close();
  await upstream.close();
});

const forward = () =>
  fetch(`${cluster.members[0]!.url}/proxy/user`, {
    headers: { authorization: `Bearer ${cluster.key}`, "svc-connection-id": connection, "svc-max-retries": "0" },
  });

it("a process that stood still for longer than a provider may take finds the answers that came meanwhile", async () => {
  const { child } = cluster.members[0]!;
  const calls = [
    ...Array.from({ length: 5 }, () => callUnified(cluster.members[0]!, cluster.key, connection, "/git/repos")),
    ...Array.from({ length: 5 }, forward),
  ];
  await vi.waitFor(() => expect(held).toHaveLength(calls.length));
  child.kill("SIGSTOP");
  for (const response of held.splice(0)) response.writeHead(200, { "content-type": "application/json" }).end("[]");
  // That it takes this long is what is tried here.
  await wait(1.5 * TIMEOUT_MS);
  child.kill("SIGCONT");
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 200));
});

it("and still gives up on a provider that has not answered", async () => {
  const statuses = (
    await Promise.all([callUnified(cluster.members[0]!, cluster.key, connection, "/git/repos"), forward()])
  ).map(({ status }) => status);
  expect(statuses).toEqual([408, 408]);
});
