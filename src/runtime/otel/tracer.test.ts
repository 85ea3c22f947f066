import { expect, it } from "vitest";
import type { Sampler } from "../../contracts/telemetry.ts";
import { readContext, writeContext } from "./trace-context.ts";
import { createTracer, type EndedSpan } from "./tracer.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";

function createTraced(sampler: Sampler, propagates = true) {
  const ended: EndedSpan[] = [];
  const tracing = createTracer({ sampler, propagates, ended: (span) => void ended.push(span) });
  return { tracing, ended };
}
const end = () => ({ name: "x", attributes: {} });

it("a context that was written is read again, and later versions of the header may be longer", () => {
  const context = { traceId: TRACE, spanId: SPAN, isSampled: true };
  expect(readContext({ traceparent: writeContext(context), tracestate: "a=b" })).toEqual({ ...context, state: "a=b" });
  expect(readContext({ traceparent: `cc-${TRACE}-${SPAN}-00-more` })).toMatchObject({
    traceId: TRACE,
    isSampled: false,
  });
});

it.each([
  undefined,
  ["00"],
  "",
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-01-more`,
  `ff-${TRACE}-${SPAN}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${"0".repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${"0".repeat(16)}-01`,
  `00-${TRACE}-${SPAN}-1`,
])("the traceparent %j begins no trace", (traceparent) => {
  expect(readContext({ traceparent })).toBeUndefined();
});

const samplers: [isParentBased: boolean, ratio: number, flags: string | undefined, isKept: boolean][] = [
  [true, 1, undefined, true],
  [true, 1, "00", false],
  [true, 0, undefined, false],
  [true, 0, "01", true],
  [false, 1, "00", true],
  [false, 0, "01", false],
];
it.each(samplers)(
  "parent-based is %s, ratio %s, flags of the client %s: kept is %s",
  (isParentBased, ratio, flags, isKept) => {
    const { tracing, ended } = createTraced({ isParentBased, ratio });
    const server = tracing.startServer(flags ? { traceparent: `00-${TRACE}-${SPAN}-${flags}` } : {});
    const client = tracing.startClient(server);
    expect(client.traceId).toBe(server.traceId);
    expect(client.traceparent).toBe(`00-${server.traceId}-${client.spanId}-${isKept ? "01" : "00"}`);
    client.end(end);
    server.end(end);
    expect(ended.map(({ parentId }) => parentId)).toEqual(isKept ? [server.spanId, flags ? SPAN : undefined] : []);
  },
);

it("a ratio keeps that part of the traces, and of the same ones in every process", () => {
  const [one, other] = [0.2, 0.2].map((ratio) => createTraced({ isParentBased: false, ratio }));
  let kept = 0;
  for (let count = 0; count < 2_000; count++) {
    const span = one!.tracing.startInternal();
    if (span.isSampled) kept++;
    const traceparent = `00-${span.traceId}-${span.spanId}-00`;
    expect(other!.tracing.startServer({ traceparent }).isSampled).toBe(span.isSampled);
  }
  expect(kept).toBeGreaterThan(200);
  expect(kept).toBeLessThan(600);
});

it("without propagation a client's trace is not continued, and none is passed on", () => {
  const { tracing } = createTraced({ isParentBased: true, ratio: 1 }, false);
  const span = tracing.startServer({ traceparent: `00-${TRACE}-${SPAN}-00` });
  expect([span.traceId === TRACE, span.isSampled, span.traceparent]).toEqual([false, true, undefined]);
});
