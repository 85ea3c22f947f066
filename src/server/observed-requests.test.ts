import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, it, vi } from "vitest";
import { newTrace } from "../surfaces/shared/trace.ts";
import { observeOne } from "./observed-requests.ts";

it.each([
  [["finish", "close"], 200],
  [["close"], 499],
  [["close", "finish"], 200],
])("a response with the events %j is recorded once", async (events, status) => {
  const add = vi.fn();
  const raw = Object.assign(new EventEmitter(), { statusCode: 200 }) as unknown as ServerResponse;
  const trace = Object.assign(newTrace(), { workspaceId: "ws_1" });
  const request = { id: "request-1", method: "GET", url: "/unified/v1/git/repos", headers: {}, trace };
  const observers = {
    log: { isLevelEnabled: () => false },
    metrics: { request() {}, unfinishedResponse() {} },
    requestLog: { add },
    config: { failureDetails: false },
  } as unknown as Parameters<typeof observeOne>[0];
  observeOne(observers, "unified", request as never, raw);
  for (const event of events) raw.emit(event);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(add.mock.calls.map(([entry]) => entry.status)).toEqual([status]);
});
