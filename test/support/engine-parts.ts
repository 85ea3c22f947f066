import type { Connection, Integration } from "../../src/contracts/entities.ts";
import type { Manifest } from "../../src/contracts/manifest.ts";
import type { ImplementedCategory } from "../../src/contracts/provider.ts";
import { type ConnectionContext, createConnectionContext } from "../../src/engine/connection/connection-context.ts";
import { get } from "../../src/provider-kit/request.ts";

export const TIME = "2026-01-01T00:00:00.000Z";

export const testManifest: Manifest = {
  id: "acme",
  name: "Acme",
  docs: "https://acme.example/docs",
  addresses: { api: "https://api.acme.example/v1", token: "https://acme.example/token" },
  auth: { api_key: { label: "Key", help: "https://acme.example/keys" } },
  check: get("/me"),
};

interface Options {
  manifest?: Partial<Manifest>;
  categories?: ImplementedCategory[];
  record?: Partial<Connection>;
  integration?: Partial<Integration>;
}

/** A connection as the engine sees it, with nothing behind it. */
export function testConnection({ manifest, categories = [], record, integration }: Options = {}): ConnectionContext {
  const fullIntegration: Integration = {
    id: "int_1",
    workspace_id: "ws_1",
    identifier: "acme",
    name: null,
    type: "api_key",
    client_id: null,
    client_secret: null,
    private_key: null,
    hook_secret: null,
    settings: {},
    scopes: null,
    base_url: null,
    mcp_url: null,
    created_at: TIME,
    updated_at: TIME,
    ...integration,
  };
  const connection: Connection = {
    id: "conn_1",
    workspace_id: "ws_1",
    integration_id: "int_1",
    integration_identifier: "acme",
    external_id: null,
    credentials: { token: "secret" },
    settings: {},
    metadata: null,
    account: null,
    is_valid: true,
    invalid_reason: null,
    expires_at: null,
    refreshed_at: null,
    created_at: TIME,
    updated_at: TIME,
    ...record,
  };
  const provider = { manifest: { ...testManifest, ...manifest }, categories };
  return createConnectionContext(provider, connection, fullIntegration, { sandboxUrl: undefined });
}
