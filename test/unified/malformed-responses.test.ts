// Whatever a provider answers, it is the provider's fault: 502 in our format, and never an internal error.
import type { RequestListener } from "node:http";
import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startService, type TestService } from "../support/service.ts";
import { answerJson, BASE_PATH, type Connected, connectTo, startUpstream, type Upstream } from "../support/upstream.ts";

let service: TestService;
let upstream: Upstream;
let connected: Connected;
beforeAll(async () => {
  upstream = await startUpstream();
  service = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true", UNIFIED_RATE_LIMIT: "10000/60" } });
  connected = await connectTo(service, upstream.url);
});
afterAll(async () => {
  await service?.close();
  await upstream?.close();
});

async function get(path: string, { headers }: Pick<Connected, "headers"> = connected, more: object = {}) {
  const response = await fetch(`${service.url}/unified${path}`, {
    headers: { "SVC-Max-Retries": "0", ...headers, ...more },
  });
  return { status: response.status, body: await response.text() };
}

async function count(metric: string): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const line = text.split("\n").find((candidate) => candidate.startsWith(`${metric} `));
  return Number(line?.split(" ")[1] ?? 0);
}
const malformedCalls = 'plugboard_upstream_calls_total{provider="github",status="malformed"}';
const badGateways = 'plugboard_requests_total{surface="unified",method="GET",status="502"}';

/** An answer that is a 502 in the format of the Unified API, and is counted as that. */
async function expectMalformed(path: string, connection?: Pick<Connected, "headers">, detail = /documented format/) {
  const before = [await count(malformedCalls), await count(badGateways)];
  const logged = service.logs().length;
  const { status, body } = await get(path, connection);
  expect([status, body]).toEqual([502, expect.stringContaining('"success":false')]);
  expect(JSON.parse(body)).toEqual({
    success: false,
    errors: [{ code: 7004, message: "Provider Unreachable", detail: expect.stringMatching(detail) }],
  });
  // The response is counted after it was sent.
  await expect
    .poll(async () => [await count(malformedCalls), await count(badGateways)])
    .toEqual([before[0]! + 1, before[1]! + 1]);
  return service.logs().slice(logged);
}

const repo = {
  id: 1,
  name: "rocket",
  full_name: "acme/rocket",
  html_url: "https://example.com",
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  pushed_at: "2026-01-01T00:00:00Z",
};

