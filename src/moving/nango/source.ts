/** An integration of Nango, as far as it is needed here. */
export interface NangoIntegration {
  /** By which connections name it. */
  key: string;
  /** Nango's name of the provider. */
  provider: string;
  name: string | null;
  client_id: string | null;
  client_secret: string | null;
  /** Separated by commas. */
  scopes: string | null;
  created_at: string;
}

export interface NangoConnection {
  connection_id: string;
  integration: string;
  end_user_id: string | null;
  metadata: Record<string, unknown> | null;
  /** Values of the account, such as a subdomain. */
  config: Record<string, unknown>;
  /** Their fields depend on `type`. */
  credentials: { type?: string; expires_at?: string; [field: string]: unknown };
  created_at: string;
  updated_at: string;
}

/** Where Nango's data is read from: its API or its database. */
export interface NangoSource {
  /** Of one environment, which has its own connections. */
  integrations(): Promise<NangoIntegration[]>;
  /** What cannot be read is reported with the reason. */
  connections(report: (connectionId: string, reason: string) => void): AsyncIterable<NangoConnection>;
  close(): Promise<void>;
}

/** Nango did not answer as expected, or could not be reached. */
export class NangoProblem extends Error {}
