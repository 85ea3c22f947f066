// A provider's response that would be expensive to read is refused, and costs nobody else anything.
import { readFileSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newDataDir, type PlugboardProcess, startPlugboard } from "../support/process.ts";
import { type Connected, connectTo, startUpstream, type Upstream } from "../support/upstream.ts";
import { createWorkspaces } from "../support/workspace.ts";

/** Far less than 20 million objects take, and enough for everything else. */
const HEAP_MB = 200;
const dataDir = newDataDir();
let upstream: Upstream;
let plugboard: PlugboardProcess;
let hostile: Connected;
let sandbox: { api_key: string; connections: Record<string, string> };

beforeAll(async () => {
  upstream = await startUpstream();
  plugboard = await startPlugboard({
    DATA_DIR: dataDir,
    ALLOW_PRIVATE_UPSTREAMS: "true",
    UNIFIED_RATE_LIMIT: "1000/60",
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
  });
  sandbox = JSON.parse(readFileSync(join(dataDir, "sandbox.json"), "utf8"));
  const { url } = plugboard;
  hostile = await connectTo(
    {
      url,
      createWorkspace: async (name) => (await createWorkspaces({ DATA_DIR: dataDir }, name))[0]!,
    },
    upstream.url,
  );
});
afterAll(async () => {
  await plugboard?.stop();
  await upstream?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** `[{},{},…]` of about so many bytes. */
function sendObjects(response: ServerResponse, bytes: number): void {
  const part = Buffer.from("{},".repeat(20_000));
  function* body() {
    yield "[";
    for (let left = bytes; left > 0; left -= part.length) yield part;
    yield "{}]";
  }
  response.writeHead(200, { "content-type": "application/json" });
  Readable.from(body())
    .on("error", () => {})
    .pipe(response);
}

async function read(headers: Record<string, string>) {
  const response = await fetch(`${plugboard.url}/unified/v1/git/repos?limit=1`, { headers });
  return { status: response.status, body: (await response.json()) as any };
}

const readSandbox = () =>
  read({ authorization: `Bearer ${sandbox.api_key}`, "SVC-Connection-ID": sandbox.connections.github! });

async function malformedCalls(): Promise<number> {
  const text = await (await fetch(`${plugboard.url}/metrics`)).text();
  return Number(/plugboard_upstream_calls_total\{provider="github",status="malformed"\} (\d+)/.exec(text)?.[1] ?? 0);
}

const MB = 1024 * 1024;
it.each([
  ["20 million empty objects in 60 MB", 60 * MB, "the provider's response is larger than 16 MB"],
  ["5 million empty objects in 15 MB", 15 * MB, "the provider's response has more than 500000 JSON values"],
])(
  "a provider that answers with %s does not stop the service: 502, once, while others are served",
  async (_, bytes, detail) => {
    const counted = await malformedCalls();
    upstream.seen.length = 0;
    upstream.answer((_, response) => sendObjects(response, bytes));
    const [refused, ...others] = await Promise.all([read(hostile.headers), ...Array.from({ length: 20 }, readSandbox)]);
    expect(refused).toEqual({
      status: 502,
      body: { success: false, errors: [{ code: 7004, message: "Provider Unreachable", detail }] },
    });
    expect(upstream.seen).toHaveLength(1);
    expect(await malformedCalls()).toBe(counted + 1);
    expect(others.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await readSandbox()).status).toBe(200);
    expect(plugboard.child.exitCode).toBeNull();
  },
);

it("ten answers that are too large at the same time do not stop the service", async () => {
  upstream.answer((_, response) => sendObjects(response, 15 * MB));
  const answers = await Promise.all(Array.from({ length: 10 }, () => read(hostile.headers)));
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(502));
  expect((await readSandbox()).status).toBe(200);
});
