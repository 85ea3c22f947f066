import { includesScope, isBound } from "../../contracts/access.ts";
import type { Caller } from "../../contracts/caller.ts";
import type { McpPerson, McpSignIn } from "../../contracts/mcp-grants.ts";
import type { Store } from "../../contracts/store.ts";
import type { Signer } from "../../engine/index.ts";

/** Whoever lost their role, or their access to the dashboard, keeps a grant no longer than this. */
const MAX_GRANT_MS = 30 * 86_400_000;

export type ProvenSignIn = McpSignIn & { person: McpPerson };

/** The key that a grant ends with, and when that is. */
const endOf = ({
  actor,
  keyExpiresAt = Number.POSITIVE_INFINITY,
}: Caller): Pick<McpPerson, "key_id" | "expires_at"> => ({
  key_id: actor.kind === "key" ? actor.id : null,
  expires_at: Number.isFinite(keyExpiresAt) ? new Date(keyExpiresAt).toISOString() : null,
});

/**
 * A user of the application, which has signed them in with a key of its own. What they allow stays when the application
 * replaces that key, but does not outlive a key that is bound or expires.
 */
export function userOf(external_id: string, caller: Caller, tool_pack_id: string | null): McpPerson {
  const end = endOf(caller);
  return {
    actor: { kind: "person", id: external_id, name: null },
    external_id,
    connection_ids: null,
    ...(isBound(caller) || end.expires_at !== null ? end : { key_id: null, expires_at: null }),
    tool_pack_id,
    may_call_api: includesScope(caller.scopes, "proxy"),
    may_connect: true,
    may_add_accounts: true,
  };
}

/** Somebody with a key or a dashboard session. The tool pack of a key is also that of what they allow. */
export function personOf(caller: Caller): McpPerson {
  const { actor, external_id, connection_ids, scopes } = caller;
  const mayConnect = connection_ids === null && includesScope(scopes, "connections:write");
  return {
    actor,
    external_id,
    connection_ids,
    ...endOf(caller),
    tool_pack_id: caller.toolPack?.id ?? caller.workspace.mcp_tool_pack_id,
    may_call_api: includesScope(scopes, "proxy"),
    may_connect: mayConnect,
    // What belongs to nobody in particular would be everybody's: such accounts are chosen on the page, or not at all.
    may_add_accounts: external_id !== null && mayConnect,
  };
}

/** When a grant ends that somebody gives now: with their key; 30 days later if only the dashboard knows them. */
export function grantExpiry({ external_id, key_id, expires_at }: McpPerson): string | null {
  const isUnlimited = external_id !== null || key_id !== null;
  return isUnlimited ? expires_at : new Date(Date.now() + MAX_GRANT_MS).toISOString();
}

interface McpSignInOptions {
  store: Pick<Store, "mcpGrants">;
  signer: Signer;
  authUrl: string;
}

/**
 * The address at which somebody who has proven who they are decides about a client. It is signed for this person, so
 * that a sign-in which somebody else proves does not continue in the browser that began it.
 */
export function createMcpSignIns({ store, signer, authUrl }: McpSignInOptions) {
  const signed = ({ id, person }: ProvenSignIn) => ["mcp consent", id, JSON.stringify(person)] as const;
  const isProven = (signIn: McpSignIn | undefined): signIn is ProvenSignIn => signIn?.person != null;

  return {
    consentUrl: (signIn: ProvenSignIn): string =>
      `${authUrl}/oauth/consent?request=${signIn.id}.${signer.signText(...signed(signIn))}`,

    /** The sign-in of such an address; undefined if it has expired, was completed, or was proven by somebody else. */
    async read(token: string): Promise<ProvenSignIn | undefined> {
      const [id = "", signature = ""] = token.split(".", 2);
      const found = await store.mcpGrants.signIn(id);
      return isProven(found) && signer.verifyText(signature, ...signed(found)) ? found : undefined;
    },

    /** The sign-in by its id alone, if somebody has proven who they are. */
    async proven(id: string): Promise<ProvenSignIn | undefined> {
      const found = await store.mcpGrants.signIn(id);
      return isProven(found) ? found : undefined;
    },
  };
}

export type McpSignIns = ReturnType<typeof createMcpSignIns>;
