import type { BasicLogger } from "../contracts/telemetry.ts";

/** Reports once that something fails, and once that it works again, however often it is tried in between. */
export function createOutageLog(log: BasicLogger, messages: { failed: string; works: string }) {
  let failing = false;
  return {
    failed(error: unknown): void {
      if (!failing) log.warn({ err: error }, messages.failed);
      failing = true;
    },
    worked(): void {
      if (failing) log.info(messages.works);
      failing = false;
    },
  };
}
