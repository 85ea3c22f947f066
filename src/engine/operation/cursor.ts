import type { KeyObject } from "node:crypto";
import { invalidInput } from "../../contracts/fault.ts";
import type { PageCursor } from "../../contracts/provider.ts";
import type { ConnectionContext } from "../connection/connection-context.ts";
import { createSigner } from "../signed.ts";

/** The position of a walk through a list. */
export interface Position {
  /** The provider's cursor of the page to read; absent for the first page. */
  cursor?: PageCursor;
  /** The page size of this walk. */
  size: number;
  /** Which place of a fanned-out list is being read: its ID, and its index in case that place was deleted. */
  place?: string;
  placeIndex?: number;
  /** How many of the page's records were returned already, and the key of the last one. */
  skip?: number;
  last?: string;
  /** Only records updated at or after this time. */
  updatedSince?: string;
}

/** What a cursor is valid for: it is refused with another operation, provider, host or parameter. */
export interface CursorBinding {
  operation: string;
  provider: string;
  origin: string;
  /** Path parameters and the operation's own query parameters. */
  params: Record<string, unknown>;
}

export const bindingOf = (
  { provider, address }: Pick<ConnectionContext, "provider" | "address">,
  operation: string,
  params: CursorBinding["params"],
): CursorBinding => ({ operation, provider: provider.manifest.id, origin: address("api").origin, params });

const MAC_BYTES = 16;
/** Changes whenever `Position` does: a cursor of another version is refused instead of being misread. */
const VERSION = "3";

/** Signs with the current key and accepts any key that is still kept, so that walks survive a key rotation. */
export function createCursors(keys: () => readonly KeyObject[]) {
  const signer = createSigner(keys);
  const bound = ({ operation, provider, origin, params }: CursorBinding) =>
    JSON.stringify([VERSION, operation, provider, origin, params]);

  return {
    seal(binding: CursorBinding, position: Position): string {
      const payload = Buffer.from(JSON.stringify(position));
      const mac = signer.sign(MAC_BYTES, bound(binding), payload);
      return Buffer.concat([mac, payload]).toString("base64url");
    },

    open(binding: CursorBinding, cursor: string): Position {
      const bytes = Buffer.from(cursor, "base64url");
      const mac = bytes.subarray(0, MAC_BYTES);
      const payload = bytes.subarray(MAC_BYTES);
      // Base64 has unused bits at its end: only the exact encoding that we wrote is accepted.
      const genuine =
        payload.length > 0 &&
        bytes.toString("base64url") === cursor &&
        signer.verify(mac, MAC_BYTES, bound(binding), payload);
      if (!genuine)
        throw invalidInput({
          path: ["query", "after"],
          message: "invalid cursor: pass `metadata.next` from the previous page unchanged, with the same parameters",
        });
      return JSON.parse(payload.toString()) as Position;
    },
  };
}

export type Cursors = ReturnType<typeof createCursors>;