describe("JSON of another format than documented", () => {
  it.each([
    ["null", "null"],
    ["a string", '"x"'],
    ["a number", "7"],
    ["an object that looks like a list", '{"length":1000000000}'],
    ["a list of null and numbers", "[null,1]"],
    ["a list of strings", '["a"]'],
    ["a list in a list", "[[]]"],
    ["records without any field", "[{},{}]"],
    ["a record without one field", JSON.stringify([{ ...repo, id: undefined }])],
    ["nested lists, 100,000 levels deep", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
  ])("a list that is %s is a 502 and not an internal error", async (_, json) => {
    upstream.answer(answerJson(json));
    const logged = await expectMalformed("/v1/git/repos");
    expect(logged).toContain("does not have the documented format");
    expect(logged).toContain(connected.connection);
    expect(logged).not.toContain('"level":"error"');
  });

  it("a list survives an item that cannot be read, and says in a header, a metric and the log that one is missing", async () => {
    upstream.answer(answerJson(JSON.stringify([repo, null, { name: "no other field" }])));
    const skippedItems = 'plugboard_skipped_items_total{provider="github",operation="git.listRepositories"}';
    const before = await count(skippedItems);
    const logged = service.logs().length;
    const list = (headers: object) =>
      fetch(`${service.url}/unified/v1/git/repos`, { headers: { ...connected.headers, ...headers } });
    const response = await list({});
    expect(response.headers.get("SVC-Skipped-Items")).toBe("2");
    expect(((await response.json()) as any).response.data).toMatchObject([{ name: "rocket" }]);
    const lines = (await (await list({ accept: "application/x-ndjson" })).text()).trim().split("\n");
    expect(JSON.parse(lines.at(-1)!)).toEqual({ metadata: { next: null, skipped: 2 } });
    expect(await count(skippedItems)).toBe(before + 4);
    expect(service.logs().slice(logged)).toContain("left out");
    expect(service.logs().slice(logged)).not.toContain("no other field");
    upstream.answer(answerJson(JSON.stringify([repo])));
    expect((await list({})).headers.has("SVC-Skipped-Items")).toBe(false);
  });

  it("a record with an object that cannot become a text is a 502 and not an internal error", async () => {
    upstream.answer(answerJson(JSON.stringify([{ ...repo, name: { toString: 1 } }])));
    const { status, body } = await get("/v1/git/repos");
    expect([status, body]).toEqual([502, expect.stringContaining('"code":7004')]);
  });

  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const deepRecord = `[${JSON.stringify(repo).slice(0, -1)},"more":${deep}}]`;

  it("a field nested 100,000 levels deep does not matter unless the client asks for the provider's own body", async () => {
    upstream.answer(answerJson(deepRecord));
    expect((await get("/v1/git/repos")).status).toBe(200);
    const { status, body } = await get("/v1/git/repos?include_raw=true");
    expect([status, body]).toEqual([502, expect.stringContaining('"code":7004')]);
  });

  it("a stream whose page has another format than documented ends with a line in the format of errors", async () => {
    const ndjson = { accept: "application/x-ndjson" };
    let calls = 0;
    const secondPage =
      (_: unknown, text: string): RequestListener =>
      (_request, response) => {
        const next = `<${upstream.url}${BASE_PATH}/user/repos?page=2>; rel="next"`;
        if (calls++ === 0) response.writeHead(200, { link: next }).end(JSON.stringify([repo]));
        else response.writeHead(200).end(text);
      };
    for (const [name, text, query] of [
      ["a list of null", "[null]", "limit=1"],
      ["nested deeply", deepRecord, "limit=1&include_raw=true"],
    ] as const) {
      calls = 0;
      upstream.answer(secondPage(name, text));
      const { status, body } = await get(`/v1/git/repos?${query}`, connected, ndjson);
      const lines = body.trim().split("\n");
      expect([name, status, lines.at(-1)]).toEqual([name, 200, expect.stringContaining('"code":7004')]);
    }
  });

  it("the tools of Unified MCP report a response of another format as the provider's fault", async () => {
    upstream.answer(answerJson("null"));
    const response = await fetch(`${service.url}/unified/v1/mcp`, {
      method: "POST",
      headers: { ...connected.headers, "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "git_list_repositories", arguments: {} },
      }),
    });
    const { result } = (await response.json()) as any;
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toMatch(/documented format/);
    expect(result.content[0].text).not.toMatch(/internal error/i);
  });
});

it.each(["http://[bad", "http://a b", "https://"])(
  "a redirect to the unreadable address %s is a 502 and not an internal error",
  async (location) => {
    upstream.answer((_, response) => response.writeHead(302, { location }).end());
    await expectMalformed("/v1/git/repos", connected, /redirected to an address that cannot be read/);
  },
);

it.each(["", "?limit=5&fields=id%2Cname"])(
  "a redirect to another host is marked as the provider's error: %s",
  async (query) => {
    upstream.answer((_, response) => response.writeHead(302, { location: "http://other.example/x" }).end("{}"));
    const response = await fetch(`${service.url}/unified/v1/git/repos${query}`, {
      headers: connected.headers,
      redirect: "manual",
    });
    expect([response.status, response.headers.get("svc-error-source")]).toEqual([302, "provider"]);
  },
);

it.each([600, 700, 999])("a response with status %i is a 502 and not an internal error", async (status) => {
  // Node's own server refuses to send such a status.
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(`HTTP/1.1 ${status} Odd\r\ncontent-length: 2\r\n\r\n{}`));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const odd = await connectTo(service, `http://127.0.0.1:${port}`);
  await expectMalformed("/v1/git/repos", odd, new RegExp(`responded with the status ${status}`));
  server.close();
});
