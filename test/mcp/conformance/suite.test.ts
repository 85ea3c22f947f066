// The protocol's own conformance suite, in both eras: against the real endpoint, and, with the tools that its scenarios
// call, against the same handler. What is expected to fail is listed in not-applicable.ts, with the reasons.
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as httpRequest, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { handleMcpRequest } from "../../../src/surfaces/unified/mcp/server.ts";
import { startService } from "../../support/service.ts";
import { readText } from "../../support/upstream.ts";
import { startConformance } from "./command.ts";
import { fixtureTools } from "./fixture-tools.ts";
import { ENDPOINT_ONLY, FIXTURE_ONLY, notApplicable } from "./not-applicable.ts";

const ERAS = ["2025-11-25", "2026-07-28"];

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** Runs all scenarios of an era; fails if another than the listed ones fails, and if a listed one passes. */
async function conformance(url: string, era: string, others: readonly string[]): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const baseline = join(folder, "expected-failures.yml");
  writeFileSync(baseline, JSON.stringify({ server: [...notApplicable(era), ...others] }));
  const args = ["server", "--url", url, "--suite", "all", "--spec-version", era, "--expected-failures", baseline];
  const child = startConformance(...args);
  const [output, [code]] = await Promise.all([readText(child.stdout), once(child, "close")]);
  expect([code, code === 0 ? "" : output.slice(output.indexOf("=== SUMMARY"))]).toEqual([0, ""]);
}

it.each(ERAS)("Unified MCP passes the conformance suite of %s", { timeout: 240_000 }, async (era) => {
  const service = await startService({ env: { RATE_LIMIT: "100000/60" } });
  onTestFinished(() => service.close());
  const authorization = `Bearer ${service.apiKey}.${service.connections.github}`;
  const { port } = new URL(service.url);
  const url = await listen((request, response) => {
    const headers = { ...request.headers, authorization };
    const forwarded = httpRequest({ port, path: "/unified/v1/mcp", method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  });
  await conformance(url, era, FIXTURE_ONLY);
});

it.each(ERAS)("the handler passes the scenarios about tools of %s", { timeout: 240_000 }, async (era) => {
  const url = await listen(async (request, response) => {
    if (request.method !== "POST") return void response.writeHead(405, { allow: "POST" }).end();
    const body = JSON.parse(await readText(request));
    const answer = await handleMcpRequest(fixtureTools, { body, headers: request.headers });
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(await answer.text());
  });
  await conformance(url, era, ENDPOINT_ONLY);
});
