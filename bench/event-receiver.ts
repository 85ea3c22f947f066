// Receives webhooks and says, after the number given as its argument, how long they took from the first to the last.
import { createServer } from "node:http";
import { announce } from "./announce.ts";

const expected = Number(process.argv[2]);
const seen = new Set<string>();
let first = 0;
let requests = 0;

announce(
  createServer((request, response) => {
    request.resume().on("end", () => {
      if (requests === 0) first = performance.now();
      requests += 1;
      seen.add(`${request.url} ${request.headers["webhook-id"]}`);
      response.writeHead(204).end();
      if (seen.size < expected) return;
      const { user, system } = process.cpuUsage();
      process.send!({ milliseconds: performance.now() - first, requests, cpuMs: (user + system) / 1000 });
    });
  }),
);
