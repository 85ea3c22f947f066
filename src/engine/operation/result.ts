/** What an operation gives. */
export interface OperationResult {
  data: unknown;
  /** Lists only. */
  next?: string | null;
  /** The provider's parsed body, or `{pages: […]}` where several were read. */
  raw: unknown;
  /** Calls made to the provider. */
  calls: number;
}
