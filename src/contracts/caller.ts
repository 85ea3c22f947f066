import type { Binding, GrantAccess, Permissions } from "./access.ts";
import type { Workspace } from "./entities.ts";
import type { Person } from "./people.ts";
import type { ToolPack } from "./tool-packs.ts";

/** Who does something. */
export interface Actor {
  kind: "key" | "person" | "command" | "system";
  id: string | null;
  name: string | null;
}

/** Whose connections are used, and which of them. */
export interface ConnectionUser extends Binding {
  workspace: Pick<Workspace, "id">;
}

/** What a caller's grant says: with `access` `read`, only tools that read. Its tool pack is the caller's. */
export interface CallerGrant {
  id: string;
  access: GrantAccess;
  callApi: boolean;
  mayAddAccounts: boolean;
  /** In which accounts are connected for it. */
  browser: string;
  expiresAt: string | null;
  clientId: string;
  clientName: string;
}

/** Somebody who was identified by an API key, a dashboard session or the token of an MCP client, and what they may do. */
export interface Caller extends ConnectionUser, Permissions {
  workspace: Workspace;
  actor: Actor;
  /** When the key or the session ends, in milliseconds since 1970. */
  expiresAt: number;
  /** What limits them to some tools of Unified MCP. Every other route refuses them. */
  toolPack?: ToolPack;
  /** If they signed in at the identity provider. */
  person?: Person;
  /** When the key ends, also that of a session; what they create must not work longer. Undefined without a key. */
  keyExpiresAt?: number | undefined;
  /** If it is an MCP client, what somebody allowed it to do. */
  grant?: CallerGrant;
}
