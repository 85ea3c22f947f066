/** What the parts of Plugboard are called in scopes. */
const areas = ["unified", "connections", "integrations", "events", "logs", "keys", "workspace", "providers"] as const;
type Area = (typeof areas)[number];

/** What a key may be allowed to do. `write` includes `read`, and `*` is everything. */
export type Scope = `${Area}:${"read" | "write"}` | "proxy" | "mcp" | "*";

export const scopes: readonly Scope[] = [
  ...areas.flatMap((area) => [`${area}:read`, `${area}:write`] as const),
  "proxy",
  "mcp",
  "*",
];

/** The latest time at which a key can expire: the databases store times up to the year 2255. */
export const MAX_KEY_EXPIRY = Date.UTC(2200, 0, 1);

/** What people are to a workspace, from the one who may do least. */
export const roles = ["viewer", "developer", "admin"] as const;
export type Role = (typeof roles)[number];

const viewer: Scope[] = areas.filter((area) => area !== "unified").map((area) => `${area}:read` as const);

/** A role is a name for some scopes. */
export const roleScopes: Record<Role, Scope[]> = {
  viewer,
  developer: [...viewer, "connections:write", "events:write", "unified:write", "proxy", "mcp"],
  admin: ["*"],
};

/** Which connections somebody may see and use. Null for all. */
export interface Binding {
  external_id: string | null;
  connection_ids: string[] | null;
}

export interface Permissions extends Binding {
  scopes: Scope[];
}

export const UNBOUND: Binding = { external_id: null, connection_ids: null };
export const EVERYTHING: Permissions = { ...UNBOUND, scopes: ["*"] };

/** Whether an MCP client may only read, or also create, change and send. */
export type GrantAccess = "read" | "write";

/** What a route needs. Every route of every surface declares it. */
export type Access =
  /** Nothing. */
  | "public"
  /** Any key. */
  | "key"
  /**
   * A key with this scope. With `wholeWorkspace`, one that is not bound to some connections. With `appliesToolPack`, it may
   * have a tool pack, because the route keeps to it.
   */
  | { scope: Scope; wholeWorkspace?: boolean; appliesToolPack?: boolean }
  /** Somebody in the dashboard with this role. */
  | { role: Role };

export function includesScope(granted: readonly string[], needed: Scope): boolean {
  if (granted.includes("*") || granted.includes(needed)) return true;
  return needed.endsWith(":read") && granted.includes(needed.replace(/read$/, "write"));
}

export const missingScopes = (granted: readonly string[], needed: readonly Scope[]): Scope[] =>
  needed.filter((scope) => !includesScope(granted, scope));

export const hasRole = ({ scopes }: Pick<Permissions, "scopes">, role: Role): boolean =>
  missingScopes(scopes, roleScopes[role]).length === 0;

/** The strongest role that somebody has; undefined if they have none. */
export const roleOf = (permissions: Pick<Permissions, "scopes">): Role | undefined =>
  roles.findLast((role) => hasRole(permissions, role));

export const isBound = ({ external_id, connection_ids }: Binding): boolean =>
  external_id !== null || connection_ids !== null;

export const mayUse = (
  { external_id, connection_ids }: Binding,
  connection: { id: string; external_id: string | null },
): boolean =>
  (external_id === null || connection.external_id === external_id) &&
  (connection_ids === null || connection_ids.includes(connection.id));

/** What a key with a tool pack may have. Whatever it could do elsewhere would get around its pack. */
export const TOOL_PACK_SCOPES: readonly Scope[] = ["mcp"];

/** What makes the permissions of a new key stronger than those of its creator; undefined if nothing does. */
export function strongerBy(
  key: Permissions & { expiresAt: number; tool_pack_id?: string | null },
  creator: Permissions & { expiresAt: number; toolPack?: { id: string } },
): { field: string; message: string } | undefined {
  const missing = missingScopes(creator.scopes, key.scopes);
  if (missing.length > 0) return { field: "scopes", message: `it does not have ${missing.join(", ")} itself` };
  if (creator.external_id !== null && key.external_id !== creator.external_id)
    return { field: "external_id", message: `it is bound to ${creator.external_id} itself` };
  const ids = creator.connection_ids;
  if (ids !== null && !key.connection_ids?.every((id) => ids.includes(id)))
    return { field: "connection_ids", message: `it is bound to ${ids.join(", ")} itself` };
  if (creator.toolPack && key.tool_pack_id !== creator.toolPack.id)
    return { field: "tool_pack_id", message: `it has ${creator.toolPack.id} itself` };
  if (key.expiresAt > creator.expiresAt)
    return { field: "expires_at", message: `it expires ${new Date(creator.expiresAt).toISOString()} itself` };
  return undefined;
}
