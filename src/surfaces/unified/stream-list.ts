import type { ServerResponse } from "node:http";
import { Fault, ProviderFailure, rateLimitWait } from "../../contracts/fault.ts";
import { type Cancellation, CancelledError, type OperationResult, sleep } from "../../engine/index.ts";
import { serializeSafely } from "./errors.ts";

export const NDJSON = "application/x-ndjson";

/** How long a walk waits at a time for a provider's rate limit. */
const MAX_WAIT_SECONDS = 300;
/** How long it waits for one page: limits by the hour pass, and a quota that is used up keeps no connection for days. */
const MAX_WAIT_PER_PAGE_SECONDS = 3_600;
/** How often a space is written while it waits: clients and proxies give up on silent connections, some in a minute. */
const SIGN_OF_LIFE_MS = 20_000;

/** Seconds to wait before the same page can be read, if waiting helps. */
function waitSeconds(error: unknown): number | undefined {
  if (error instanceof Fault && error.kind === "rate_limited") return error.retryAfter ?? 1;
  const isLimited = error instanceof ProviderFailure && error.status === 429;
  return isLimited ? rateLimitWait(error, MAX_WAIT_SECONDS) : undefined;
}

/** Waits until the client has read what was written. */
function drained(raw: ServerResponse, client: Cancellation): Promise<void> {
  return new Promise((resolve, reject) => {
    const onDrain = () => {
      client.off(wait);
      resolve();
    };
    const wait = {
      cancel() {
        raw.off("drain", onDrain);
        reject(new CancelledError());
      },
    };
    raw.once("drain", onDrain);
    client.onCancel(wait);
  });
}

export interface StreamedWalk {
  first: OperationResult;
  /** Reads a page, with every check that a request of its own would get. */
  read(after: string): Promise<OperationResult>;
  serialize(record: unknown): string;
  includeRaw: boolean;
  client: Cancellation;
}

async function readWhenAllowed({ read, client }: StreamedWalk, after: string): Promise<OperationResult> {
  for (let waited = 0; ; )
    try {
      return await read(after);
    } catch (error) {
      const seconds = waitSeconds(error);
      if (seconds === undefined) throw error;
      waited += seconds;
      if (waited > MAX_WAIT_PER_PAGE_SECONDS) throw error;
      await sleep(seconds * 1000, client);
    }
}

/** Reads a page. The spaces that are written meanwhile are before the next line, which JSON allows. */
async function readNext(raw: ServerResponse, walk: StreamedWalk, after: string): Promise<OperationResult> {
  const signs = setInterval(() => {
    if (!walk.client.cancelled) raw.write(" ");
  }, SIGN_OF_LIFE_MS);
  try {
    return await readWhenAllowed(walk, after);
  } finally {
    clearInterval(signs);
  }
}

/**
 * Writes a whole list, a record per line and a line with the cursor after each page. It waits when a rate limit is
 * reached, up to an hour, and reads the next page only when the client has read this one.
 */
export async function streamList(raw: ServerResponse, walk: StreamedWalk): Promise<void> {
  const { serialize, includeRaw, client } = walk;
  let page = walk.first;
  for (;;) {
    const next = page.next ?? null;
    let lines = "";
    for (const record of page.data as unknown[]) lines += `${serialize(record)}\n`;
    const { skipped = 0 } = page;
    const last = { metadata: { next, ...(skipped > 0 ? { skipped } : {}) }, ...(includeRaw ? { _raw: page.raw } : {}) };
    lines += `${serializeSafely(() => JSON.stringify(last))}\n`;
    if (!raw.write(lines)) await drained(raw, client);
    client.throwIfCancelled();
    if (next === null) break;
    page = await readNext(raw, walk, next);
  }
}
