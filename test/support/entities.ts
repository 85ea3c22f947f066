import type { Store } from "../../src/contracts/store.ts";
import { newId } from "../../src/runtime/ids.ts";

type NewIntegration = Parameters<Store["integrations"]["create"]>[0];
type NewConnection = Parameters<Store["connections"]["create"]>[0];
type Owned<Entity> = Partial<Entity> & { workspace_id: string };

/** An integration as the store takes it, with defaults for the fields that a test does not care about. */
export const newIntegration = (fields: Owned<NewIntegration>): NewIntegration => ({
  id: newId("int"),
  identifier: "example",
  name: null,
  type: "oauth2",
  client_id: "made-up-client",
  client_secret: "made-up-secret",
  scopes: null,
  base_url: null,
  mcp_url: null,
  ...fields,
});

/** A connection as the store takes it, with defaults for the fields that a test does not care about. */
export const newConnection = (fields: Owned<NewConnection>): NewConnection => ({
  id: newId("conn"),
  integration_id: "int_none",
  integration_identifier: "example",
  external_id: null,
  credentials: { token: "made-up" },
  settings: {},
  metadata: null,
  is_valid: true,
  invalid_reason: null,
  expires_at: null,
  refreshed_at: null,
  ...fields,
});
