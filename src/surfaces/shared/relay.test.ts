import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import Fastify from "fastify";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createTransport } from "../../engine/http/transport.ts";
import { Cancellation } from "../../engine/index.ts";
import { markErrors } from "./error-source.ts";
import { sendForwardingError } from "./forwarding-errors.ts";
import { beforeBodyParsing, createRelay } from "./relay.ts";
import { newTrace } from "./trace.ts";

/** More than is read of a response that nobody wants. */
const BODY = "x".repeat(128 * 1024);

const transport = createTransport({
  allowPrivateUpstreams: true,
  maxBodyBytes: 1024,
  maxValues: 10,
  trustedOrigin: undefined,
});
const app = Fastify();
/** Answers with a body that never ends. */
const upstream = createServer((socket) => {
  sockets.push(socket);
  socket.on("error", () => {});
  socket.once("data", () => socket.write(`HTTP/1.1 ${status} Fine\r\nContent-Length: 1000000\r\n\r\n${BODY}`));
});
const sockets: Socket[] = [];
let status: number;
let added: Record<string, string>;
let origin: string;

beforeAll(async () => {
  upstream.listen(0, "127.0.0.1");
  await once(upstream, "listening");
  origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  app.decorateRequest("trace");
  app.addHook("onRequest", (request, _, done) => {
    request.trace = newTrace();
    done();
  });
  markErrors(app, "SVC-");
  app.setErrorHandler(sendForwardingError);
  const relay = createRelay(app, "SVC-");
  app.route({
    method: "GET",
    url: "/",
    ...beforeBodyParsing(async (request, reply, client) => {
      const answer = await transport.stream({ origin, path: "/", method: "GET", headers: {} }, new Cancellation());
      const headers = { ...(answer.headers as Record<string, string>), ...added };
      relay(request, reply, { status: answer.statusCode, headers, pipeTo: answer.pipeTo }, client);
    }),
  });
  await app.listen();
});
afterAll(async () => {
  await app.close();
  await transport.close();
  upstream.close();
});
beforeEach(() => {
  sockets.length = 0;
});

it.each([
  ["a value with a line break", 200, { "content-type": "text/plain\r\nX-Injected: 1" }],
  ["a value with a control character", 200, { "x-a": "a\u0001" }],
  ["a value with a character that has no single byte", 404, { "x-a": "ż" }],
  ["a name with a space", 200, { "x a": "1" }],
])("a response with %s is a 502 of ours, and the call to the provider ends", async (_, given, headers) => {
  status = given;
  added = headers as unknown as Record<string, string>;
  const response = await fetch(app.listeningOrigin, { signal: AbortSignal.timeout(60_000) });
  expect([response.status, response.statusText]).toEqual([502, "Bad Gateway"]);
  expect(await response.text()).toBe("Error fetching proxied request");
  expect(response.headers.get("svc-error-source")).toBe("plugboard");
  expect(response.headers.get("x-injected")).toBeNull();
  await expect.poll(() => sockets.map((socket) => socket.destroyed)).toEqual([true]);
});

it("HEAD gets the headers of a response, and the call to the provider ends without its body", async () => {
  status = 200;
  added = {};
  const response = await fetch(app.listeningOrigin, { method: "HEAD", signal: AbortSignal.timeout(60_000) });
  expect([response.status, response.headers.get("content-length"), await response.text()]).toEqual([
    200,
    "1000000",
    "",
  ]);
  await expect.poll(() => sockets.map((socket) => socket.destroyed)).toEqual([true]);
});
