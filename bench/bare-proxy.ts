// The baseline for a proxy: node:http in front, undici's `dispatch` behind, and nothing in between. Of undici's three ways
// to make a call it takes the least time; `stream` and `request` build on it.
import { createServer } from "node:http";
import { Pool } from "undici";
import { announce } from "./announce.ts";

const pool = new Pool(process.argv[2]!, { connections: 256 });

const server = createServer((request, response) => {
  let mayPause = false;
  pool.dispatch(
    {
      method: request.method as "GET",
      path: request.url!,
      headers: { accept: "application/json", "user-agent": "bench", authorization: "Bearer bench" },
    },
    {
      onRequestStart() {},
      onResponseStart(_, statusCode, { connection: _connection, "keep-alive": _keepAlive, ...endToEnd }) {
        response.writeHead(statusCode, endToEnd);
      },
      onResponseData(controller, chunk) {
        if (response.write(chunk)) return;
        controller.pause();
        if (mayPause) return;
        mayPause = true;
        response.on("drain", () => controller.resume());
        // A socket that stays paused after its client has left would be missing from the pool.
        response.on("close", () => response.writableFinished || controller.abort(new Error("the client left")));
      },
      onResponseEnd() {
        response.end();
      },
      onResponseError() {
        response.destroy();
      },
    },
  );
});
announce(server);
