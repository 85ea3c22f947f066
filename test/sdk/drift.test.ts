// The SDK against the documents that a service serves: what one has, the other has.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fieldsPlace } from "../../scripts/sdk/table.ts";
import { type DryRun, Plugboard } from "../../sdk/src/index.ts";
import { operations } from "../../src/categories/index.ts";
import { sdkMethod } from "../../src/categories/sdk-method.ts";
import type { DryRunResult } from "../../src/engine/operation/dry-run.ts";
import { startService, type TestService } from "../support/service.ts";
import { BESIDE_OPERATIONS, methodsOf } from "./methods.ts";

const root = join(import.meta.dirname, "../..");

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.close());

/** `GET /v1/things/{}` for every operation of a served document. */
async function served(surface: string): Promise<string[]> {
  const { paths } = (await (await fetch(`${service.url}/${surface}/openapi.json`)).json()) as { paths: object };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, "{}")}`),
  );
}

const VALUE = "a-value-of-a-path";

/** The same for what a method sends, given values for all of its parameters. */
async function sent(surface: string, find: (pb: Plugboard) => (...args: unknown[]) => unknown): Promise<string> {
  const requests: string[] = [];
  const pb = new Plugboard({
    apiKey: "key",
    baseUrl: "http://plugboard.example",
    async fetch(url, init) {
      requests.push(`${init!.method} ${new URL(String(url)).pathname}`);
      return Response.json(surface === "unified" ? { response: { data: [] } } : []);
    },
  });
  await find(pb)(...Array(6).fill(VALUE));
  expect(requests).toHaveLength(1);
  return requests[0]!.replace(`/${surface}`, "").replaceAll(VALUE, "{}");
}

const client = new Plugboard({ apiKey: "key", baseUrl: "http://plugboard.example" });
const connectionMethods = [...methodsOf(client.connection("conn_1")).keys()];
const unifiedMethods = connectionMethods.filter(
  (name) => !BESIDE_OPERATIONS.includes(name) && !name.startsWith("dryRun."),
);
const platformMethods = [...methodsOf(client.platform).keys()];

it("every operation of the served Unified document has an SDK method, and every method an operation", async () => {
  const requests = await Promise.all(
    unifiedMethods.map((name) => sent("unified", (pb) => methodsOf(pb.connection("conn_1")).get(name)!)),
  );
  expect(requests.toSorted()).toEqual((await served("unified")).toSorted());
});

it("every operation of the served Platform document has an SDK method, and every method an operation", async () => {
  const requests = await Promise.all(
    platformMethods.map((name) => sent("platform", (pb) => methodsOf(pb.platform).get(name)!)),
  );
  expect(requests.toSorted()).toEqual((await served("platform")).toSorted());
});

it("the SDK has each operation where the table's rule says", async () => {
  const fields = operations.filter(({ kind }) => kind === "list").map((one) => fieldsPlace(one).join("."));
  const own = operations.map((one) => sdkMethod(one).join("."));
  expect(unifiedMethods.toSorted()).toEqual([...own, ...fields].toSorted());
  for (const operation of operations) {
    const name = sdkMethod(operation).join(".");
    const request = await sent("unified", (pb) => methodsOf(pb.connection("conn_1")).get(name)!);
    expect(request).toBe(`${operation.method} ${operation.route.replaceAll(/:\w+/g, "{}")}`);
  }
});

it("every operation of the SDK has a dry run, whose type is the service's own", () => {
  const planned = connectionMethods.filter((name) => name.startsWith("dryRun."));
  expect(planned).toEqual(unifiedMethods.map((name) => `dryRun.${name}`));
  const types: [(planned: DryRunResult) => DryRun, (planned: DryRun) => DryRunResult] = [(one) => one, (one) => one];
  expect(types).toHaveLength(2);
});

it("no record has a field by which the SDK knows the other lines of a streamed list", () => {
  const fields = operations.flatMap(({ record }) => Object.keys((record as { properties?: object }).properties ?? {}));
  expect(fields).not.toContain("metadata");
  expect(fields).not.toContain("success");
});

it("the SDK's lists take the parameters that the served document names", async () => {
  const { paths } = (await (await fetch(`${service.url}/unified/openapi.json`)).json()) as any;
  const names = paths["/v1/chat/users"].get.parameters
    .filter((parameter: any) => parameter.in === "query" && parameter.name !== "dry_run")
    .map(({ name }: any) => name);
  const code = readFileSync(join(root, "sdk/src/types.ts"), "utf8");
  const [, members] = /interface ListQuery \{([^}]*)\}/.exec(code)!;
  expect([...members!.matchAll(/^ {2}(\w+)\?:/gm)].map(([, name]) => name).toSorted()).toEqual(names.toSorted());
});

it("the SDK's hand-written part has fewer than 1,100 lines, in files of fewer than 300, and imports nothing", () => {
  const folder = join(root, "sdk/src");
  const files = readdirSync(folder).map((name) => ({ name, code: readFileSync(join(folder, name), "utf8") }));
  const written = files.filter(({ name }) => !name.endsWith(".gen.ts"));
  const lines = written.map(({ code }) => code.split("\n").length - 1);
  expect(Math.max(...lines)).toBeLessThan(300);
  expect(lines.reduce((sum, one) => sum + one)).toBeLessThan(1_100);
  const imported = files.flatMap(({ code }) => [...code.matchAll(/from "([^"]+)"/g)].map(([, name]) => name!));
  expect(imported.filter((name) => !name.startsWith("./"))).toEqual([]);
});
