import type { FastifyInstance } from "fastify";
import { expect, it, vi } from "vitest";
import type { BoundOperation } from "../../contracts/operation.ts";
import { Cancellation } from "../../engine/index.ts";
import type { Calls, SurfaceCall } from "./calls.ts";
import { createJsonServing } from "./serve-json.ts";

it.each([undefined, ["id"]])(
  "the records of a plain read are let go once they are sent, with fields=%s",
  async (fields) => {
    const result = { data: [{ id: "1", name: "one" }], next: null, raw: undefined };
    const app = { serializerCompiler: () => JSON.stringify } as unknown as FastifyInstance;
    const calls = { runOperation: async () => result } as unknown as Calls;
    const reply = { header: vi.fn(), type: vi.fn(), send: vi.fn() };
    const operation = { kind: "list", method: "GET", route: "/", record: {} } as BoundOperation;
    const call = { operation, input: { fields }, reply } as unknown as SurfaceCall;
    await createJsonServing(app, calls, "X-").servePlainRead(call, new Cancellation());
    const sent = fields ? '{"id":"1"}' : '{"id":"1","name":"one"}';
    expect(reply.send).toHaveBeenCalledExactlyOnceWith(`{"response":{"data":[${sent}],"metadata":{"next":null}}}`);
    expect(result.data).toBeUndefined();
  },
);
