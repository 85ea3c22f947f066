// dry_run=true: what would be sent, and nothing is sent.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { createClient } from "../conformance/client.ts";
import { ledgerCatalogue, type StoredEntry } from "../support/ledger-provider.ts";
import { requestsDuring } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";

describe("a dry run", () => {
  const written: StoredEntry[] = [];
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ env: { UNIFIED_RATE_LIMIT: "3/60" }, catalogue: ledgerCatalogue(written) });
  });
  afterAll(() => service?.close());

  const call = async (path: string, method = "GET", body?: object, headers = {}) => {
    const response = await fetch(`${service.url}/unified/v1/ledger/entries${path}`, {
      method,
      headers: {
        authorization: `Bearer ${service.apiKey}`,
        "SVC-Connection-ID": service.connections.ledger!,
        "content-type": "application/json",
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: (await response.json()) as any };
  };

  it("a dry run returns the request of a write, with its body and without the credential, and sends nothing", async () => {
    const seen = await requestsDuring(service, "ledger", async () => {
      const { status, body } = await call("?dry_run=true", "POST", { text: "Zoë" }, { "Idempotency-Key": "k" });
      expect(status).toBe(200);
      const { requests, complete } = body.response.data;
      expect(complete).toBe(true);
      expect(requests).toEqual([
        {
          method: "POST",
          url: `${service.url}/sandbox/ledger/v1/entries`,
          headers: expect.objectContaining({ authorization: "Bearer [redacted]" }),
          body: { text: "Zoë", key: expect.any(String) },
        },
      ]);
    });
    expect([seen, written]).toEqual([[], []]);
    // The key was not used up.
    expect((await call("", "POST", { text: "other" }, { "Idempotency-Key": "k" })).status).toBe(200);
  });

  it("a dry run of an operation with several calls ends at the first whose answer is needed", async () => {
    const { body } = await call("/7?dry_run=true", "PATCH", { text: "x" });
    expect(body.response.data).toMatchObject({ complete: false, requests: [{ method: "GET", body: null }] });
    expect(body.response.data.requests[0].url).toMatch(/\/entries\/7$/);
  });

  it("a dry run still refuses invalid input, an unknown connection and a wrong key", async () => {
    expect((await call("?dry_run=true", "POST", { text: 5 })).status).toBe(400);
    expect((await call("?dry_run=maybe")).body.errors[0].path).toEqual(["query", "dry_run"]);
    expect((await call("?dry_run=true", "GET", undefined, { "SVC-Connection-ID": "conn_x" })).status).toBe(404);
    expect((await call("?dry_run=true", "GET", undefined, { authorization: "Bearer x" })).status).toBe(401);
  });

  it("a dry run does not count towards the rate limit", async () => {
    for (let index = 0; index < 10; index++) expect((await call("?dry_run=true")).status).toBe(200);
  });
});

describe("a dry run of every operation of every provider", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
  });
  afterAll(() => service?.close());

  it.each(providers.map((provider) => [provider.manifest.id, provider] as const))(
    "%s sends nothing and shows no credential",
    async (id, provider) => {
      const client = createClient(service, provider);
      const { credentials } = (await service.store.connections.load(service.connections[id]!))!.connection;
      const secrets = Object.values(credentials).filter((value) => value !== credentials.username);
      const implemented = operations.filter(({ category, name }) =>
        provider.categories.some((one) => one.category === category && one.operations[name]),
      );
      for (const operation of implemented) {
        const pathParams = await client.sampleParams(operation, operations);
        const sample = await client.sampleBody(operation, operations);
        const seen = await client.requests(async () => {
          const { status, text, body } = await client.call(operation, pathParams, { dry_run: "true" }, {}, sample);
          expect([operation.id, status, body.response.data.requests.length]).toEqual([operation.id, 200, 1]);
          for (const secret of secrets) expect(text).not.toContain(secret);
        });
        expect([operation.id, seen]).toEqual([operation.id, []]);
      }
    },
  );
});
