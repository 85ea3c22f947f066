// Every generated method of the SDK, over real HTTP, against the emulated providers.
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ConnectionClient, type Content, InvalidRequestError, Plugboard } from "../../sdk/src/index.ts";
import { operations } from "../../src/categories/index.ts";
import { sdkCall, sdkMethod } from "../../src/categories/sdk-method.ts";
import type { BoundOperation } from "../../src/contracts/operation.ts";
import { requiredQuery } from "../conformance/client.ts";
import { startService, type TestService } from "../support/service.ts";
import { methodsOf, providerOf, uploadingProviders } from "./methods.ts";

const FILE = new TextEncoder().encode("Grüße aus der Datei");

let service: TestService;
let pb: Plugboard;
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60", LOG_LEVEL: "error" } });
  pb = new Plugboard({ apiKey: service.apiKey, baseUrl: service.url });
});
afterAll(() => service?.close());

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

const streams: [string, () => Content][] = [
  ["a web stream", () => new Blob([FILE]).stream()],
  ["a Node stream", () => Readable.from([Buffer.from(FILE)])],
  [
    "an async iterable",
    () =>
      (async function* () {
        yield FILE.slice(0, 5);
        yield FILE.slice(5);
      })(),
  ],
];

describe.each(uploadingProviders)("streams to %s", (id) => {
  it.each(streams)(`%s is uploaded to ${id} with its size, and downloaded again`, async (kind, content) => {
    const { drive } = pb.connection(service.connections[id]!);
    const file = await drive.upload(content(), { name: `${kind}.txt` }, { size: FILE.byteLength });
    expect(file.name).toBe(`${kind}.txt`);
    const stored = await drive.download(file.id);
    expect(new Uint8Array(await new Response(stored).arrayBuffer())).toEqual(FILE);
  });

  it(`a stream without a size is uploaded to ${id}, or refused with what is missing`, async () => {
    const { drive } = pb.connection(service.connections[id]!);
    const upload = drive.upload(new Blob([FILE]).stream(), { name: "without a size.txt" });
    const needsSize = ["dropbox", "onedrive"].includes(id);
    if (!needsSize) return expect((await upload).size).toBe(FILE.byteLength);
    await expect(upload).rejects.toThrow(InvalidRequestError);
    await expect(upload).rejects.toThrow(/Content-Length: must be given/);
  });
});

it("a download from one drive is uploaded to another, with no copy of it in memory", async () => {
  const [from, to] = ["box", "dropbox"].map((id) => pb.connection(service.connections[id]!).drive);
  const file = await from!.upload(FILE, { name: "to be copied.txt" });
  const copy = await to!.upload(await from!.download(file.id), { name: "a copy.txt" });
  expect(copy.size).toBe(FILE.byteLength);
});

it("a streamed list has the same records as its pages, also if its connection is lost on the way", async () => {
  const { github } = service.connections;
  let lines = 0;
  let requests = 0;
  const losing = new Plugboard({
    apiKey: service.apiKey,
    baseUrl: service.url,
    async fetch(url, init) {
      const response = await fetch(url, init);
      if (++requests > 1) return response;
      const cut = new TransformStream({
        transform(chunk, controller) {
          lines += chunk.length;
          if (lines > 100_000) controller.error(new TypeError("terminated"));
          else controller.enqueue(chunk);
        },
      });
      return new Response(response.body!.pipeThrough(cut), response);
    },
  });
  const paged = await pb.connection(github!).git.issues.list("acme/rocket").toArray();
  const streamed = await losing.connection(github!).git.issues.list("acme/rocket", {}, { stream: true }).toArray();
  expect(streamed).toEqual(paged);
  expect(requests).toBe(2);
});

it("the response behind a result says what is left of the limit, and that a write was replayed", async () => {
  const github = pb.connection(service.connections.github!);
  const { response } = await github.git.repos.list({ limit: 1 }).withResponse();
  expect(response).toMatchObject({ status: 200, requestId: expect.any(String), rateLimit: { limit: 1_000_000 } });
  const options = { idempotencyKey: "written-twice" };
  const create = () => github.git.issues.create("acme/rocket", { title: "Twice" }, options).withResponse();
  const [first, second] = [await create(), await create()];
  expect(second.data).toEqual(first.data);
  expect([first, second].map(({ response }) => response.headers.get("idempotency-replayed"))).toEqual([null, "true"]);
});

it("a dry run of any kind of operation returns what would be sent, and sends nothing", async () => {
  const { git } = pb.connection(service.connections.github!).dryRun;
  const created = await git.issues.create("acme/rocket", { title: "Not written" });
  expect(created).toMatchObject({ complete: true, requests: [{ method: "POST", body: { title: "Not written" } }] });
  expect((await git.repos.list({ limit: 1 })).requests[0]).toMatchObject({ method: "GET" });
  const { drive } = pb.connection(service.connections.box!).dryRun;
  expect((await drive.upload(new Blob([FILE]).stream(), { name: "a" })).requests[0]!.method).toBe("POST");
  expect((await drive.download("1")).requests[0]!.url).toContain("/1");
});

it("proxy.json calls the provider's own API and parses its answer", async () => {
  const github = pb.connection(service.connections.github!);
  expect(await github.proxy.json("/user/repos", { query: { per_page: 1 } })).toHaveLength(1);
  const created = github.proxy.json<{ title: string }>("/repos/acme/rocket/issues", {
    method: "POST",
    body: { title: "By the Proxy" },
  });
  expect((await created).title).toBe("By the Proxy");
  await expect(github.proxy.json("nothing/here")).rejects.toMatchObject({ name: "ProviderError", status: 404 });
});

it("the SDK calls the provider's own API through the Proxy", async () => {
  const response = await pb.connection(service.connections.github!).proxy("/user/repos?per_page=1", {
    headers: { accept: "application/json", authorization: "Bearer other" },
  });
  expect([response.status, ((await response.json()) as unknown[]).length]).toEqual([200, 1]);
  const missing = await pb.connection(service.connections.github!).proxy("nothing/here");
  expect([missing.status, missing.headers.get("svc-error-source")]).toEqual([404, "provider"]);
});
