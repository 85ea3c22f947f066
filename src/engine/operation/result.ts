/** The result of an operation. */
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
