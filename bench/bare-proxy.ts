// The baseline for a proxy: node:http in front, undici behind, and nothing in between.
import { createServer } from "node:http";
import { Pool } from "undici";
import { announce } from "./announce.ts";

const pool = new Pool(process.argv[2]!, { connections: 256 });

const server = createServer(async (request, response) => {
  const { statusCode, headers, body } = await pool.request({
    method: request.method as "GET",
    path: request.url!,
    headers: { accept: "application/json", "user-agent": "bench", authorization: "Bearer bench" },
  });
  const { connection: _, "keep-alive": __, ...endToEnd } = headers;
  response.writeHead(statusCode, endToEnd);
  body.pipe(response);
});
announce(server);
