// Every provider × operation in the registry, through real HTTP: client → Plugboard → emulated provider. A provider
// that is added later is picked up with no edit here.
import { Ajv } from "ajv";
import formats from "ajv-formats";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import type { BoundOperation } from "../../src/contracts/operation.ts";
import type { Provider } from "../../src/contracts/provider.ts";
import { loadEvidence } from "../../src/providers/evidence.gen.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import type { Exchange } from "../../src/sandbox/index.ts";
import { descriptionsAtHand, holdAgainst, PROBE, specsFolder } from "../support/contract/index.ts";
import { startService, type TestService } from "../support/service.ts";
import { type Client, carriesProbe, createClient } from "./client.ts";

const PASSED_THROUGH = [400, 401, 403, 404, 422, 429, 500];
const NO_RETRY = { "SVC-Max-Retries": "0" };

const ajv = new Ajv({ allErrors: true, strict: false });
formats.default(ajv, ["date-time"]);

let service: TestService;
/** The same with time limits that a test can wait for. */
let impatient: TestService;
const recorded = new Map<string, Map<string, Exchange>>();

beforeAll(async () => {
  const env = { UNIFIED_RATE_LIMIT: "1000000/60", LOG_LEVEL: "fatal" };
  service = await startService({ env });
  impatient = await startService({
    env: { ...env, UPSTREAM_TIMEOUT_MS: "150", UPSTREAM_RETRY_TIMEOUT_MS: "100" },
  });
  service.sandbox.onExchange((exchange) => {
    const { method, path, query, body } = exchange.request;
    // One exchange of each form is enough to hold against a description: walks repeat themselves.
    const form = JSON.stringify([method, path, exchange.reply.status, [...query.keys()], query.get("limit"), body]);
    const known = recorded.get(exchange.provider) ?? new Map<string, Exchange>();
    recorded.set(exchange.provider, known.set(form, exchange));
  });
});
afterAll(async () => {
  await service?.close();
  await impatient?.close();
});

const implementedBy = (provider: Provider): BoundOperation[] =>
  operations.filter((operation) =>
    provider.categories.some(
      ({ category, operations: own }) => category === operation.category && own[operation.name] !== undefined,
    ),
  );

const evidence = await loadEvidence();

