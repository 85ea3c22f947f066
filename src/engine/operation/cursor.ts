import { createHmac, timingSafeEqual } from "node:crypto";
import { invalidInput } from "../../contracts/fault.ts";
import type { PageCursor } from "../../contracts/provider.ts";

/** Where a walk stands. Names are short because every client carries this along. */
export interface Position {
  /** The provider's cursor of the page to read; absent for the first. */
  page?: PageCursor;
  /** The page size of this walk. */
  size: number;
  /** Where in a fanned-out list: the scope's id, and its place in case it is gone. */
  scope?: string;
  scopeIndex?: number;
  /** How many of the page's items were given out already, and the last one's key. */
  skip?: number;
  last?: string;
}

/** What a cursor is good for: another operation, provider, host or path parameter makes it foreign. */
export interface CursorScope {
  operation: string;
  provider: string;
  origin: string;
  params: Record<string, string>;
}

const MAC_BYTES = 16;

const sign = (key: Buffer, scope: CursorScope, payload: Buffer) =>
  createHmac("sha256", key)
    .update(JSON.stringify([scope.operation, scope.provider, scope.origin, scope.params]))
    .update("\0")
    .update(payload)
    .digest()
    .subarray(0, MAC_BYTES);

/** Seals under the first key, opens under any, so that walks outlive a change of keys. */
export function createCursors(keys: () => readonly Buffer[]) {
  return {
    seal(scope: CursorScope, position: Position): string {
      const payload = Buffer.from(JSON.stringify([scope.operation, scope.provider, position]));
      return Buffer.concat([sign(keys()[0]!, scope, payload), payload]).toString("base64url");
    },

    open(scope: CursorScope, cursor: string): Position {
      const bytes = Buffer.from(cursor, "base64url");
      const mac = bytes.subarray(0, MAC_BYTES);
      const payload = bytes.subarray(MAC_BYTES);
      // Base64 has spare bits at its end: only the one spelling that we wrote is taken.
      const genuine =
        payload.length > 0 &&
        bytes.toString("base64url") === cursor &&
        keys().some((key) => timingSafeEqual(sign(key, scope, payload), mac));
      if (!genuine)
        throw invalidInput({
          path: ["query", "after"],
          message: "not a cursor of this list: use metadata.next of the page before, unchanged",
        });
      return (JSON.parse(payload.toString()) as [string, string, Position])[2];
    },
  };
}

export type Cursors = ReturnType<typeof createCursors>;
