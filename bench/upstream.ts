// The provider of the benchmark: answers any path with a prepared body of the size that the first segment names.
import { createServer } from "node:http";
import { announce } from "./announce.ts";
import { body, type Size, sizes } from "./bodies.ts";

const bodies = Object.fromEntries(sizes.map((size) => [size, body(size)])) as Record<Size, Buffer>;

const server = createServer((request, response) => {
  const bytes = bodies[request.url!.slice(1, request.url!.indexOf("/", 1)) as Size];
  if (!bytes) return response.writeHead(404).end();
  response.writeHead(200, {
    "content-type": "application/json; charset=utf-8",
    "content-length": bytes.length,
    etag: '"0123456789abcdef"',
    "x-ratelimit-limit": "5000",
    "x-ratelimit-remaining": "4999",
  });
  response.end(bytes);
});
announce(server);
