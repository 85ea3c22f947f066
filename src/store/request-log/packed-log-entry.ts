import type { LogEntry, NewLogEntry, UpstreamAttempt } from "../../contracts/entities.ts";

/** The order of the values in a stored entry. Time and status come first: see `timeOf`. */
const FIELDS = [
  "at",
  "status",
  "connection_id",
  "integration_id",
  "request_id",
  "surface",
  "method",
  "path",
  "outcome",
  "error_source",
  "duration_ms",
  "upstream_calls",
] as const satisfies (keyof NewLogEntry)[];

type PackedAttempt = [method: string, path: string, outcome: number | string, duration_ms: number, attempt: number];

const unpackAttempt = ([method, path, outcome, duration_ms, attempt]: PackedAttempt): UpstreamAttempt => ({
  method,
  path,
  status: typeof outcome === "number" ? outcome : null,
  error: typeof outcome === "number" ? null : outcome,
  duration_ms,
  attempt,
});

/** Who used MCP, as far as it is known. */
type PackedUser = Pick<LogEntry, "mcp_client" | "person">;

/** An entry as it is stored: a line of JSON with the values, the attempts, the operation and the user of MCP, if there are. */
export function pack(entry: NewLogEntry): string {
  // In the order of `FIELDS`; found by name one after the other, they would take four times as long.
  const values: unknown[] = [
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
  ];
  for (const { method, path, status, error, duration_ms, attempt } of entry.upstream)
    values.push([method, path, status ?? error ?? "", duration_ms, attempt]);
  if (entry.operation) values.push(entry.operation);
  const { mcp_client = null, person = null } = entry;
  if (mcp_client !== null || person !== null) values.push({ mcp_client, person } satisfies PackedUser);
  return JSON.stringify(values);
}

export function unpack(line: string): Omit<LogEntry, "id" | "workspace_id" | "created_at"> & Pick<NewLogEntry, "at"> {
  const values = JSON.parse(line) as unknown[];
  const rest = values.slice(FIELDS.length) as (PackedAttempt | string | PackedUser)[];
  const upstream = rest.filter((value) => Array.isArray(value)).map(unpackAttempt);
  const operation = rest.find((value) => typeof value === "string") ?? null;
  const isUser = (value: (typeof rest)[number]) => typeof value === "object" && !Array.isArray(value);
  const user = (rest.find(isUser) as PackedUser | undefined) ?? { mcp_client: null, person: null };
  const entry = Object.fromEntries(FIELDS.map((field, index) => [field, values[index]]));
  return { ...(entry as unknown as NewLogEntry), upstream, operation, ...user };
}

/** The time and the status of a stored entry, without parsing it. */
export const timeOf = (line: string): number => Number.parseInt(line.slice(1), 10);
export const statusOf = (line: string): number => Number.parseInt(line.slice(line.indexOf(",") + 1), 10);
