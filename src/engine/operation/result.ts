/**
 * The result of an operation.
 *
 * Whoever has used `data` takes it away: the promises of a call have waited for the provider, so they are in V8's old
 * heap. Until its next full collection it would keep what they refer to, and copy all records of a large page there.
 */
export interface OperationResult {
  data: unknown;
  /** Lists only. */
  next?: string | null;
  /** Lists only: how many of the provider's items could not be read and were left out. */
  skipped?: number;
  /** If wanted: the provider's parsed body, or `{pages: […]}` if several were read. */
  raw: unknown;
  /** Of a write: it is the result of an earlier request with the same idempotency key. */
  replayed?: true;
}
