// Large bodies and many event streams through a service in its own process. `npm run test:streams` runs the full form:
// 1 GB each way, and a minute of 200 streams.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage, type OutgoingMessage, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Cluster, type Member, startCluster } from "../support/cluster.ts";
import { memoryDuring } from "../support/process.ts";
import { PROVIDER, startUpstream, type Upstream } from "../support/upstream.ts";

const FULL = process.env.FULL_STREAMS === "1";
const MB = 1024 * 1024;
const BODY = (FULL ? 1024 : 256) * MB;
const MAX_GROWTH_MB = 64;
const STREAMS = 200;
const STREAM_SECONDS = FULL ? 60 : 3;
const EVENT_EVERY_MS = 100;

let cluster: Cluster;
let service: Member;
let upstream: Upstream;
let headers: Record<string, string>;

beforeAll(async () => {
  cluster = await startCluster({ members: 1 });
  service = cluster.members[0]!;
  upstream = await startUpstream();
  const { connection } = await cluster.connectTo(PROVIDER, upstream.url, { mcp_url: `${upstream.url}/mcp` });
  headers = { authorization: `Bearer ${cluster.key}`, "SVC-Connection-ID": connection };
  await fetch(`${service.url}/proxy/first`, { headers });
});
afterAll(async () => {
  await cluster?.close();
  await upstream?.close();
});

/** The largest growth of the service's memory while `work` runs, in megabytes. */
async function growthDuring(what: string, work: () => Promise<void>): Promise<number> {
  const { idle, growth } = await memoryDuring(service.child, work);
  if (FULL) console.log(`${what}: from ${idle.toFixed(0)} MB up by ${growth.toFixed(1)} MB`);
  return growth;
}

/** Writes `size` bytes, no two megabytes alike, as fast as they are accepted; returns their SHA-256. */
async function writeBody(target: OutgoingMessage, size: number): Promise<string> {
  const sum = createHash("sha256");
  const block = Buffer.alloc(MB, "plugboard");
  await pipeline(async function* () {
    for (let sent = 0; sent < size; sent += block.length) {
      // A copy, because the previous block may still be in flight.
      const part = Buffer.from(block);
      part.writeUInt32BE(sent / MB, 0);
      sum.update(part);
      yield part;
    }
  }, target as NodeJS.WritableStream);
  return sum.digest("hex");
}

async function readBody(source: IncomingMessage): Promise<{ size: number; sum: string }> {
  const sum = createHash("sha256");
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    sum.update(chunk);
  }
  return { size, sum: sum.digest("hex") };
}

async function download(size: number, length: Record<string, string>) {
  const written = Promise.withResolvers<string>();
  upstream.answer((_, response) => {
    response.writeHead(200, length);
    writeBody(response, size).then(written.resolve, written.reject);
  });
  const request = httpRequest(`${service.url}/proxy/download`, { headers });
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const got = await readBody(response);
  return { got, sent: { size, sum: await written.promise } };
}

async function upload(size: number, length: Record<string, string>) {
  const read = Promise.withResolvers<{ size: number; sum: string }>();
  upstream.answer((request, response) => {
    readBody(request)
      .then(read.resolve, read.reject)
      .finally(() => response.end("done"));
  });
  const request = httpRequest(`${service.url}/proxy/upload`, { method: "POST", headers: { ...headers, ...length } });
  const [sum, [response]] = await Promise.all([writeBody(request, size), once(request, "response")]);
  expect((response as IncomingMessage).statusCode).toBe(200);
  (response as IncomingMessage).resume();
  return { got: await read.promise, sent: { size, sum } };
}

const known = { "content-length": String(BODY) };
const ways: [string, typeof download, Record<string, string>][] = [
  ["downloaded with a known length", download, known],
  ["uploaded in chunks", upload, {}],
];
if (FULL) ways.push(["downloaded in chunks", download, {}], ["uploaded with a known length", upload, known]);

it.each(ways)(
  `${BODY / MB} MB %s arrive complete, and memory grows by less than ${MAX_GROWTH_MB} MB`,
  async (way, move, length) => {
    const growth = await growthDuring(`${BODY / MB} MB ${way}`, async () => {
      const { got, sent } = await move(BODY, length);
      expect(got).toEqual(sent);
    });
    expect(growth).toBeLessThan(MAX_GROWTH_MB);
  },
  180_000,
);

it("a client that does not read stops the provider from sending", async () => {
  let written = 0;
  upstream.answer((_, response) => {
    const block = Buffer.alloc(MB);
    const more = () => {
      while (!response.destroyed) {
        written += block.length;
        if (!response.write(block)) return response.once("drain", more);
      }
      return undefined;
    };
    more();
  });
  const request = httpRequest(`${service.url}/proxy/endless`, { headers });
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  // Nothing reads the answer, so the provider stops once the buffers are full.
  let before = -1;
  for (let round = 0; round < 100 && written !== before; round++) {
    before = written;
    await wait(100);
  }
  expect(written).toBe(before);
  expect(written).toBeLessThan(64 * MB);
  response.destroy();
});

it(`${STREAMS} event streams over Proxy and MCP stay open for ${STREAM_SECONDS} s and lose no event`, async () => {
  const events = Math.floor((STREAM_SECONDS * 1000) / EVENT_EVERY_MS);
  const opened: ServerResponse[] = [];
  function sendEvents(response: ServerResponse): void {
    let sent = 0;
    const timer = setInterval(() => {
      response.write(`id: ${++sent}\ndata: ${"x".repeat(100)}\n\n`);
      if (sent < events) return;
      clearInterval(timer);
      response.end();
    }, EVENT_EVERY_MS);
    response.once("close", () => clearInterval(timer));
  }
  upstream.answer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    opened.push(response);
    // Events start when all streams are open.
    if (opened.length === STREAMS) for (const one of opened) sendEvents(one);
  });
  let open = 0;
  let maxOpen = 0;
  async function listen(index: number): Promise<number> {
    const request = httpRequest(`${service.url}${index % 2 ? "/proxy/events" : "/mcp"}`, {
      headers: { ...headers, accept: "text/event-stream" },
    });
    request.end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    expect([response.statusCode, response.headers["content-type"]]).toEqual([200, "text/event-stream"]);
    maxOpen = Math.max(maxOpen, ++open);
    let text = "";
    for await (const chunk of response) text += chunk;
    open--;
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    expect(ids).toEqual(ids.map((_, at) => at + 1));
    return ids.length;
  }
  await growthDuring(`${STREAMS} streams of ${events} events`, async () => {
    const counts = await Promise.all(Array.from({ length: STREAMS }, (_, index) => listen(index)));
    expect(new Set(counts)).toEqual(new Set([events]));
  });
  expect(maxOpen).toBe(STREAMS);
}, 180_000);

it("calls still work while 300 event streams are open", async () => {
  upstream.answer((request, response) => {
    if (request.url!.endsWith("/events")) {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    } else response.end("ok");
  });
  // More than the sockets for calls to one host.
  const listeners = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const request = httpRequest(`${service.url}/proxy/events`, { headers });
      request.end();
      await once(request, "response");
      return request;
    }),
  );
  expect(await (await fetch(`${service.url}/proxy/call`, { headers })).text()).toBe("ok");
  for (const listener of listeners) listener.destroy();
});
