// What the pages read of the API's answers.

export interface ConnectionRecord {
  id: string;
  external_id: string | null;
  integration_id: string;
  integration_identifier: string;
  is_valid: boolean;
  invalid_reason: string | null;
  expires_at: string | null;
  refreshed_at: string | null;
  created_at: string;
  updated_at: string;
  metadata: Record<string, unknown> | null;
  settings: Record<string, string>;
  account?: { id: string | null; name: string | null; email: string | null } | null;
}

export interface IntegrationRecord {
  id: string;
  identifier: string;
  type: string;
  name: string | null;
  base_url: string | null;
  mcp_url: string | null;
  scopes: string[] | null;
  has_client_secret: boolean;
  proxy_base_url: string | null;
  callback_url: string | null;
  created_at: string;
}

export interface ProviderRecord {
  id: string;
  name: string;
  docs: string;
  auth_types: string[];
  categories: string[];
  operations: string[];
  self_hosted_only: boolean;
  /** What to create at the provider, by auth type. */
  setup: Record<string, { url: string | null; steps: string[]; scopes: string[] }>;
}

export interface WorkspaceRecord {
  id: string;
  name: string;
  client_id: string;
  redirect_uris: string[];
  logo_url: string | null;
  accent_color: string | null;
}

export interface ApiKeyRecord {
  id: string;
  name: string | null;
  prefix: string;
  created_at: string;
}

interface UsageCounts {
  requests: number;
  plugboard_errors: number;
  provider_errors: number;
  p50_ms: number | null;
  p95_ms: number | null;
}

export interface UsageRecord {
  bucket_seconds: number;
  total: UsageCounts;
  buckets: (UsageCounts & { start: string })[];
}

export interface EventRecord {
  id: string;
  type: string;
  timestamp: string;
  connection_id: string | null;
  data: Record<string, unknown>;
}

export interface UpstreamAttempt {
  method: string;
  path: string;
  /** Null if there was no answer; `error` says why. */
  status: number | null;
  error: string | null;
  duration_ms: number;
  attempt: number;
}

export interface LogRecord {
  id: string;
  request_id: string;
  connection_id: string | null;
  surface: string;
  method: string;
  path: string;
  status: number;
  outcome: string | null;
  duration_ms: number;
  upstream_calls: number;
  created_at: string;
  integration_id: string | null;
  error_source: string | null;
  upstream: UpstreamAttempt[];
}

export interface WebhookRecord {
  id: string;
  name: string;
  url: string;
  events: Record<string, boolean>;
  enabled: boolean;
  disabled_reason: string | null;
  failing_since: string | null;
  created_at: string;
}

export interface DeliveryAttempt {
  at: string;
  status: number | null;
  error: string | null;
  duration_ms: number;
  answer: string | null;
}

export interface DeliveryRecord {
  id: string;
  event_id: string;
  type: string;
  state: string;
  created_at: string;
  attempts: DeliveryAttempt[];
}
