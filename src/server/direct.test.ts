import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { DirectSurface, Serve } from "../surfaces/shared/surface-types.ts";
import { type DirectOptions, serveDirectly } from "./direct.ts";

const observe = vi.fn<DirectOptions["observe"]>();
const logged = vi.fn();
const sendError = vi.fn<DirectSurface["sendError"]>();
const served = vi.fn<Serve>();
let off = false;
let server: Server;
let url: string;

beforeEach(async () => {
  vi.resetAllMocks();
  off = false;
  sendError.mockImplementation((error, _, reply) => {
    reply.code(418);
    reply.send({ message: (error as Error).message });
  });
  server = createServer((_, response) => response.end("by Fastify"));
  serveDirectly(server, {
    surfaces: {
      proxy: {
        find: (path) => (path === "/proxy/odd" ? undefined : served),
        sendError,
      },
    },
    log: { warn() {}, error: logged },
    errorSourceHeader: "SVC-Error-Source",
    requestId: () => "request-1",
    rewriteUrl: ({ headers, url: path }) => (headers["x-host"] ? `/proxy${path}` : path!),
    isOff: () => off,
    observe,
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
});

const answer = (body: object | string | Buffer, type?: string): Serve =>
  async function serve(_, reply) {
    if (type) reply.type(type);
    reply.send(body);
  };

it("a request of the surface is served directly, with its id, and observed", async () => {
  served.mockImplementation(answer("hello", "text/plain"));
  const response = await fetch(`${url}/proxy/a?b=1`);
  expect(await response.text()).toBe("hello");
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "x-request-id": "request-1",
    "content-type": "text/plain",
    "content-length": "5",
  });
  expect(observe).toHaveBeenCalledOnce();
  const [surface, request, sent] = observe.mock.calls[0]!;
  expect([surface, request.url, request.method]).toEqual(["proxy", "/proxy/a?b=1", "GET"]);
  await expect.poll(() => [sent.statusCode, sent.writableFinished]).toEqual([200, true]);
});

it.each([
  [{ a: "ü" }, undefined, "application/json; charset=utf-8", '{"a":"ü"}'],
  [Buffer.from("bytes"), undefined, "application/octet-stream", "bytes"],
  [Buffer.from("<p>"), "text/html", "text/html", "<p>"],
])("%j is sent as what it is", async (body, given, type, text) => {
  served.mockImplementation(answer(body, given));
  const response = await fetch(`${url}/proxy/a`);
  expect([response.headers.get("content-type"), await response.text()]).toEqual([type, text]);
});

it("requests that come together are all observed before the first is served", async () => {
  const observedBefore: number[] = [];
  const both = Promise.withResolvers<void>();
  served.mockImplementation(async (_, reply) => {
    observedBefore.push(observe.mock.calls.length);
    reply.send("hello");
    if (observedBefore.length === 2) both.resolve();
  });
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write("GET /proxy/a HTTP/1.1\r\nHost: x\r\n\r\n".repeat(2));
  await both.promise;
  socket.destroy();
  expect(observedBefore).toEqual([2, 2]);
});

it("an error is sent by its surface and marked as ours", async () => {
  served.mockRejectedValue(new Error("no"));
  const response = await fetch(`${url}/proxy/a`);
  expect([response.status, await response.text()]).toEqual([418, '{"message":"no"}']);
  expect(response.headers.get("svc-error-source")).toBe("plugboard");
});

it("an error that cannot be sent is logged and closes the connection, and the server keeps working", async () => {
  served.mockRejectedValue(new Error("no"));
  sendError.mockImplementation(() => {
    throw new Error("cannot be sent");
  });
  await expect(fetch(`${url}/proxy/a`)).rejects.toThrow();
  expect(logged).toHaveBeenCalledWith(
    { err: new Error("cannot be sent"), request_id: "request-1" },
    "could not send an error",
  );
  served.mockImplementation(answer("hello"));
  expect(await (await fetch(`${url}/proxy/a`)).text()).toBe("hello");
});

it("a client that disconnects cancels, and gets no error", async () => {
  const { promise: cancelled, resolve } = Promise.withResolvers<void>();
  served.mockImplementation((_, __, client) => {
    client.onCancel({ cancel: resolve });
    return cancelled.then(() => Promise.reject(new Error("cancelled")));
  });
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.write("GET /proxy/a HTTP/1.1\r\nHost: x\r\n\r\n");
  await expect.poll(() => served.mock.calls.length).toBe(1);
  socket.destroy();
  await cancelled;
  expect(sendError).not.toHaveBeenCalled();
});

it("other paths, what the surface does not find, and everything while it is off go to Fastify", async () => {
  served.mockImplementation(answer("directly"));
  const get = async (path: string, headers = {}) => (await fetch(url + path, { headers })).text();
  expect([await get("/proxy"), await get("/proxyz/a"), await get("/proxy/odd")]).toEqual(Array(3).fill("by Fastify"));
  expect(await get("/a", { "x-host": "1" })).toBe("directly");
  off = true;
  expect(await get("/proxy/a")).toBe("by Fastify");
});
