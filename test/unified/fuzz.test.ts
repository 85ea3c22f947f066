// Random requests: each answer is one of the specified bodies, and none is a 500. `FUZZ_REQUESTS=100000` makes that many,
// from another seed each time; `FUZZ_SEED` repeats one.
import fc from "fast-check";
import { Agent, request } from "undici";
import { afterAll, beforeAll, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { startService, type TestService } from "../support/service.ts";

const { FUZZ_REQUESTS, FUZZ_SEED } = process.env;
const REQUESTS = Number(FUZZ_REQUESTS ?? 1_000);
const SEED = Number(FUZZ_SEED ?? (FUZZ_REQUESTS ? Date.now() % 1e9 : 20261115));
const AT_ONCE = 16;
/** Stands for a key or a connection that works. */
const VALID = "valid";

let service: TestService;
const agent = new Agent({ connections: AT_ONCE });
const provided = new Set<string>();

beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60", LOG_LEVEL: "fatal" } });
  service.sandbox.onExchange(({ reply }) => {
    const text = typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body);
    // Errors are short, and some providers send them with status 200.
    if (text?.length < 5_000) provided.add(text);
  });
});
afterAll(async () => {
  await agent.close();
  await service.close();
});

const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom("", "..", "a/b", "acme/rocket", "%", "%2F", "\u0000", "null", "1", "true"),
);
const headerText = fc.string({ unit: fc.constantFrom(..."abcXYZ019_-./%{}[]\"' ") }).map((text) => text.trim());

const arbitrary = fc.record({
  operation: fc.constantFrom(...operations),
  method: fc.oneof(
    { weight: 8, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH") },
  ),
  params: fc.array(anyText, { minLength: 2, maxLength: 2 }),
  key: fc.oneof({ weight: 6, arbitrary: fc.constant(VALID) }, { weight: 1, arbitrary: headerText }),
  connection: fc.oneof({ weight: 6, arbitrary: fc.constant(VALID) }, { weight: 1, arbitrary: headerText }),
  provider: fc.nat(),
  retries: fc.option(fc.oneof(fc.constantFrom("0", "3", "9", "-1"), headerText)),
  query: fc.oneof(
    fc.constantFrom({}, { limit: "3" }, { include_raw: "true" }, { params: '{"x":1}' }),
    fc.dictionary(
      fc.constantFrom("limit", "after", "include_raw", "params", "x"),
      fc.oneof(anyText, fc.integer().map(String), fc.json()),
      { maxKeys: 4 },
    ),
  ),
  type: fc.constantFrom(
    "application/json",
    "application/json; charset=utf-8",
    "text/plain",
    "application/x-www-form-urlencoded",
  ),
  body: fc.oneof(
    fc.json(),
    anyText,
    fc.constantFrom(...operations.flatMap(({ sample }) => (sample ? [JSON.stringify(sample)] : []))),
    fc.object().map((object) => JSON.stringify(object)),
  ),
});

function isSpecified(status: number, text: string): boolean {
  if (provided.has(text)) return true;
  const body = JSON.parse(text);
  if (status === 200) return body.response?.data !== undefined;
  const codes: Record<number, number> = { 400: 7001, 401: 1000, 404: 7002, 429: 1001, 502: 7004 };
  return (
    body.success === false && body.errors.length > 0 && body.errors.every((error: any) => error.code === codes[status])
  );
}

it(`${REQUESTS} random requests (seed ${SEED}) get specified answers, and never a 500`, async () => {
  const samples = fc.sample(arbitrary, { numRuns: REQUESTS, seed: SEED });
  const ids = Object.values(service.connections);
  const counts: Record<number, number> = {};
  const serving = ({ category, name }: (typeof operations)[number]) => {
    const having = providers.filter(({ categories }) =>
      categories.some((implemented) => implemented.category === category && implemented.operations[name]),
    );
    return having.length > 0 ? having.map(({ manifest }) => service.connections[manifest.id]!) : ids;
  };
  async function run(one: (typeof samples)[number]) {
    let index = 0;
    // Half of the requests go to a provider that has the operation.
    const pool = one.provider % 2 === 0 ? serving(one.operation) : ids;
    const path = one.operation.route.replace(/:\w+/g, () => encodeURIComponent(one.params[index++]!.toWellFormed()));
    const method = one.method ?? one.operation.method;
    const query = new URLSearchParams(Object.entries(one.query));
    const headers: Record<string, string> = {
      authorization: one.key === VALID ? `Bearer ${service.apiKey}` : one.key,
      "svc-connection-id": one.connection === VALID ? pool[one.provider % pool.length]! : one.connection,
    };
    if (one.retries !== null) headers["svc-max-retries"] = one.retries;
    const hasBody = method !== "GET";
    if (hasBody) headers["content-type"] = one.type;
    const response = await request(`${service.url}/unified${path}?${query}`, {
      dispatcher: agent,
      method: method as "GET",
      headers,
      ...(hasBody ? { body: one.body } : {}),
    });
    const text = await response.body.text();
    counts[response.statusCode] = (counts[response.statusCode] ?? 0) + 1;
    if (response.statusCode === 500 || !isSpecified(response.statusCode, text))
      throw new Error(
        `${method} ${path}?${query} ${JSON.stringify(headers)} ${one.body}: ${response.statusCode} ${text}`,
      );
  }
  const queue = samples.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const one of queue) await run(one);
    }),
  );
  expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(REQUESTS);
  expect(counts[200]).toBeGreaterThan(REQUESTS / 50);
  expect(counts[400]).toBeGreaterThan(REQUESTS / 50);
}, 600_000);
