import { once } from "node:events";
import { connect } from "node:net";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Cluster, startCluster } from "../support/cluster.ts";
import { freePort, testDatabase } from "../support/postgres.ts";
import { type PlugboardProcess, startPlugboard } from "../support/process.ts";
import { answerJson, startUpstream, type Upstream } from "../support/upstream.ts";

const database = await testDatabase();
const CLIENTS = 24;

describe.skipIf(!database)("a rolling restart", () => {
  let cluster: Cluster;
  let upstream: Upstream;
  let connection: string;
  const processes: PlugboardProcess[] = [];

  beforeAll(async () => {
    upstream = await startUpstream((incoming, response) => {
      incoming.resume();
      answerJson("[]")(incoming, response);
    });
    // Only creates the key and the connection; the processes that are restarted have fixed ports.
    cluster = await startCluster({ databaseUrl: database!.url, members: 1 });
    ({ connection } = await cluster.connectTo("github", upstream.url));
    for (let number = 0; number < 2; number++)
      processes.push(await startPlugboard({ ...cluster.env, PORT: String(await freePort()) }));
  });
  afterAll(async () => {
    for (const process of processes) await process.stop();
    await cluster.close();
    await upstream.close();
    await database!.drop();
  });

  async function restart(index: number): Promise<void> {
    const { stop, url } = processes[index]!;
    expect(await stop("SIGTERM")).toBe(0);
    processes[index] = await startPlugboard({ ...cluster.env, PORT: new URL(url).port });
  }

  it("a rolling restart fails no request of clients that try the other process when no connection can be made", async () => {
    // Some clients keep their connections, some open one for each request.
    const dispatchers = [new Agent({ connections: CLIENTS }), new Agent({ connections: CLIENTS, pipelining: 0 })];
    const urls = processes.map(({ url }) => url);
    const headers = { authorization: `Bearer ${cluster.key}`, "svc-connection-id": connection };
    const kinds = [
      { path: "/unified/v1/git/repos?limit=1", method: "GET" },
      { path: "/proxy/user", method: "GET" },
      { path: "/proxy/notes", method: "POST", body: "a note" },
      { path: "/platform/v1/connections?limit=1", method: "GET" },
    ] as const;
    const failures: string[] = [];
    let answered = 0;
    let refused = 0;
    let done = false;

    async function call(number: number): Promise<void> {
      const { path, ...options } = kinds[number % kinds.length]!;
      for (let tries = 0; tries < urls.length; tries++) {
        try {
          const response = await request(urls[(number + tries) % urls.length] + path, {
            dispatcher: dispatchers[(number >> 2) % 2]!,
            headers,
            ...options,
          });
          await response.body.dump();
          if (response.statusCode !== 200) failures.push(`${options.method} ${path}: ${response.statusCode}`);
          answered++;
          return;
        } catch (error) {
          const { code, message, syscall } = error as NodeJS.ErrnoException;
          // Refused, or reset while it was being made: in both cases nothing was sent.
          if (syscall !== "connect") {
            failures.push(`${options.method} ${path}: ${code} ${message}`);
            return;
          }
          refused++;
        }
      }
      failures.push("both processes refused");
    }

    let numbers = 0;
    const clients = Array.from({ length: CLIENTS }, async () => {
      while (!done) await call(numbers++);
    });
    for (const index of [0, 1]) {
      const enough = answered + 20 * CLIENTS;
      await vi.waitUntil(() => answered >= enough, { timeout: 60_000 });
      await restart(index);
    }
    done = true;
    await Promise.all(clients);
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.close()));

    expect(failures).toEqual([]);
    expect(refused).toBeGreaterThan(0);
    expect(answered).toBeGreaterThan(100);
  });

  it("a process that is stopping answers one more request on an open connection and tells the client to close it", async () => {
    const { child, ended, url } = processes[0]!;
    const { port } = new URL(url);
    const ask = (path: string) =>
      `GET ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${cluster.key}\r\nsvc-connection-id: ${connection}\r\n\r\n`;
    const sockets = await Promise.all(
      ["/unified/v1/git/repos", "/proxy/user", "/healthz"].map(async (path) => {
        const socket = connect(Number(port), "127.0.0.1");
        let received = "";
        socket.on("data", (data) => {
          received += data;
        });
        socket.write(ask(path));
        await once(socket, "data");
        return { path, socket, received: () => received };
      }),
    );
    for (const { received } of sockets) expect(received()).not.toMatch(/connection: close/i);
    child.kill("SIGTERM");
    // Wait until it no longer accepts connections.
    for (;;) {
      const probe = connect(Number(port), "127.0.0.1");
      const listens = await once(probe, "connect").then(
        () => true,
        () => false,
      );
      probe.destroy();
      if (!listens) break;
    }
    for (const { path, socket, received } of sockets) {
      const before = received().length;
      const closed = once(socket, "close");
      socket.write(ask(path));
      await closed;
      expect(received().slice(before)).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is);
    }
    expect(await ended).toBe(0);
  });
});
