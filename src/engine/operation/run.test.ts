import { expect, it, vi } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import { tasks } from "../../categories/tasks.ts";
import { implement, one } from "../../provider-kit/implement.ts";
import { get, post } from "../../provider-kit/request.ts";
import { Cancellation, CancelledError } from "../http/cancellation.ts";
import { createRunner } from "./run.ts";

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
