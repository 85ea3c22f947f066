import { hash, randomUUID } from "node:crypto";
import { Fault, ProviderFailure } from "../../contracts/fault.ts";
import type { BegunWrite } from "../../contracts/idempotent-writes.ts";
import type { Store } from "../../contracts/store.ts";
import type { Telemetry } from "../../contracts/telemetry.ts";
import { nothingWasSent } from "../http/attempts.ts";
import { retry } from "../http/retry.ts";
import { type FileContent, hasContent, hashWhileRead } from "./file-content.ts";
import type { OperationRequest } from "./request.ts";
import type { OperationResult } from "./result.ts";
import type { WriteGuard } from "./upstream.ts";

/** How long a key is remembered. */
const KEEP_MS = 24 * 60 * 60_000;
/** After this long without news, the process that began a write is taken to have stopped. */
const LEASE_MS = 15_000;
/** How long the store may be unavailable before the outcome of a write is given up. */
const STORE_OUTAGE_MS = 3_000;
/** A provider's refusals that say nothing about the request: the same one may well succeed later. */
const NOT_FINAL = new Set([401, 408, 429]);

/** A result, or the provider's refusal. */
type WriteAnswer =
  | { data: unknown; raw: unknown }
  | { status: number; headers: ProviderFailure["headers"]; body: string };
/** An answer, and the file that it answers, by which a repeated upload is recognized. */
type StoredAnswer = WriteAnswer & { content?: FileContent };

/** A provider's refusal that an earlier request with the same key got. */
export class ReplayedFailure extends ProviderFailure {}

/** The same for equal values, whatever the order of their keys. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (value === null || typeof value !== "object") return value;
  return Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => [name, canonical(inner)]);
}

const digest = (...parts: unknown[]) => hash("sha256", JSON.stringify(canonical(parts)));

/** Scoped to workspace, connection and operation: other calls may use the same key. */
export const writeKeyOf = ({ connection, operation, idempotencyKey }: OperationRequest): string =>
  digest(connection.record.workspace_id, connection.record.id, operation.id, idempotencyKey);

/** The outcome of a write that failed. */
function outcomeOf(error: unknown, { carriedOut }: WriteGuard): "refused" | "not_carried_out" | "unknown" {
  if (carriedOut) return "unknown";
  if (error instanceof ProviderFailure) {
    if (error.status >= 500) return "unknown";
    return error.status >= 400 && !NOT_FINAL.has(error.status) ? "refused" : "not_carried_out";
  }
  if (!(error instanceof Fault) || error.answered) return "unknown";
  if (error.kind === "upstream_unreachable") return nothingWasSent(error) ? "not_carried_out" : "unknown";
  return error.kind === "upstream_timeout" || error.kind === "upstream_malformed" || error.kind === "internal"
    ? "unknown"
    : "not_carried_out";
}

function replay(answer: WriteAnswer): OperationResult {
  if ("data" in answer) return { ...answer, replayed: true };
  throw new ReplayedFailure(answer.status, answer.headers, Buffer.from(answer.body, "base64"));
}

const keyReused = () =>
  new Fault(
    "idempotency_key_reused",
    "this Idempotency-Key was used before with another request: use a new key for each write",
  );

/** The error for a request whose key an earlier one had, unless that one can be replayed. */
function conflictOf(begun: BegunWrite, fingerprint: string): Fault | undefined {
  if (begun.state === "begun") return undefined;
  if (begun.fingerprint !== fingerprint) return keyReused();
  if (begun.state === "running")
    return new Fault("request_in_progress", "a request with this Idempotency-Key is still running: try again", {
      retryAfter: 1,
    });
  if (begun.state === "unknown")
    return new Fault(
      "outcome_unknown",
      "an earlier request with this Idempotency-Key was sent to the provider, and its outcome is not known: check at the provider before you repeat it with a new key",
    );
  return undefined;
}

interface WriteOnceOptions {
  store: Pick<Store, "idempotentWrites">;
  run(request: OperationRequest): Promise<OperationResult>;
  telemetry: Pick<Telemetry, "warn">;
}

/** Runs operations. Writes with an idempotency key are made at most once, whatever fails and however often a client repeats them. */
export function createWriteOnce({ store: { idempotentWrites }, run, telemetry }: WriteOnceOptions) {
  /** If it cannot be noted, the lease expires and the outcome counts as unknown: never as a reason to write again. */
  const note = (id: string, what: string, work: () => Promise<void>) =>
    retry(work, { forMs: STORE_OUTAGE_MS }).catch(() => telemetry.warn(`could not note that a write ${what}`, { id }));

  async function runOnce(request: OperationRequest): Promise<OperationResult> {
    const { pathParams, query, body, file, connection } = request;
    const id = writeKeyOf(request);
    // The bytes of a file are not known yet: they are compared with those of the file that was answered.
    const fingerprint = digest(pathParams, query, body, file && [file.contentType]);
    const owner = randomUUID();
    const begun = await idempotentWrites.begin(
      { id, workspace_id: connection.record.workspace_id, fingerprint, owner },
      { leaseMs: LEASE_MS, keepMs: KEEP_MS },
    );
    const conflict = conflictOf(begun, fingerprint);
    if (conflict) throw conflict;
    if (begun.state === "done") {
      const { content, ...answer } = JSON.parse(begun.answer) as StoredAnswer;
      if (file && content && !(await hasContent(file, content))) throw keyReused();
      return replay(answer);
    }

    let isSent = false;
    const write: WriteGuard = {
      carriedOut: false,
      async beforeSending() {
        if (isSent) return;
        if (!(await idempotentWrites.markSent(id, owner, LEASE_MS)))
          throw new Fault("request_in_progress", "another process has taken this request over: try again", {
            retryAfter: 1,
          });
        isSent = true;
      },
    };
    const keepLease = setInterval(() => idempotentWrites.renew(id, owner, LEASE_MS).catch(() => {}), LEASE_MS / 3);
    const hashed = file && hashWhileRead(file);
    const finish = (answer: WriteAnswer) => {
      const stored: StoredAnswer = { ...answer, ...(hashed ? { content: hashed.content() } : {}) };
      return note(id, "is finished", () => idempotentWrites.finish(id, owner, JSON.stringify(stored)));
    };
    try {
      // The provider's own bodies are stored, because a repeated request may ask for them.
      const sent = hashed ? { ...request, file: hashed.file } : request;
      const result = await run({ ...sent, includeRaw: true, write, writeKey: id });
      await finish({ data: result.data, raw: result.raw });
      return result;
    } catch (error) {
      const outcome = isSent ? outcomeOf(error, write) : "not_carried_out";
      if (outcome === "refused") {
        const { status, headers, body: refusal } = error as ProviderFailure;
        await finish({ status, headers, body: refusal.toString("base64") });
      } else if (outcome === "unknown")
        await note(id, "has an unknown outcome", () => idempotentWrites.markUnknown(id, owner));
      else await note(id, "was not carried out", () => idempotentWrites.release(id, owner));
      throw error;
    } finally {
      clearInterval(keepLease);
    }
  }

  return (request: OperationRequest): Promise<OperationResult> =>
    request.idempotencyKey === undefined ? run(request) : runOnce(request);
}
