// The baseline for a unified list: parse, map to our record, stringify, and nothing else.
import { createServer } from "node:http";
import { Pool } from "undici";
import { toRepository } from "../src/provider-kit/git-records.ts";
import { announce } from "./announce.ts";

const pool = new Pool(process.argv[2]!, { connections: 256 });

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  pool.dispatch(
    {
      method: "GET",
      path: request.url!,
      headers: { accept: "application/json", "user-agent": "bench", authorization: "Bearer bench" },
    },
    {
      onRequestStart() {},
      onResponseStart() {},
      onResponseData(_, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
        const items = JSON.parse(body.toString());
        const text = JSON.stringify({ response: { data: items.map(toRepository), metadata: { next: null } } });
        response.writeHead(200, {
          "content-type": "application/json; charset=utf-8",
          "content-length": Buffer.byteLength(text),
        });
        response.end(text);
      },
      onResponseError() {
        response.destroy();
      },
    },
  );
});
announce(server);
