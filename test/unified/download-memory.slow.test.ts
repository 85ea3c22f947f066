// A large file through a service in its own process. `npm run test:streams` downloads a whole gigabyte.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Cluster, startCluster } from "../support/cluster.ts";
import { memoryDuring } from "../support/process.ts";
import { startUpstream, type Upstream } from "../support/upstream.ts";

const FULL = process.env.FULL_STREAMS === "1";
const MB = 1024 * 1024;
const SIZE = (FULL ? 1024 : 256) * MB;
const MAX_GROWTH_MB = 40;
const FILE_ID = "12345";

let cluster: Cluster;
let storage: Upstream;
let upstream: Upstream;
let headers: Record<string, string>;

beforeAll(async () => {
  cluster = await startCluster({ members: 1 });
  storage = await startUpstream(serveFile);
  // Box redirects to a storage server, which must not get the token.
  upstream = await startUpstream((request, response) => {
    const found = request.url!.endsWith(`/files/${FILE_ID}/content`);
    response.writeHead(found ? 302 : 404, { location: `${storage.url}/stored` }).end();
  });
  const app = { type: "oauth2", client_id: "made-up", client_secret: "made-up" };
  const { connection } = await cluster.connectTo("box", upstream.url, app);
  headers = { authorization: `Bearer ${cluster.key}`, "SVC-Connection-ID": connection };
  await download({ range: "bytes=0-9" });
});
afterAll(async () => {
  await cluster?.close();
  await upstream?.close();
  await storage?.close();
});

/** A megabyte of the file. No two are alike. */
function block(index: number): Buffer {
  const bytes = Buffer.alloc(MB, "plugboard");
  bytes.writeUInt32BE(index, 0);
  return bytes;
}

/** The bytes of the file from `start` to `end`, which is not included. */
function* bytesOf(start: number, end: number): Generator<Buffer> {
  for (let at = start; at < end; ) {
    const index = Math.floor(at / MB);
    const to = Math.min(end, (index + 1) * MB);
    yield block(index).subarray(at - index * MB, to - index * MB);
    at = to;
  }
}

function serveFile({ headers: { range } }: IncomingMessage, response: ServerResponse): void {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
  const start = Number(first ?? 0);
  const end = last === undefined ? SIZE : Number(last) + 1;
  response.writeHead(last === undefined ? 200 : 206, {
    "content-type": "video/mp4",
    "content-length": end - start,
    "accept-ranges": "bytes",
    ...(last === undefined ? {} : { "content-range": `bytes ${start}-${end - 1}/${SIZE}` }),
  });
  // A client that leaves ends it early.
  pipeline(bytesOf(start, end), response).catch(() => {});
}

async function digest(source: AsyncIterable<Buffer> | Iterable<Buffer>) {
  const sum = createHash("sha256");
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    sum.update(chunk);
  }
  return { size, sum: sum.digest("hex") };
}

async function download(more: Record<string, string> = {}) {
  const address = `${cluster.members[0]!.url}/unified/v1/drive/files/${FILE_ID}/content`;
  const request = httpRequest(address, { headers: { ...headers, ...more } });
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, got: await digest(response) };
}

it(`a file of ${SIZE / MB} MB arrives complete, and memory grows by less than ${MAX_GROWTH_MB} MB`, async () => {
  const expected = await digest(bytesOf(0, SIZE));
  expect(expected.size).toBe(SIZE);
  const { idle, growth } = await memoryDuring(cluster.members[0]!.child, async () => {
    const { status, headers: received, got } = await download();
    expect([status, received["content-type"], received["content-length"]]).toEqual([200, "video/mp4", String(SIZE)]);
    expect(got).toEqual(expected);
  });
  if (FULL) console.log(`a download of ${SIZE / MB} MB: from ${idle.toFixed(0)} MB up by ${growth.toFixed(1)} MB`);
  expect(growth).toBeLessThan(MAX_GROWTH_MB);
  expect(storage.seen.at(-1)!.headers.authorization).toBeUndefined();
}, 180_000);

it("a range of a file is what arrives, also across the provider's redirect", async () => {
  const [start, last] = [3 * MB - 5, 5 * MB + 6];
  const { status, headers: received, got } = await download({ range: `bytes=${start}-${last}` });
  expect([status, received["content-range"], received["content-length"]]).toEqual([
    206,
    `bytes ${start}-${last}/${SIZE}`,
    String(last - start + 1),
  ]);
  expect(got).toEqual(await digest(bytesOf(start, last + 1)));
});
