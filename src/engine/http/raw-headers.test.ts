import { type Dispatcher, Pool } from "undici";
import { expect, it, onTestFinished } from "vitest";
import { startUpstream } from "../../../test/support/upstream.ts";
import { BufferLimits, bufferResponse } from "./buffer-response.ts";
import { Cancellation } from "./cancellation.ts";
import { streamResponse } from "./stream-response.ts";

it("undici's own list of the raw headers is empty once a response has begun", async () => {
  const upstream = await startUpstream((_, response) => response.setHeader("x-test", "1").end());
  const pool = new Pool(upstream.url);
  onTestFinished(async () => {
    await pool.destroy();
    await upstream.close();
  });
  const before: unknown[] = [];
  const lists: unknown[] = [];
  const dispatcher = pool.compose((dispatch) => (options, handler) => {
    const onResponseStart = handler.onResponseStart!.bind(handler);
    handler.onResponseStart = (controller, ...values) => {
      before.push([controller.rawHeaders].flat().map(String));
      lists.push(controller.rawHeaders);
      onResponseStart(controller, ...values);
    };
    return dispatch(options, handler);
  }) as Dispatcher;
  const request = { origin: upstream.url, path: "/", method: "GET" } as const;
  const limits = new BufferLimits({ maxBytes: 1000, maxValues: 1000 });
  const ignore = () => {};
  const responses = [
    await bufferResponse(dispatcher, request, new Cancellation(), limits, ignore),
    await streamResponse(dispatcher, request, new Cancellation(), ignore, ignore),
  ];
  expect(responses.map(({ headers }) => headers["x-test"])).toEqual(["1", "1"]);
  expect(before).toEqual([expect.arrayContaining(["x-test"]), expect.arrayContaining(["x-test"])]);
  expect(lists).toEqual([[], []]);
});
