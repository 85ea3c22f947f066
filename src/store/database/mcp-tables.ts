import type { GrantAccess } from "../../contracts/access.ts";
import type { Json, Time } from "./column-types.ts";

/** See `contracts/mcp-grants.ts`. Of codes and tokens there are only hashes. */
export interface McpTables {
  mcp_clients: {
    id: string;
    name: string;
    redirect_uris: Json;
    created_at: Time;
    last_used_at: Time;
  };
  mcp_sign_ins: McpSignInRow;
  mcp_grants: McpGrantRow;
  mcp_codes: {
    hash: string;
    grant_id: string;
    redirect_uri: string;
    code_challenge: string;
    used_at: Time | null;
    expires_at: Time;
  };
  /** Those that were used are kept, to notice if they are used again. */
  mcp_refresh_tokens: {
    hash: string;
    grant_id: string;
    used_at: Time | null;
    expires_at: Time;
  };
  mcp_access_tokens: {
    hash: string;
    grant_id: string;
    expires_at: Time;
  };
}

export interface McpSignInRow {
  id: string;
  workspace_id: string;
  client_id: string;
  client_name: string;
  redirect_uri: string;
  state: string | null;
  code_challenge: string;
  resource: string;
  browser: string;
  person: Json | null;
  created_at: Time;
  expires_at: Time;
}

export interface McpGrantRow {
  id: string;
  workspace_id: string;
  /** The API key that it was given with, if any: it ends with the key. */
  key_id: string | null;
  client_id: string;
  client_name: string;
  redirect_host: string;
  external_id: string | null;
  actor: Json;
  connection_ids: Json;
  access: GrantAccess;
  call_api: number;
  tool_pack_id: string | null;
  may_add_accounts: number;
  browser: string;
  resource: string;
  expires_at: Time | null;
  last_used_at: Time | null;
  created_at: Time;
}
