import { connect, type Socket } from "node:net";
import Fastify, { type FastifyInstance } from "fastify";
import { afterEach, expect, it, vi } from "vitest";
import { rawRequest } from "../../test/support/raw-request.ts";
import { newTrace } from "../surfaces/shared/trace.ts";
import { limitBodyTimes, sendClientError } from "./unfinished-requests.ts";

const LONG = 60_000;
const apps: FastifyInstance[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

async function start({ arriveMs = LONG, stranger = LONG, caller = LONG, workspaceId = null as string | null } = {}) {
  const app = Fastify({ clientErrorHandler: (error, socket) => sendClientError(error.code, socket, "SVC-") });
  apps.push(app);
  app.addHook("onRequest", async (request) => {
    request.trace = { ...newTrace(), workspaceId };
  });
  limitBodyTimes(app, { headerPrefix: "SVC-", arriveMs, lingerMs: { stranger, caller } });
  app.post("/refused", { onRequest: async (_, reply) => reply.code(401).send() }, async () => "");
  app.post("/read", async () => "read");
  await app.listen({ port: 0 });
  return (app.server.address() as { port: number }).port;
}

/** Sends a request and half of its body, and keeps sending a byte now and then. */
function sendHalf(port: number, path: string) {
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  socket.on("error", () => {});
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n`;
  socket.write(`${head}half`);
  const feed = setInterval(() => socket.write("x"), 10);
  // Not `once`, which rejects if a byte is written after the connection was closed.
  const closed = new Promise<void>((resolve) => socket.on("close", () => resolve())).then(() => clearInterval(feed));
  return { socket, received: () => received, closed };
}

it("a connection whose body does not end after a 401 is closed, however slowly it is fed", async () => {
  const { received, closed } = sendHalf(await start({ stranger: 50 }), "/refused");
  await closed;
  expect(received()).toMatch(/^HTTP\/1\.1 401 /);
});

it("the rest of a body after a 401 may still arrive, and the connection serves the next request", async () => {
  const port = await start();
  const socket = connect(port, "127.0.0.1");
  sockets.push(socket);
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk;
  });
  const request = (length: number) => `POST /refused HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;
  socket.write(`${request(8)}half`);
  await vi.waitFor(() => expect(received).toContain("401"), 60_000);
  socket.write(`rest${request(0)}`);
  await vi.waitFor(() => expect(received.match(/HTTP\/1\.1 401 /g)).toHaveLength(2), 60_000);
});

it("a client with a valid key has a longer time to finish its upload after the response, but not without end", async () => {
  const { closed } = sendHalf(await start({ caller: 50, workspaceId: "ws_1" }), "/refused");
  await closed;
  const { socket, received } = sendHalf(await start({ stranger: 20, workspaceId: "ws_1" }), "/refused");
  await vi.waitFor(() => expect(received()).toContain("401"), 60_000);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(socket.destroyed).toBe(false);
});

it("a body that we read ourselves and that does not arrive gets 408, and the connection is closed", async () => {
  const { received, closed } = sendHalf(await start({ arriveMs: 50 }), "/read");
  await closed;
  expect(received()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  expect(received()).toContain("SVC-Error-Source: plugboard");
});

it("a body that arrives in time is read", async () => {
  const port = await start({ arriveMs: 200 });
  const text =
    "POST /read HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: 4\r\n\r\nbody";
  expect(await rawRequest(port, text)).toMatch(/^HTTP\/1\.1 200 [\s\S]*read$/);
});

it.each([
  ["a header that cannot be read", "HEAD / HTTP/1.1\r\nHost: x\r\nBad Header\r\n\r\n", 400],
  ["headers that are too large", `HEAD / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(100_000)}\r\n\r\n`, 431],
])("a HEAD with %s is answered without a body", async (_, text, status) => {
  const answer = await rawRequest(await start(), text);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer.split("\r\n\r\n")[1]).toBe("");
});

it("a call from within the process is complete, and nothing is closed after it", async () => {
  const app = Fastify();
  app.decorateRequest("trace");
  app.addHook("onRequest", async (request) => {
    request.trace = { ...newTrace(), workspaceId: null };
  });
  limitBodyTimes(app, { headerPrefix: "SVC-" });
  app.all("/", async () => "answer");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    for (const method of ["GET", "POST"] as const) {
      const payload = method === "POST" ? { payload: { a: 1 } } : {};
      expect((await app.inject({ method, url: "/", ...payload })).payload).toBe("answer");
    }
    vi.advanceTimersByTime(LONG * 2);
  } finally {
    vi.useRealTimers();
  }
  await app.close();
});
