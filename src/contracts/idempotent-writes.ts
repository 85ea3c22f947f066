/** The state of a write with an idempotency key; `fingerprint` is that of the first request with this key. */
export type BegunWrite =
  | { state: "begun" }
  | { state: "running" | "unknown"; fingerprint: string }
  | { state: "done"; fingerprint: string; answer: string };

export interface IdempotentWriteStore {
  /** Writes of clients that sent an idempotency key: the outcome of each, so that none is made twice. */
  idempotentWrites: {
    /**
     * Begins a write, or returns the state of an earlier one with the same key. A lease that has expired belongs to a
     * process that stopped: the write begins again if nothing had been sent, and is `unknown` otherwise.
     */
    begin(
      write: { id: string; workspace_id: string; fingerprint: string; owner: string },
      times: { leaseMs: number; keepMs: number },
    ): Promise<BegunWrite>;
    /** Called before the provider can see anything. False if another process has taken the write over. */
    markSent(id: string, owner: string, leaseMs: number): Promise<boolean>;
    /** Keeps the lease of a write that is still running. */
    renew(id: string, owner: string, leaseMs: number): Promise<void>;
    finish(id: string, owner: string, answer: string): Promise<void>;
    /** It may or may not have been carried out, and that cannot be found out. */
    markUnknown(id: string, owner: string): Promise<void>;
    /** It was certainly not carried out: the same key may be used again. */
    release(id: string, owner: string): Promise<void>;
    /** Deletes what has expired. */
    sweep(): Promise<void>;
  };
}
