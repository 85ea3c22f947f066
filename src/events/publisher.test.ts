import { expect, it, vi } from "vitest";
import type { EventStore } from "../contracts/events.ts";
import { createPublisher } from "./publisher.ts";

it("the publisher reports an outage of the store once, and its end, however often it tries meanwhile", async () => {
  const publish = vi.fn(async () => 0);
  for (const outcome of ["down", "down", "up", "up", "down", "down", "up"])
    if (outcome === "down") publish.mockRejectedValueOnce(new Error("no database"));
    else publish.mockResolvedValueOnce(0);
  const events = { publish, onWritten() {} } as unknown as EventStore["events"];
  const lines: string[] = [];
  const log = {
    warn: (_: object, message: string) => void lines.push(message),
    info: (message: string) => void lines.push(message),
  };
  const publisher = createPublisher({ store: { events }, log, onPublished() {}, pollMs: 1 });
  publisher.start();
  await expect.poll(() => publish.mock.calls.length).toBeGreaterThan(7);
  await publisher.stop();
  const outage = ["could not publish events", "events are published again"];
  expect(lines).toEqual([...outage, ...outage]);
});
