import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { counterCatalogue } from "../support/counter-provider.ts";
import { createPlatform } from "../support/platform.ts";
import { seenRequests } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";

const COUNT = 1_050;
let service: TestService;
beforeAll(async () => {
  service = await startService({
    env: { UNIFIED_RATE_LIMIT: "100000/60", LOG_LEVEL: "warn" },
    catalogue: counterCatalogue(COUNT),
  });
});
afterAll(() => service?.close());

const headers = (of = service, apiKey = of.apiKey) => ({
  authorization: `Bearer ${apiKey}`,
  "SVC-Connection-ID": of.connections.counter!,
  accept: "application/x-ndjson",
});
const stream = (query = "", of = service, apiKey = of.apiKey) =>
  fetch(`${of.url}/unified/v1/entries/entries?${query}`, { headers: headers(of, apiKey) });

interface Line {
  id?: string;
  metadata?: { next: string | null };
  errors?: { code: number; detail: string; provider?: { status: number } }[];
}
const parse = (text: string): Line[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const ids = (lines: Line[]) => lines.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]));
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

it("a list that is accepted as NDJSON is streamed whole, a record per line and a cursor after each page", async () => {
  const response = await stream();
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/x-ndjson; charset=utf-8"]);
  expect(response.headers.get("x-request-id")).toBeTruthy();
  const lines = parse(await response.text());
  expect(ids(lines)).toEqual(numbers(0, COUNT));
  const cursors = lines.filter(({ metadata }) => metadata);
  expect(cursors).toHaveLength(11);
  expect(lines[100]).toEqual({ metadata: { next: expect.any(String) } });
  expect(lines.at(-1)).toEqual({ metadata: { next: null } });
  expect(Object.keys(lines[0]!)).toEqual(["id", "text", "updated_at", "custom"]);
});

it("a stream resumes after the last cursor that the client has seen", async () => {
  const lines = parse(await (await stream("limit=50")).text());
  const { next } = lines.filter(({ metadata }) => metadata)[4]!.metadata!;
  const rest = parse(await (await stream(`after=${next}&limit=80`)).text());
  expect(ids(rest)).toEqual(numbers(250, COUNT));
});

it("an error before the first record is an ordinary error answer", async () => {
  const response = await stream("after=forged");
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ errors: [{ path: ["query", "after"] }] });
});

it("an error in the middle ends the stream with a line that says so, and the walk can be resumed", async () => {
  const response = await stream("limit=100");
  const reader = response.body!.getReader();
  await fetch(`${service.url}/sandbox/_faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ provider: "counter", path: "/entries?limit=100&start=500", status: 400, times: 1 }),
  });
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    text += Buffer.from(value).toString();
  }
  const lines = parse(text);
  // The stream may have been past that page before the fault was there.
  if (lines.at(-1)!.metadata?.next === null) return;
  expect(lines.at(-1)!.errors).toMatchObject([{ code: 7006, provider: { status: 400 } }]);
  const { next } = lines.findLast(({ metadata }) => metadata)!.metadata!;
  const rest = parse(await (await stream(`after=${next}`)).text());
  expect([...ids(lines), ...ids(rest)]).toEqual(numbers(0, COUNT));
});

it("a stream waits at the rate limit instead of failing", async () => {
  const limited = await startService({
    env: { UNIFIED_RATE_LIMIT: "4/1", LOG_LEVEL: "warn" },
    catalogue: counterCatalogue(900),
  });
  try {
    const lines = parse(await (await stream("", limited)).text());
    expect(ids(lines)).toEqual(numbers(0, 900));
  } finally {
    await limited.close();
  }
});

it("a stream ends with an error when its key is deleted", async () => {
  // At this limit it would take the stream a quarter of an hour to reach its end.
  const limited = await startService({
    env: { UNIFIED_RATE_LIMIT: "1/1", LOG_LEVEL: "warn" },
    catalogue: counterCatalogue(900),
  });
  try {
    const platform = createPlatform(limited, limited.apiKey);
    const { body: key } = await platform("POST", "/v1/api-keys", { name: "stream", scopes: ["unified:read"] });
    const response = await stream("limit=1", limited, key.api_key);
    expect(response.status).toBe(200);
    expect((await platform("DELETE", `/v1/api-keys/${key.id}`)).status).toBe(200);
    const lines = parse(await response.text());
    expect(lines.at(-1)!.errors).toMatchObject([{ code: 1000 }]);
    expect(lines[0]!.id).toBe("0");
  } finally {
    await limited.close();
  }
});

const seen = async () => (await seenRequests(service, "counter")).length;

it("HEAD of a stream reads one page and no more", async () => {
  const before = await seen();
  const response = await fetch(`${service.url}/unified/v1/entries/entries`, { method: "HEAD", headers: headers() });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/x-ndjson; charset=utf-8"]);
  expect((await seen()) - before).toBe(1);
});

it("a client that leaves ends the walk", async () => {
  const before = await seen();
  await new Promise<void>((resolve, reject) => {
    const request = httpRequest(
      `${service.url}/unified/v1/entries/entries?limit=1`,
      { headers: headers() },
      (response) => {
        response.once("data", () => {
          request.destroy();
          resolve();
        });
      },
    );
    request.on("error", (error: NodeJS.ErrnoException) => (error.code === "ECONNRESET" ? undefined : reject(error)));
    request.end();
  });
  await expect
    .poll(async () => {
      const first = await seen();
      await new Promise((resolve) => setTimeout(resolve, 100));
      return (await seen()) - first;
    })
    .toBe(0);
  // 1,050 records in pages of one would have been over a hundred calls.
  expect((await seen()) - before).toBeLessThan(60);
});

it("other operations and other accepted types answer as usual", async () => {
  const url = `${service.url}/unified/v1/entries/entries?limit=2`;
  const response = await fetch(url, { headers: { ...headers(), accept: "application/json" } });
  expect(await response.json()).toMatchObject({ response: { metadata: { next: expect.any(String) } } });
});
