import { beforeEach, expect, it, vi } from "vitest";
import { testConnection, testManifest } from "../../../test/support/engine-parts.ts";
import type { CustomField } from "../../contracts/custom-fields.ts";
import { Fault, ProviderFailure } from "../../contracts/fault.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import type { CustomFieldSource } from "../../contracts/provider.ts";
import { get, post } from "../../provider-kit/request.ts";
import { createConnectionContext } from "../connection/connection-context.ts";
import { type ContextInput, createContexts } from "./context.ts";
import { DryRun } from "./dry-run.ts";
import { createFormatGuard } from "./format-guard.ts";
import type { OperationRun } from "./upstream.ts";

const call = vi.fn();
const describeFields = vi.fn();
const operation = { id: "crm.listContacts", recordName: "crm.contact" } as BoundOperation;

const declaration = (name: string): CustomField => ({
  id: `cf_${name}`,
  record: "crm.contact",
  name,
  type: "string",
  paths: { acme: `/${name}` },
  integration_id: null,
  connection_id: null,
});

function setUp({ source = {}, declared = ["a", "b"] }: { source?: CustomFieldSource; declared?: string[] } = {}) {
  const { record, integration } = testConnection();
  const categories = [{ category: "crm", operations: {}, customFields: { contact: source } }];
  const connection = createConnectionContext({ manifest: testManifest, categories }, record, integration, {
    sandboxUrl: undefined,
    customFields: declared.map(declaration),
  });
  const run: OperationRun = { connection, maxRetries: 0, repeatable: true, calls: 0, bytes: 0 };
  const contexts = createContexts(call, createFormatGuard({ malformed: vi.fn() }));
  const full = (change: Partial<ContextInput> = {}) =>
    contexts.full(run, { operation, input: { q: "1" }, body: undefined, writeKey: "key", ...change });
  return { run, contexts, full };
}

const described = (...names: string[]) =>
  names.map((name) => ({ path: `/${name}`, label: name, type: "string" as const, custom: true }));

beforeEach(() => vi.resetAllMocks());

it("a context has the input, the connection's addresses, and calls that a dry run tells apart", async () => {
  const { run, full } = setUp({ declared: [] });
  const context = await full();
  expect(context).toMatchObject({ input: { q: "1" }, writeKey: "key", select: [], written: [], addsToBody: false });
  expect(context.address("api")).toBe("https://api.acme.example/v1");
  const dryRun = new DryRun();
  run.dryRun = dryRun;
  await context.write(post("/contacts", {}));
  expect(dryRun.isPreparing).toBe(false);
  await context.upstream(get("/me"));
  expect(dryRun.isPreparing).toBe(true);
  expect(call).toHaveBeenCalledTimes(2);
});

it("declared fields are asked for; only those that exist, where a deleted one would break the list", async () => {
  expect((await setUp().full()).select).toEqual(["/a", "/b"]);
  expect((await setUp().full({ asked: ["/x"] })).select).toEqual(["/x"]);
  const { full, run } = setUp({ source: { asksOnlyForKnown: true, describe: describeFields } });
  describeFields.mockResolvedValue(described("b", "c"));
  expect((await full()).select).toEqual(["/b"]);
  expect((await full()).select).toEqual(["/b"]);
  expect(describeFields).toHaveBeenCalledOnce();
  // Nothing is asked for in a dry run: what was said lately counts.
  run.dryRun = new DryRun();
  expect((await full()).select).toEqual(["/b"]);
  expect(
    (await setUp({ source: { asksOnlyForKnown: true, describe: describeFields }, declared: [] }).full()).select,
  ).toEqual([]);
  expect(describeFields).toHaveBeenCalledOnce();
});

it("a list that failed because of a deleted field is tried again without it", async () => {
  const { full, run, contexts } = setUp({ source: { asksOnlyForKnown: true, describe: describeFields } });
  describeFields.mockResolvedValueOnce(described("a", "b")).mockResolvedValue(described("a"));
  const context = await full();
  const failure = (status: number) => new ProviderFailure(status, {}, Buffer.alloc(0));
  const again = (error: unknown, from = context) => contexts.afterDeletedField(run, operation, from, error);
  expect(await again(failure(404))).toBeUndefined();
  expect(await again(new Fault("upstream_timeout", "why"))).toBeUndefined();
  expect(await again(failure(400), { ...context, select: [] })).toBeUndefined();
  expect(describeFields).toHaveBeenCalledOnce();
  expect(await again(failure(400))).toEqual({ ...context, select: ["/a"] });
  expect(describeFields).toHaveBeenCalledTimes(2);
  // Nothing was deleted: the failure is about something else.
  expect(await again(failure(400), { ...context, select: ["/a"] })).toBeUndefined();
  const asksForAll = setUp({ source: { describe: describeFields } });
  expect(
    await asksForAll.contexts.afterDeletedField(asksForAll.run, operation, await asksForAll.full(), failure(400)),
  ).toBeUndefined();
});

it("a write gets its fields, the custom ones in the provider's format, and what goes to the provider as it is", async () => {
  const write = vi.fn(() => ({ properties: { a: "x" } }));
  const { full } = setUp({ source: { describe: describeFields, write } });
  describeFields.mockResolvedValue(described("a"));
  const context = await full({ body: { name: "Ada", custom: { a: "x" }, provider: { more: 1 } } });
  expect(context).toMatchObject({
    input: { q: "1", name: "Ada" },
    addsToBody: true,
    written: [{ name: "a", path: "/a", value: "x", described: { label: "a" } }],
  });
  expect(context.input).not.toHaveProperty("custom");
  await context.write(post("/contacts", { name: "Ada" }));
  expect(call.mock.calls[0]![1].body).toEqual({ name: "Ada", properties: { a: "x" }, more: 1 });
});

it("a write that adds nothing is sent as it is, and a field that cannot be written is refused", async () => {
  const { full } = setUp({ source: { describe: describeFields, writesItself: true } });
  const plain = await full({ body: { name: "Ada" } });
  expect(plain).toMatchObject({ addsToBody: false, written: [] });
  await plain.write(post("/contacts", { name: "Ada" }));
  expect(call.mock.calls[0]![1].body).toEqual({ name: "Ada" });
  expect(describeFields).not.toHaveBeenCalled();
  describeFields.mockResolvedValue([]);
  // The provider's own code sends it.
  expect(await full({ body: { custom: { a: "x" } } })).toMatchObject({ addsToBody: false, written: [{ name: "a" }] });
  await expect(full({ body: { custom: { nobody: "x" } } })).rejects.toThrow("is not a custom field: there is a, b");
  await expect(full({ body: { custom: { aa: "x" } } })).rejects.toThrow("did you mean a?");
  await expect(setUp().full({ body: { custom: { a: "x" } } })).rejects.toThrow();
});
