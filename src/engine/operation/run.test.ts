import { createSecretKey } from "node:crypto";
import { expect, it, vi } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import { type Account, identity } from "../../categories/identity.ts";
import { tasks } from "../../categories/tasks.ts";
import type { Context, ImplementedCategory, OneImplementation, Provider } from "../../contracts/provider.ts";
import type { UpstreamRequest } from "../../contracts/upstream.ts";
import { implement, list, one } from "../../provider-kit/implement.ts";
import { get, post } from "../../provider-kit/request.ts";
import { createConnectionContext } from "../connection/connection-context.ts";
import { Cancellation, CancelledError } from "../http/cancellation.ts";
import { createCursors } from "./cursor.ts";
import type { DryRun } from "./dry-run.ts";
import { createRunner } from "./run.ts";
import type { OperationRun } from "./upstream.ts";

const record = () => ({}) as never;
const implemented = implement(tasks, {
  getTask: one({ request: () => get("/task"), record }),
  createTask: one({ requires: ["project_id", "status"], request: () => post("/task", {}), record }),
});
const connection = testConnection({ categories: [implemented] });
const operation = (name: string) => tasks.bound.find((one) => one.name === name)!;

const call = vi.fn();
const { run } = createRunner({
  call: call as never,
  guardFormat: (_: unknown, work: () => unknown) => work(),
  providers: new Map([["acme", connection.provider]]),
} as never);

/** A read that waits until its client disconnects. */
const slow = testConnection({
  categories: [
    implement(tasks, {
      getTask: one({
        async load({ sleep }) {
          await sleep(600_000);
        },
        record,
      }),
    }),
  ],
});

const required = { project_id: "1", status: "Open" };
const request = { connection, query: {}, limit: 1, maxRetries: 0 };

it("a client that disconnects ends a read, and never a write: its outcome would be unknown", async () => {
  const client = new Cancellation();
  call.mockResolvedValue({ body: {} });
  await run({ ...request, operation: operation("getTask"), pathParams: { task_id: "1" }, client }).catch(() => {});
  await run({ ...request, operation: operation("createTask"), pathParams: {}, body: required, client }).catch(() => {});
  expect(call.mock.calls.map(([{ client }]) => client)).toEqual([client, undefined]);
});

it("a read that sleeps between two calls ends when its client disconnects", async () => {
  const client = new Cancellation();
  const { run } = createRunner({
    guardFormat: (_: unknown, work: () => unknown) => work(),
    providers: new Map([["acme", slow.provider]]),
  } as never);
  const read = { ...request, connection: slow, operation: operation("getTask"), pathParams: { task_id: "1" }, client };
  const result = expect(run(read)).rejects.toThrow(CancelledError);
  setImmediate(() => client.cancel());
  await result;
});

it("a write without the fields that its provider requires is refused before anything is sent, and says where to find them", async () => {
  call.mockReset();
  const create = { ...request, operation: operation("createTask"), pathParams: {}, body: {} };
  await expect(run(create)).rejects.toMatchObject({
    kind: "invalid_input",
    problems: [
      { path: ["body", "project_id"], message: "is required by Acme: pass an `id` from GET /v1/tasks/projects" },
      { path: ["body", "status"], message: "is required by Acme" },
    ],
  });
  expect(call).not.toHaveBeenCalled();
});

it("a record that lacks a field is not returned", async () => {
  call.mockReset();
  call.mockResolvedValue({ body: {} });
  const read = { ...request, operation: operation("getTask"), pathParams: { task_id: "1" } };
  await expect(run(read)).rejects.toThrow(/id/);
});

it("a dry run fails as the run would before its first call, and is incomplete if calls depend on that one's answer", async () => {
  const stops = (one: { dryRun?: DryRun }, sent: UpstreamRequest) => {
    throw one.dryRun!.stopAt(connection, sent);
  };
  const { dryRun } = createRunner({
    call: stops as never,
    guardFormat: (_: unknown, work: () => unknown) => work(),
    providers: new Map([["acme", connection.provider]]),
  } as never);
  const create = { ...request, operation: operation("createTask"), pathParams: {} };
  await expect(dryRun({ ...create, body: {} })).rejects.toMatchObject({ kind: "invalid_input" });
  expect(await dryRun({ ...create, body: required })).toMatchObject({ complete: true, requests: [{ method: "POST" }] });
  const several = testConnection({
    categories: [
      implement(tasks, {
        getTask: one({ load: ({ upstream }) => upstream(get("/first")), record }),
      }),
    ],
  });
  const other = createRunner({
    call: stops as never,
    guardFormat: (_: unknown, work: () => unknown) => work(),
    providers: new Map([["acme", several.provider]]),
  } as never);
  const read = { ...request, connection: several, operation: operation("getTask"), pathParams: { task_id: "1" } };
  expect(await other.dryRun(read)).toMatchObject({ complete: false, requests: [{ method: "GET" }] });
});

