import type { NewLogEntry, UpstreamAttempt } from "../../contracts/entities.ts";

type PackedAttempt = [method: string, path: string, status: number | string, duration_ms: number, attempt: number];

/** An entry as it is stored, in JSON. Time and status come first: see `timeOf`. */
export type PackedEntry = [
  at: number,
  status: number,
  connection_id: string | null,
  integration_id: string | null,
  request_id: string,
  surface: string,
  method: string,
  path: string,
  outcome: string | null,
  error_source: NewLogEntry["error_source"],
  duration_ms: number,
  upstream_calls: number,
  ...upstream: PackedAttempt[],
];

const packAttempt = ({ method, path, status, error, duration_ms, attempt }: UpstreamAttempt): PackedAttempt => [
  method,
  path,
  status ?? error ?? "",
  duration_ms,
  attempt,
];

const unpackAttempt = ([method, path, outcome, duration_ms, attempt]: PackedAttempt): UpstreamAttempt => ({
  method,
  path,
  status: typeof outcome === "number" ? outcome : null,
  error: typeof outcome === "number" ? null : outcome,
  duration_ms,
  attempt,
});

export const pack = (entry: NewLogEntry): PackedEntry => [
  entry.at,
  entry.status,
  entry.connection_id,
  entry.integration_id,
  entry.request_id,
  entry.surface,
  entry.method,
  entry.path,
  entry.outcome,
  entry.error_source,
  entry.duration_ms,
  entry.upstream_calls,
  ...entry.upstream.map(packAttempt),
];

export const unpack = ([
  at,
  status,
  connection_id,
  integration_id,
  request_id,
  surface,
  method,
  path,
  outcome,
  error_source,
  duration_ms,
  upstream_calls,
  ...upstream
]: PackedEntry): Omit<NewLogEntry, "workspace_id"> => ({
  at,
  status,
  connection_id,
  integration_id,
  request_id,
  surface,
  method,
  path,
  outcome,
  error_source,
  duration_ms,
  upstream_calls,
  upstream: upstream.map(unpackAttempt),
});

/** The time and the status of a stored entry, without parsing it. */
export const timeOf = (line: string): number => Number.parseInt(line.slice(1), 10);
export const statusOf = (line: string): number => Number.parseInt(line.slice(line.indexOf(",") + 1), 10);
