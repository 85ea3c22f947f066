import type { Binding, GrantAccess } from "./access.ts";
import type { Actor } from "./caller.ts";
import type { Workspace } from "./entities.ts";
import type { PageRequest } from "./page.ts";
import type { ToolPack } from "./tool-packs.ts";

/** What the access tokens of MCP clients start with. They are recognized by Unified MCP alone. */
export const MCP_TOKEN_PREFIX = "pbm_";

export const isMcpToken = (token: string | undefined): boolean => token?.startsWith(MCP_TOKEN_PREFIX) ?? false;

/** A program that wants to use MCP for somebody. It has no secret. */
export interface McpClient {
  /** The address of its metadata document, or the id under which it registered itself. */
  id: string;
  name: string;
  redirect_uris: string[];
}

/** Who signs in for a client, and which connections they may choose from. */
export interface McpPerson extends Binding {
  actor: Actor;
  /** The API key that proved it: a grant ends with its key. */
  key_id: string | null;
  /** When that key ends; null if it does not. */
  expires_at: string | null;
  /** What limits the grants that they give. */
  tool_pack_id: string | null;
  /** Whether they can also let a client call the providers' own APIs, if nothing limits their grants. */
  may_call_api: boolean;
  /** Whether they can connect accounts while they decide. */
  may_connect: boolean;
  /** Whether accounts that they connect later, in the conversation, become accounts of the grant. */
  may_add_accounts: boolean;
}

/** A sign-in in progress: from the client's request to the decision. */
export interface McpSignIn {
  id: string;
  workspace_id: string;
  client_id: string;
  client_name: string;
  redirect_uri: string;
  /** Passed by the client, and returned to it unchanged. */
  state: string | null;
  code_challenge: string;
  /** The address that the client wants to use. */
  resource: string;
  /** The browser that began it, in which alone it can be completed. */
  browser: string;
  /** Null until they have proven who they are. */
  person: McpPerson | null;
  created_at: string;
  expires_at: string;
}

/** What somebody allowed a client to do. */
export interface McpGrant {
  id: string;
  workspace_id: string;
  client_id: string;
  client_name: string;
  /** Where the client receives its codes; the scheme with its colon if it is an app's own. */
  redirect_host: string;
  external_id: string | null;
  /** Who gave it. */
  actor: Actor;
  connection_ids: string[];
  access: GrantAccess;
  /** Whether the client may also call the providers' own APIs, as far as `access` goes. */
  call_api: boolean;
  tool_pack_id: string | null;
  /** Whether accounts that the person connects in the conversation become accounts of the grant. */
  may_add_accounts: boolean;
  /** In which it was given: accounts are connected for it there alone. */
  browser: string;
  resource: string;
  expires_at: string | null;
  /** At most a minute behind. Null if it was not used yet. */
  last_used_at: string | null;
  created_at: string;
}

export type NewMcpGrant = Omit<McpGrant, "last_used_at" | "created_at"> & { key_id: string | null };

/** SHA-256 of a token, and when it ends. */
export interface TokenHash {
  hash: string;
  expires_at: string;
}

export interface TokenHashes {
  access: TokenHash;
  refresh: TokenHash;
}

/**
 * What came of a code or a refresh token. One that was used before ends its grant: somebody else has it. So does a code
 * that is not presented by the client that it was issued for.
 */
export type Redemption =
  | { outcome: "issued"; grant: McpGrant }
  | { outcome: "misused"; grant: McpGrant }
  | { outcome: "refused" };

/** What a client says about itself and its token. What it does not say is not checked. */
export interface PresentedToken {
  client_id: string;
  resource: string | undefined;
}

export interface PresentedCode extends PresentedToken {
  redirect_uri: string | undefined;
  code_challenge: string;
}

export interface McpGrantStore {
  /** Programs that use MCP for people, and what people allowed them. What has expired is never returned. */
  mcpGrants: {
    /** False if there are too many that were registered lately. */
    registerClient(client: McpClient): Promise<boolean>;
    client(id: string): Promise<McpClient | undefined>;

    /** False if too many sign-ins of the workspace are in progress. */
    beginSignIn(signIn: Omit<McpSignIn, "person" | "created_at">): Promise<boolean>;
    signIn(id: string): Promise<McpSignIn | undefined>;
    /** Says who signs in. Undefined if there is no such sign-in in the workspace, or somebody else has proven it. */
    proveSignIn(workspaceId: string, id: string, person: McpPerson): Promise<McpSignIn | undefined>;
    /** Uses it up without a grant. False if it was used up before. */
    endSignIn(id: string): Promise<boolean>;

    /** Uses the sign-in up, and stores the grant and the code for it. Undefined if the sign-in was used up before. */
    grant(signIn: McpSignIn, grant: NewMcpGrant, code: TokenHash): Promise<McpGrant | undefined>;
    redeemCode(hash: string, presented: PresentedCode, tokens: TokenHashes): Promise<Redemption>;
    /** Exchanges a refresh token for the next one. */
    refresh(hash: string, presented: PresentedToken, tokens: TokenHashes): Promise<Redemption>;
    /** The grant of an access token. */
    byToken(
      hash: string,
    ): Promise<
      { grant: McpGrant; workspace: Workspace; toolPack: ToolPack | undefined; expires_at: string } | undefined
    >;
    /** The grant of a refresh token that can still be used. */
    byRefreshToken(hash: string): Promise<McpGrant | undefined>;
    /** Ends one access token. False if there is none. */
    deleteToken(hash: string): Promise<boolean>;

    /** If a key with this binding may see it. */
    get(workspaceId: string, id: string, binding?: Binding): Promise<McpGrant | undefined>;
    /** Those that a key with this binding may see. */
    list(workspaceId: string, page: PageRequest, binding: Binding): Promise<McpGrant[]>;
    /** Undefined if there is no such grant. */
    update(workspaceId: string, id: string, change: Pick<McpGrant, "tool_pack_id">): Promise<McpGrant | undefined>;
    used(uses: readonly { id: string; at: string }[]): Promise<void>;
    /** Ends a grant with all of its tokens. False if there is none that a key with this binding may see. */
    delete(workspaceId: string, id: string, binding?: Binding): Promise<boolean>;
    /** Deletes what has expired, and clients and grants that are not used. */
    sweep(): Promise<void>;
  };
}
