/** A request as it reached an emulated provider. */
export interface EmulatedRequest {
  method: string;
  /** After `/sandbox/<provider>`, as sent. */
  path: string;
  /** Values of the route's `:name` parts, decoded. */
  params: Record<string, string>;
  query: URLSearchParams;
  /** Names in lower case. */
  headers: Record<string, string | undefined>;
  /** Parsed where it is JSON or a form, else text; undefined where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: emulators read arbitrary request bodies, whose fields may be missing
  body: any;
  /** The body as it came. */
  text: string;
  /** This emulator's own address with no slash at its end, for the links that a provider puts into its answers. */
  origin: string;
  /** Whose token came with the request; undefined on routes that need none. */
  account: string | undefined;
}

export interface EmulatedReply {
  status: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON, a string as it is. */
  body?: unknown;
}

/** The host's tokens, for the routes with which a provider tells of a token or revokes it. */
export interface EmulatedTokens {
  /** What a token of this provider is good for; undefined where it is not one, or no longer good. */
  inspect(token: string): { kind: "access" | "refresh" | "key"; account: string; expires_in?: number } | undefined;
  /** Makes a token void, and with it all that came from the same consent. False where it was not good. */
  revoke(token: string): boolean;
}

export type EmulatedRoute<State> = (request: EmulatedRequest, state: State, tokens: EmulatedTokens) => EmulatedReply;

/** A tool of an emulated provider's own MCP server, told by the call of the provider's API that it makes. */
export interface EmulatedTool {
  description: string;
  /** JSON Schema of each argument. */
  input: Record<string, object>;
  /** Likewise of those that may be left out. */
  optional?: Record<string, object>;
  /** `path` as in the routes, each value encoded; a `body` is sent as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the arguments are those that the tool's own schemas describe
  request(input: any): {
    method?: string;
    path: string;
    query?: Record<string, string | number | undefined>;
    body?: Record<string, unknown>;
  };
}

/** Why a request was not let in. */
export type RefusedToken = "missing" | "unknown" | "expired" | "revoked";

/**
 * An emulated provider: its real paths, paging, error bodies and headers over data made from a fixed seed. The host
 * adds the token check, OAuth pages and endpoints, faults and the record of requests.
 */
// biome-ignore lint/suspicious/noExplicitAny: the host passes each emulator's state through without looking at it
export interface Emulator<State = any> {
  /** Makes the data; called once, when the first request comes. */
  state(): State;
  /**
   * `"GET /repos/:owner/:repo/issues"`: the whole path, with that of the manifest's address. A `:name` matches one
   * segment, `:name*` the rest of the path. A path without names goes first, then the order in which they stand here.
   */
  routes: Record<string, EmulatedRoute<State>>;
  /** The provider's error body for a status: used for unknown paths, faults, and refused tokens (401). */
  failure(status: number, request: EmulatedRequest): EmulatedReply;
  /** The provider's own answer to a token that is expired or unknown. Default: `failure(401)`. */
  unauthorized?(request: EmulatedRequest, reason: RefusedToken): EmulatedReply;
  /** Finds the credential in a request. Default: the `Authorization` header's last word; with Basic, the password. */
  credential?(request: EmulatedRequest): string | undefined;
  /** Those of the routes that need no token, as they are written there. */
  open?: string[];
  /** Tools of the provider's own MCP server, by name; it is served where the manifest's address `mcp` is. */
  mcp?: Record<string, EmulatedTool>;
  /** Headers on every answer, such as rate limits. */
  headers?(request: EmulatedRequest): Record<string, string>;
  /** Per-account values of the ready-made connection, and what a token answer carries beside the token. */
  settings?: Record<string, string>;
  /** What the way back from consent carries beside the code and the state. */
  redirectParameters?: Record<string, string>;
  /**
   * Makes a token answer look as this provider's does. Default: the standard's, with a new refresh token after consent
   * and, where the manifest says that they rotate, after each refresh.
   */
  tokenAnswer?(standard: Record<string, unknown>, request: EmulatedRequest): EmulatedReply;
  /** Makes a refused token request look as this provider's does. Default: 400 with the standard's body. */
  tokenFailure?(error: string, description: string, request: EmulatedRequest): EmulatedReply;
}
