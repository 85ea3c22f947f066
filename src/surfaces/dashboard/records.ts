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
}
