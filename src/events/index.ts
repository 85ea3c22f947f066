import type { EventStore } from "../contracts/events.ts";
import type { BasicLogger } from "../contracts/telemetry.ts";
import { createPublisher } from "./publisher.ts";

export interface EventsOptions {
  store: EventStore;
  log: BasicLogger;
}

/** What a process does about events in the background. Any number of processes share the work through the store. */
export interface Events {
  start(): void;
  /** Waits for a limited time until what is in progress has ended. */
  stop(): Promise<void>;
}

export function createEvents({ store, log }: EventsOptions): Events {
  const publisher = createPublisher({ store, log, onPublished: () => {} });
  return { start: publisher.start, stop: publisher.stop };
}
