import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import type { AttemptResult, DueDeliveries, WebhookStore } from "../contracts/webhooks.ts";
import type { Cancellation, EventAnswer } from "../engine/index.ts";
import { createWebhookWorker } from "./webhook-worker.ts";

const due: DueDeliveries = {
  webhook: {
    id: "wh_1",
    workspace_id: "ws_1",
    name: "All",
    url: "https://example.com/hook",
    enabled: true,
    failing_since: null,
    last_triggered_at: null,
  },
  secrets: ["whsec_AAAA"],
  deliveries: ["quick", "slow"].map((id) => ({ id, tries: 0, event: { id } as never })),
  next_at: null,
};

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

/** Starts a worker with two deliveries: one is answered immediately, the other by `answer` or when it is canceled. */
function setUp(onDue = () => {}) {
  const recorded: string[] = [];
  const record = async (_: unknown, results: AttemptResult[]) =>
    void recorded.push(...results.map(({ delivery_id }) => delivery_id));
  const readDue = async () => {
    onDue();
    return due;
  };
  const slow = Promise.withResolvers<EventAnswer>();
  const lost = new AbortController();
  const answered: EventAnswer = { outcome: "answered", status: 200, answer: "", retryAfterSeconds: undefined };
  const work = createWebhookWorker({
    store: { deliveries: { due: readDue, record } } as unknown as Pick<WebhookStore, "deliveries">,
    log: { info() {}, warn() {} },
    attempted() {},
    post({ headers }, stop: Cancellation) {
      if (headers["webhook-id"] === "quick") return Promise.resolve(answered);
      stop.onCancel({ cancel: () => slow.resolve({ outcome: "cancelled", error: "canceled" }) });
      return slow.promise;
    },
  });
  const running = work({ id: "wh_1", owner: "me", wakes: 0, hints: 0 }, lost.signal);
  return { recorded, lost, running, answer: () => slow.resolve(answered) };
}

it("deliveries in flight have five seconds when a job has to stop, and count only if they were answered", async () => {
  const { recorded, lost, running } = setUp();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(recorded).toEqual([]);
  lost.abort();
  await vi.advanceTimersByTimeAsync(4_999);
  expect(recorded).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await running).toBe(0);
  expect(recorded).toEqual(["quick"]);
});

it("a worker whose last delivery is answered in time leaves no timer", async () => {
  const { recorded, lost, running, answer } = setUp();
  await vi.advanceTimersByTimeAsync(0);
  lost.abort();
  answer();
  expect(await running).toBe(0);
  expect(recorded).toEqual(["quick", "slow"]);
  expect(vi.getTimerCount()).toBe(0);
});

it("a job that is lost between two batches leaves no timer", async () => {
  let batches = 0;
  const { lost, running, answer, recorded } = setUp(() => {
    if (++batches === 2) lost.abort();
  });
  answer();
  expect(await running).toBe(0);
  expect([batches, recorded.length, vi.getTimerCount()]).toEqual([2, 2, 0]);
});
