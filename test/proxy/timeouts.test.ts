// What the Proxy's timeout ends and what it does not end. Other tests have the long default, which a busy machine needs.
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startService, type TestService } from "../support/service.ts";
import { type Connected, connectTo, readText, startUpstream, type Upstream } from "../support/upstream.ts";

const TIMEOUT_MS = 2_000;

let service: TestService;
let upstream: Upstream;
let me: Connected;

beforeAll(async () => {
  service = await startService({
    env: { ALLOW_PRIVATE_UPSTREAMS: "true", UPSTREAM_TIMEOUT_MS: String(TIMEOUT_MS), UPSTREAM_RETRY_TIMEOUT_MS: "200" },
  });
  upstream = await startUpstream();
  me = await connectTo(service, upstream.url);
});
afterAll(async () => {
  await service?.close();
  await upstream?.close();
});

it("a provider that does not answer in time gets 408 as plain text", async () => {
  upstream.seen.length = 0;
  upstream.answer(() => {});
  const response = await fetch(`${service.url}/proxy/slow`, { headers: { ...me.headers, "SVC-Max-Retries": "1" } });
  expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
    408,
    "text/plain; charset=utf-8",
    "Request timed out",
  ]);
  expect(upstream.seen).toHaveLength(2);
});

it("an upload may take longer than the timeout as long as bytes arrive", async () => {
  upstream.answer(async (request, response) => response.end(await readText(request)));
  const request = httpRequest(`${service.url}/proxy/x`, { method: "POST", headers: me.headers });
  for (let part = 0; part < 4; part++) {
    request.write(`${part} `);
    await new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS / 2));
  }
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  expect([response.statusCode, await readText(response)]).toEqual([200, "0 1 2 3 "]);
});

it("an upload that stops in the middle gets 408", async () => {
  upstream.answer(async (request) => void (await readText(request).catch(() => {})));
  const request = httpRequest(`${service.url}/proxy/x`, {
    method: "POST",
    headers: { ...me.headers, "content-length": "100" },
  });
  request.write("begun");
  const [response] = (await once(request, "response")) as [IncomingMessage];
  expect(response.statusCode).toBe(408);
  request.destroy();
});

it("an answer that begins before the request's body has ended goes on for longer than the timeout", async () => {
  let say: (text: string) => void = () => {};
  upstream.answer((request, response) => {
    response.writeHead(200).flushHeaders();
    say = (text) => response.write(text);
    request.on("data", (chunk) => response.write(`heard ${chunk}`)).on("end", () => response.end("done"));
  });
  const request = httpRequest(`${service.url}/proxy/x`, { method: "POST", headers: me.headers });
  request.write("one, ");
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const text = readText(response);
  request.write("two, ");
  await new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS * 1.5));
  say("still here, ");
  request.end("three, ");
  expect(await text).toBe("heard one, heard two, still here, heard three, done");
});
