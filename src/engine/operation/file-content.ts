import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { Upload } from "./upload.ts";

/** What was read of a file: all of it, or less if the provider answered before its end. */
export interface FileContent {
  sha256: string;
  size: number;
  isWhole: boolean;
}

/** A file that is hashed while it is read. */
export function hashWhileRead({ body, size, ...file }: Upload): { file: Upload; content(): FileContent } {
  const hash = createHash("sha256");
  let read = 0;
  let isWhole = false;
  async function* hashed(): AsyncGenerator<Buffer> {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      hash.update(chunk);
      read += chunk.length;
      yield chunk;
    }
    isWhole = true;
  }
  const watched = Readable.from(hashed(), { objectMode: false });
  // Its reader gets the error. It must not stop the process if the client disconnects while the rest is drained.
  watched.on("error", () => {});
  return {
    file: { ...file, size, body: watched },
    content: () => ({ sha256: hash.copy().digest("hex"), size: read, isWhole: isWhole || read === size }),
  };
}

/** Whether a file has the bytes that were read of another one. No more of it is read than that takes. */
export async function hasContent({ body, size }: Upload, { sha256, size: wanted, isWhole }: FileContent) {
  if (isWhole && size !== undefined && size !== wanted) return false;
  const hash = createHash("sha256");
  let read = 0;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false })) {
      hash.update(chunk.subarray(0, wanted - read));
      read += chunk.length;
      if (isWhole ? read > wanted : read >= wanted) break;
    }
  } finally {
    // The rest is drained, so that the client goes on to the response.
    body.resume();
  }
  return (isWhole ? read === wanted : read >= wanted) && hash.digest("hex") === sha256;
}
