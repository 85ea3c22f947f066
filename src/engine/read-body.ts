import { Fault } from "../contracts/fault.ts";
import type { TransportResponse } from "./transport.ts";

/** More than any page of any provider; an answer beyond it is a mistake or an attack. */
const LARGEST_BODY = 64 * 1024 * 1024;

/** The whole body. A body that ends early rejects. */
export async function readBody(response: TransportResponse): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw new Fault("upstream_malformed", "the provider's answer is larger than 64 MB");
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size);
}
