// Every generated method of the SDK, over real HTTP, against the emulated providers.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConnectionClient, Plugboard } from "../../sdk/src/index.ts";
import { operations } from "../../src/categories/index.ts";
import { sdkCall, sdkMethod } from "../../src/categories/sdk-method.ts";
import type { BoundOperation } from "../../src/contracts/operation.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { requiredQuery } from "../conformance/client.ts";
import { startService, type TestService } from "../support/service.ts";
import { methodsOf } from "./methods.ts";

const FILE = new TextEncoder().encode("Grüße aus der Datei");

let service: TestService;
let pb: Plugboard;
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60", LOG_LEVEL: "error" } });
  pb = new Plugboard({ apiKey: service.apiKey, baseUrl: service.url });
});
afterAll(() => service?.close());

/** The first provider that has the operation. */
const providerOf = ({ category, name }: BoundOperation) =>
  providers.find((provider) =>
    provider.categories.some((one) => one.category === category && one.operations[name] !== undefined),
  )!.manifest.id;

const methodOf = (connection: ConnectionClient, operation: BoundOperation) =>
  methodsOf(connection).get(sdkMethod(operation).join("."))!;

/** Values of the path parameters, from the first records of the lists that have them. */
async function sampleParams(connection: ConnectionClient, operation: BoundOperation): Promise<Record<string, string>> {
  const params: Record<string, string> = {};
  for (const { name, source } of operation.parameters) {
    const list = operations.find(({ id }) => id === `${operation.category}.${source.operation}`)!;
    const { data } = await methodOf(connection, list)(...Object.values(params));
    // Of files, one that can be downloaded.
    params[name] = data.find((one: any) => one.is_folder !== true && one.size !== null)[source.field];
  }
  return params;
}

/** The sample, in the first project if the body has one. */
async function sampleBody(connection: ConnectionClient, { kind, sample, body }: BoundOperation) {
  if (kind !== "create" || !("project_id" in body!.properties)) return sample;
  return { ...sample, project_id: (await connection.tasks.projects.list({ limit: 1 })).data[0]!.id };
}

/** Runs the code that is shown for the call. */
async function run(connection: ConnectionClient, operation: BoundOperation, query: object): Promise<any> {
  const params = await sampleParams(connection, operation);
  const body = await sampleBody(connection, operation);
  const code = sdkCall(operation, connection.id, { params, query: { ...query }, ...(body ? { body } : {}) });
  const called = new Function("pb", "file", `return { result: ${code} }`)(pb, FILE);
  return called.result;
}

describe.each(operations.map((operation) => [sdkMethod(operation).join("."), operation] as const))(
  "%s",
  (name, operation) => {
    it(`the SDK's ${name} works against the sandbox, called as its code is shown`, async () => {
      const connection = pb.connection(service.connections[providerOf(operation)]!);
      const keys = Object.keys((operation.record as { properties?: object }).properties ?? {});
      const query = requiredQuery(operation);
      if (operation.kind === "list") {
        const page = await run(connection, operation, { ...query, limit: 1 });
        expect(Object.keys(page.data[0])).toEqual(keys);
        const list = methodOf(connection, operation);
        const all = await list(...Object.values(await sampleParams(connection, operation)), query).toArray(200);
        expect(all[0]).toEqual(page.data[0]);
        expect(page.next).toEqual(all.length > 1 ? expect.any(String) : null);
        return;
      }
      const result = await run(connection, operation, query);
      if (operation.kind !== "download") return expect(Object.keys(result)).toEqual(expect.arrayContaining(keys));
      expect(result).toBeInstanceOf(ReadableStream);
      expect((await new Response(result).arrayBuffer()).byteLength).toBeGreaterThan(0);
    });
  },
);

it("a write whose response is lost is repeated by the SDK, and carried out once", async () => {
  const statuses: number[] = [];
  const losing = new Plugboard({
    apiKey: service.apiKey,
    baseUrl: service.url,
    async fetch(url, init) {
      const response = await fetch(url, init);
      statuses.push(response.status);
      if (statuses.length === 1) throw new TypeError("fetch failed");
      return response;
    },
  });
  const title = "Written once";
  const id = service.connections.github!;
  const issue = await losing.connection(id).git.issues.create("acme/rocket", { title });
  expect(statuses).toEqual([200, 200]);
  const all = await pb.connection(id).git.issues.list("acme/rocket").toArray();
  expect(all.filter((one) => one.title === title)).toEqual([issue]);
});

it("the SDK calls the provider's own API through the Proxy", async () => {
  const response = await pb.connection(service.connections.github!).proxy("/user/repos?per_page=1", {
    headers: { accept: "application/json", authorization: "Bearer other" },
  });
  expect([response.status, ((await response.json()) as unknown[]).length]).toEqual([200, 1]);
  const missing = await pb.connection(service.connections.github!).proxy("nothing/here");
  expect([missing.status, missing.headers.get("svc-error-source")]).toEqual([404, "provider"]);
});
