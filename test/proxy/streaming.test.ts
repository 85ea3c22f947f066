// Large bodies and many event streams through a service that runs as a process of its own. `npm run test:streams` runs
// the full form: 1 GB each way, and a minute of 200 streams.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage, type OutgoingMessage, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ServiceProcess, startProcess } from "./process.ts";
import { startUpstream, type Upstream } from "./support.ts";

const FULL = process.env.FULL_STREAMS === "1";
const MB = 1024 * 1024;
const BODY = (FULL ? 1024 : 256) * MB;
const MAX_GROWTH_MB = 64;
const STREAMS = 200;
const STREAM_SECONDS = FULL ? 60 : 3;
const EVENT_EVERY_MS = 100;

let service: ServiceProcess;
let upstream: Upstream;
let headers: Record<string, string>;

beforeAll(async () => {
  service = await startProcess({ ALLOW_PRIVATE_UPSTREAMS: "true", RATE_LIMIT: "100000/60" });
  upstream = await startUpstream();
  headers = await service.connectTo(upstream.url);
  await fetch(`${service.url}/proxy/first`, { headers });
});
afterAll(async () => {
  await service?.close();
  await upstream?.close();
});

/** By how many megabytes the service's memory grows at most while `work` runs, looked at all the time. */
async function growthDuring(what: string, work: () => Promise<void>): Promise<number> {
  const idle = service.memory();
  let most = idle;
  const timer = setInterval(() => {
    most = Math.max(most, service.memory());
  }, 10);
  await work().finally(() => clearInterval(timer));
  const growth = Math.max(most, service.memory()) - idle;
  if (FULL) console.log(`${what}: from ${idle.toFixed(0)} MB up by ${growth.toFixed(1)} MB`);
  return growth;
}

/** Writes `size` bytes, no two megabytes of them alike, as fast as they are taken; returns their SHA-256. */
async function writeBody(target: OutgoingMessage, size: number): Promise<string> {
  const sum = createHash("sha256");
  const block = Buffer.alloc(MB, "plugboard");
  await pipeline(async function* () {
    for (let sent = 0; sent < size; sent += block.length) {
      // A copy: the block before may still be on its way.
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
  ["going down, of known length", download, known],
  ["going up, in chunks", upload, {}],
];
if (FULL) ways.push(["going down, in chunks", download, {}], ["going up, of known length", upload, known]);

it.each(ways)(
  `${BODY / MB} MB come whole, %s, in less than ${MAX_GROWTH_MB} MB`,
  async (way, move, length) => {
    const growth = await growthDuring(`${BODY / MB} MB ${way}`, async () => {
      const { got, sent } = await move(BODY, length);
      expect(got).toEqual(sent);
    });
    expect(growth).toBeLessThan(MAX_GROWTH_MB);
  },
  180_000,
);

it("lets a client that reads slowly hold the provider back, not fill the memory", async () => {
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
  // Nobody reads: what fits into buffers on the way comes to a standstill.
  let before = -1;
  for (let round = 0; round < 100 && written !== before; round++) {
    before = written;
    await wait(100);
  }
  expect(written).toBe(before);
  expect(written).toBeLessThan(64 * MB);
  response.destroy();
});

it(`keeps ${STREAMS} event streams open for ${STREAM_SECONDS} s, over Proxy and MCP, none broken`, async () => {
  const events = Math.floor((STREAM_SECONDS * 1000) / EVENT_EVERY_MS);
  const opened: ServerResponse[] = [];
  function tell(response: ServerResponse): void {
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
    // The minute begins when the last one is open.
    if (opened.length === STREAMS) for (const one of opened) tell(one);
  });
  let open = 0;
  let most = 0;
  async function listen(index: number): Promise<number> {
    const request = httpRequest(`${service.url}${index % 2 ? "/proxy/events" : "/mcp"}`, {
      headers: { ...headers, accept: "text/event-stream" },
    });
    request.end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    expect([response.statusCode, response.headers["content-type"]]).toEqual([200, "text/event-stream"]);
    most = Math.max(most, ++open);
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
  expect(most).toBe(STREAMS);
}, 180_000);

it("goes on with calls while streams hold their sockets", async () => {
  upstream.answer((request, response) => {
    if (request.url!.endsWith("/events")) {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    } else response.end("ok");
  });
  // More than the sockets that calls to one host have among them.
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
