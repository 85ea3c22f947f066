import type { Dispatcher } from "undici";

/**
 * Empties undici's list of raw headers once they are read. Each is a part of the chunk that it came in, and the list has
 * waited in V8's old heap: until the next full collection, it would keep 64 kB for every call.
 */
export function dropRawHeaders({ rawHeaders }: Dispatcher.DispatchController): void {
  if (Array.isArray(rawHeaders)) rawHeaders.length = 0;
}