it("a write has a key of its own, a read has none, and both know the provider's addresses", async () => {
  const seen: { writeKey: string; address: string }[] = [];
  const look = (path: string) => (context: Context) => {
    seen.push({ writeKey: context.writeKey, address: context.address("api") });
    return get(path);
  };
  const looking = testConnection({
    categories: [
      implement(tasks, {
        getTask: one({ request: look("/task"), record }),
        createTask: one({ request: look("/tasks"), record }),
      }),
    ],
  });
  const runner = createRunner({
    call: call as never,
    guardFormat: (_: unknown, work: () => unknown) => work(),
    providers: new Map([["acme", looking.provider]]),
  } as never);
  const common = { ...request, connection: looking, body: {} };
  await runner.run({ ...common, operation: operation("getTask"), pathParams: { task_id: "1" } }).catch(() => {});
  for (let count = 0; count < 2; count++)
    await runner.run({ ...common, operation: operation("createTask"), pathParams: {} }).catch(() => {});
  expect(seen.map(({ address }) => address)).toEqual(Array(3).fill("https://api.acme.example/v1"));
  expect(seen[0]!.writeKey).toBe("");
  expect(seen[1]!.writeKey).toMatch(/^[0-9a-f]{64}$/);
  expect(seen[2]!.writeKey).not.toBe(seen[1]!.writeKey);
});

/** A runner whose provider answers each path with this body. */
function answering(categories: ImplementedCategory[], bodies: Record<string, unknown>) {
  const connection = testConnection({ categories });
  const call = vi.fn(async (run: OperationRun, { path }: UpstreamRequest) => {
    const body = bodies[path];
    run.bodies?.push(body);
    return { status: 200, headers: {}, body };
  });
  const { run } = createRunner({
    call: call as never,
    cursors: createCursors(() => [createSecretKey(Buffer.alloc(32, 1))]),
    guardFormat: (_: unknown, work: () => unknown) => work(),
    providers: new Map([["acme", connection.provider]]),
  } as never);
  return { call, run, request: { ...request, connection, pathParams: {} } };
}

it("the provider's own answer is returned as it is, and as pages if a record takes several calls", async () => {
  const account = (id: string) => ({ id, name: null, email: null, avatar_url: null });
  const [getMe] = identity.bound;
  const bodies = { "/first": { a: 1 }, "/second": { b: 2 } };
  const raw = async (implementation: OneImplementation<unknown, Account>) => {
    const { run, request } = answering([implement(identity, { getMe: implementation as never })], bodies);
    return (await run({ ...request, operation: getMe!, includeRaw: true })).raw;
  };
  const record = () => account("7");
  expect(await raw(one({ request: () => get("/first"), record }))).toEqual({ a: 1 });
  const load = async ({ upstream }: Context) => {
    await upstream(get("/first"));
    return upstream(get("/second"));
  };
  expect(await raw(one({ load, record }))).toEqual({ pages: [{ a: 1 }, { b: 2 }] });
});

it("`me` is the connection's own user where it is an ID, and refused if the connection belongs to no user", async () => {
  const listTasks = list({
    filters: ["assignee_id", "query"],
    maxPageSize: 100,
    items: (body: { items: unknown[] }) => body.items,
    next: () => null,
    request: ({ input }: { input: Record<string, string> }) =>
      get("/tasks", { assignee: input.assignee_id, q: input.query }),
    record,
  });
  const asked = async (query: Record<string, string>, isUser?: () => boolean) => {
    const getMe = one({ request: () => get("/me"), record: (account: Account) => account, ...(isUser && { isUser }) });
    const categories = [implement(tasks, { listTasks }), implement(identity, { getMe })];
    const { call, run, request } = answering(categories, { "/me": { id: "7" }, "/tasks": { items: [] } });
    await run({ ...request, operation: operation("listTasks"), query });
    return call.mock.calls.map(([, { path, query }]) => [path, query]);
  };
  const tasksOf = (query: object) => ["/tasks", expect.objectContaining(query)];
  const user = [["/me", {}], tasksOf({ assignee: "7" })];
  expect(await asked({ assignee_id: "me" })).toEqual(user);
  expect(await asked({ assignee_id: "me" }, () => true)).toEqual(user);
  await expect(asked({ assignee_id: "me" }, () => false)).rejects.toMatchObject({ kind: "invalid_input" });
  expect(await asked({ assignee_id: "8", query: "me" })).toEqual([tasksOf({ assignee: "8", q: "me" })]);
});

it("an operation that the connection's own provider lacks is served by a relative", () => {
  const own = testConnection();
  const { provider } = connection;
  const { supports } = createRunner({ providers: new Map([["acme", provider]]) } as never);
  const related = (relatives: Provider[]) =>
    createConnectionContext(own.provider, own.record, own.integration, { sandboxUrl: undefined, relatives });
  expect(supports(related([provider]), operation("getTask"))).toBe(true);
  expect(supports(related([provider]), operation("listTasks"))).toBe(false);
  expect(supports(related([]), operation("getTask"))).toBe(false);
});