describe.each(providers.map((provider) => [provider.manifest.id, provider] as const))("%s", (id, provider) => {
  const implemented = implementedBy(provider);
  let client: Client;
  beforeAll(() => {
    client = createClient(service, provider);
  });
  afterEach(() => client.clearFaults());

  it("has a connection in the sandbox and implements something", () => {
    expect(service.connections[id]).toMatch(/^conn_/);
    expect(implemented.length).toBeGreaterThan(0);
  });

  it("answers 404/7002 for each operation that it does not have", async () => {
    for (const operation of operations.filter((one) => !implemented.includes(one))) {
      const params = Object.fromEntries(operation.parameters.map(({ name }) => [name, "a/b"]));
      const answered = await client.call(operation, params);
      expect([operation.id, answered.status, answered.body.errors[0].code]).toEqual([operation.id, 404, 7002]);
    }
  });

  it("gives text of every script unharmed somewhere", async () => {
    const texts = await Promise.all(
      implemented
        .filter(({ kind }) => kind === "list")
        .map(
          async (operation) => (await client.call(operation, await client.sampleParams(operation, operations))).text,
        ),
    );
    expect(texts.join("")).toMatch(/[^ -~\s]/);
    expect(texts.join("")).not.toContain("\ufffd");
  });

  describe.each(implemented.map((operation) => [operation.name, operation] as const))("%s", (_, operation) => {
    let params: Record<string, string>;
    beforeAll(async () => {
      params = await client.sampleParams(operation, operations);
    });
    const call = (query = {}, headers = {}) => client.call(operation, params, query, headers);

    if (operation.kind === "list") listChecks();
    if (operation.kind === "send") sendChecks();

    it.each(PASSED_THROUGH)("passes a provider's %i through with status, body and content type", async (status) => {
      const [{ request }] = (await client.exchanges(() => call())) as [Exchange];
      // A refused token is renewed and the call made once more: the second refusal is the answer.
      await client.fault({ status, path: request.path, times: 2 });
      let answered: Awaited<ReturnType<typeof call>> | undefined;
      const exchanges = await client.exchanges(async () => {
        answered = await call({}, NO_RETRY);
      });
      const { reply } = exchanges.findLast((exchange) => exchange.reply.status === status)!;
      expect(answered!.status).toBe(status);
      expect(answered!.text).toBe(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body));
      expect(answered!.headers.get("content-type")).toBe(reply.headers["content-type"]);
    });

    it.each([0, 1, 3])("tries again as often as Max-Retries says: %i", async (retries) => {
      const once = operation.kind === "send";
      await client.fault({ status: once ? 429 : 503, retry_after: 0, times: 10 });
      const seen = await client.requests(() => call({}, { "SVC-Max-Retries": String(retries) }));
      expect(seen).toHaveLength(retries + 1);
    });

    it("answers 408 when the provider gives no answer in time", async () => {
      const hurried = createClient(impatient, provider);
      await hurried.fault({ delay_ms: 5_000, times: 1 });
      const answered = await hurried.call(operation, params, {}, NO_RETRY);
      await hurried.clearFaults();
      expect([answered.status, answered.body.errors[0].code]).toEqual([408, 7003]);
    });

    it("answers 502 when the connection breaks, or when the body does", async () => {
      for (const broken of [{ drop: true }, { truncate: true }]) {
        await client.fault({ ...broken, times: 1 });
        const answered = await call({}, NO_RETRY);
        expect([answered.status, answered.body.errors[0].code]).toEqual([502, 7004]);
      }
    });

    if (provider.manifest.auth.oauth2?.lifetime !== undefined)
      it("meets an expired token with one refresh and goes on", async () => {
        await client.fault({ expire_tokens: true, times: 1 });
        const token = new URL(provider.manifest.addresses[provider.manifest.auth.oauth2!.token]!.replace(/[{}]/g, ""))
          .pathname;
        const seen = await client.requests(async () => expect((await call()).status).toBe(200));
        expect(seen.filter(({ path }) => path.split("?")[0]!.endsWith(token))).toHaveLength(1);
      });

    function listChecks() {
      let all: any[];

      it("gives records that are true to the schema, each once", async () => {
        all = await client.walk(operation, params, [100]);
        const validate = ajv.compile(operation.record);
        for (const record of all)
          if (!validate(record)) throw new Error(`${JSON.stringify(record)}: ${ajv.errorsText(validate.errors)}`);
        for (const record of all)
          for (const [field, value] of Object.entries(record))
            if (field.endsWith("_at") && value !== null) expect(value).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
        expect(new Set(all.map((record) => record.id ?? record.name)).size).toBe(all.length);
        expect(all.length).toBeGreaterThan(250);
      });

      it.each([[[1]], [[7]], [[1, 100, 3, 50]]])("gives the same walk with limit %j", async (limits) => {
        expect(await client.walk(operation, params, limits)).toEqual(all);
      });

      it("gives the provider's own response on demand, by query and by header", async () => {
        for (const [query, headers, wanted] of [
          [{ include_raw: "true" }, {}, true],
          [{}, { "SVC-Include-Raw": "true" }, true],
          [{ include_raw: "false" }, { "SVC-Include-Raw": "true" }, false],
          [{}, {}, false],
        ] as const) {
          let answered: Awaited<ReturnType<typeof call>> | undefined;
          const exchanges = await client.exchanges(async () => {
            answered = await call({ limit: 5, ...query }, headers);
          });
          const { _raw, data } = answered!.body.response;
          expect(data).toHaveLength(5);
          if (!wanted) expect(_raw).toBeUndefined();
          else expect(exchanges.map(({ reply }) => reply.body)).toContainEqual(_raw.pages?.[0] ?? _raw);
        }
      });

      it("hands the client's own params to the provider", async () => {
        const exchanges = await client.exchanges(() => call({ limit: 5, params: JSON.stringify({ [PROBE]: "1" }) }));
        expect(exchanges.some(carriesProbe)).toBe(true);
      });

      it("goes on after one broken connection or body, if it may try again", async () => {
        for (const broken of [{ drop: true }, { truncate: true }]) {
          await client.fault({ ...broken, times: 1 });
          expect((await call({ limit: 5 }, { "SVC-Max-Retries": "1" })).body.response.data).toEqual(all.slice(0, 5));
        }
      });

      it("refuses a cursor that was edited", async () => {
        const { next } = (await call({ limit: 1 })).body.response.metadata;
        const swap = (at: number) => next.slice(0, at) + (next[at] === "A" ? "B" : "A") + next.slice(at + 1);
        for (const after of [swap(0), swap(next.length - 1), swap(next.length >> 1), `${next}A`, next.slice(1), "x"]) {
          const answered = await call({ after });
          expect([answered.status, answered.body.errors[0].path]).toEqual([400, ["query", "after"]]);
        }
      });
    }

    function sendChecks() {
      it("sends, and answers with what the provider said", async () => {
        let answered: Awaited<ReturnType<typeof call>> | undefined;
        const exchanges = await client.exchanges(async () => {
          answered = await call({ include_raw: "true" });
        });
        expect(answered!.status).toBe(200);
        expect(answered!.body.response).toEqual({
          data: exchanges.at(-1)!.reply.body,
          _raw: exchanges.at(-1)!.reply.body,
        });
      });

      it("does not send twice where the first may have been carried out", async () => {
        for (const broken of [{ status: 500, retry_after: 0 }, { drop: true }]) {
          await client.fault({ ...broken, times: 1 });
          const seen = await client.requests(() => call({}, { "SVC-Max-Retries": "3" }));
          expect(seen).toHaveLength(1);
        }
      });

      it("refuses an empty text and one that is too long", async () => {
        for (const text of ["", "x".repeat(40_001)]) {
          const answered = await fetch(
            `${service.url}/unified${operation.route.replace(/:\w+/, encodeURIComponent(Object.values(params)[0]!))}`,
            {
              method: "POST",
              headers: {
                authorization: `Bearer ${service.apiKey}`,
                "svc-connection-id": service.connections[id]!,
                "content-type": "application/json",
              },
              body: JSON.stringify({ text }),
            },
          );
          const body = (await answered.json()) as any;
          expect([answered.status, body.errors[0].code, body.errors[0].path]).toEqual([400, 7001, ["body", "text"]]);
        }
      });
    }
  });

  // Last, when everything above has been seen.
  const folder = specsFolder();
  const descriptions = descriptionsAtHand(evidence[id], folder);
  if (descriptions.length > 0)
    it.skipIf(!folder && !process.env.CI)(
      `is held against its official description${folder ? "" : " (CONTRACT_SPECS is not set)"}`,
      () => {
        if (!folder) throw new Error("CONTRACT_SPECS is not set: see docs/contract-suite.md");
        const result = holdAgainst(provider, descriptions, [...(recorded.get(id)?.values() ?? [])], folder);
        expect(result.violations).toEqual([]);
        expect(result.stale).toEqual([]);
        expect(result.checked).toBeGreaterThan(0);
      },
    );
});
