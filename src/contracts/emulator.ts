import type { HookSignature } from "./hooks.ts";

/** A request to an emulated provider. */
export interface EmulatedRequest {
  method: string;
  /** After `/sandbox/<provider>`, as sent. */
  path: string;
  /** Values of the route's `:name` segments, decoded. */
  params: Record<string, string>;
  query: URLSearchParams;
  /** Names in lower case. */
  headers: Record<string, string | undefined>;
  /** The body as it was sent. */
  bytes: Buffer;
  /** Parsed if it is JSON or a form, otherwise text; undefined if there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: a client may send anything, and each emulator reads its own fields
  readonly body: any;
  /** This emulator's own address without a trailing slash, for links in its responses. */
  origin: string;
  /** The account whose token was sent; undefined on routes that need none. */
  account: string | undefined;
}

export interface EmulatedReply {
  status: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON, text and bytes unchanged. */
  body?: unknown;
  /** Set by a route that registers a hook: made first, and if it fails, `otherwise` is the reply. */
  handshake?: EmulatedHandshake;
}

/** How the provider finds out, before it registers a hook, whether somebody answers at its address. */
export interface EmulatedHandshake {
  url: string;
  /** Query parameters that are added to the address. */
  query?: Record<string, string>;
  method?: "GET" | "HEAD" | "POST";
  headers?: Record<string, string>;
  /** Sent as JSON. */
  body?: unknown;
  /** Whether this answer is the expected one. Default: any status below 300. */
  accepts?(answer: { status: number; headers: Headers; text: string }): boolean;
  /** For an answer that is not, and after which nothing must be registered. */
  otherwise(): EmulatedReply;
}

/** A hook that is registered at an emulated provider. */
export interface EmulatedHook {
  url: string;
  /** How its requests are signed, if the provider has several ways. Default: that of the manifest. */
  signature?: HookSignature;
  /** What its requests are signed with: see the signature in the manifest. */
  secret: string;
  /** Whether it watches this list of ours with these parameters. */
  covers(list: string, parameters: Readonly<Record<string, string>>): boolean;
}

/** A change that hooks are sent for. */
export interface HookedChange {
  /** The operation, such as `git.listIssues`. */
  list: string;
  kind: ChangeKind;
  /** Of the changed record, as Unified shows it. */
  id: string | number;
  parameters: Readonly<Record<string, string>>;
  now: Date;
}

/** The hooks of an emulated provider: routes register them in its state, and the host signs and sends them. */
export interface EmulatedHooks<State> {
  /** Those that exist and have not expired. Without it, the application has one, which `POST /_hooks` registers. */
  registered?(state: State, now: Date): EmulatedHook[];
  /** What the provider sends for a change; the signature and its timestamp are added. Undefined: nothing. */
  request(
    change: HookedChange,
    state: State,
    hook: EmulatedHook,
  ): { headers?: Record<string, string>; body?: unknown } | undefined;
  /** The request with which an application's address is checked, if the provider does that. Some send the secret in it. */
  challenge?(secret: string): {
    method?: "GET" | "HEAD" | "POST";
    query?: Record<string, string>;
    headers?: Record<string, string>;
    body?: unknown;
  };
}

/** The host's tokens, for a provider's routes that inspect or revoke a token. */
export interface EmulatedTokens {
  /** What a token of this provider is; undefined if it is unknown or no longer valid. */
  inspect(token: string): { kind: "access" | "refresh" | "key"; account: string; expires_in?: number } | undefined;
  /** Revokes a token and everything issued from the same consent. False if the token was not valid. */
  revoke(token: string): boolean;
  /** A new access token of an account, valid for so many seconds. */
  issue(account: string, seconds: number): string;
}

/** Declared as a method, so that a route over its own state also fits `Emulator`, which is how the host sees it. */
export type EmulatedRoute<State> = {
  handle(request: EmulatedRequest, state: State, tokens: EmulatedTokens): EmulatedReply;
}["handle"];

/** A tool of an emulated provider's own MCP server, defined by the API call that it makes. */
export interface EmulatedTool {
  description: string;
  /** JSON Schema of each required argument. */
  input: Record<string, object>;
  /** JSON Schema of each optional argument. */
  optional?: Record<string, object>;
  /** The API call for these arguments. Values in `path` are encoded; a `body` is sent as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: the JSON Schemas above are the type of the arguments
  request(input: any): {
    method?: string;
    path: string;
    query?: Record<string, string | number | undefined>;
    body?: Record<string, unknown>;
  };
}

/** Why a request's token was refused. */
export type RefusedToken = "missing" | "unknown" | "expired" | "revoked";

export type ChangeKind = "create" | "update" | "delete";

/** Changes to make in one list of an emulated provider. */
export interface ChangeRequest extends Record<ChangeKind, number> {
  /** The list's parameters: given ones and defaults. */
  parameters: Record<string, string>;
  /** Counts the changes at this provider, so that each new record gets an id of its own. */
  counter: { made: number };
  now: Date;
}

/** Ids of the changed records, as Unified shows them. A record without an id has its name or its hash. */
export interface ChangedRecords {
  created: (string | number)[];
  updated: (string | number)[];
  deleted: (string | number)[];
}

/** A list whose records can be changed on command, in place of the users of the real provider. */
export interface ChangeableList<State> {
  /** The operation's parameters that choose the records, with their defaults. Undefined: left out by default. */
  parameters?(state: State): Record<string, string | undefined>;
  /** Why some changes are impossible, by their kind. */
  impossible: Partial<Record<ChangeKind, string>>;
  /** Makes all of the changes, or none of them if there is a problem. */
  change(state: State, request: ChangeRequest): ChangedRecords | { problem: string };
}

/** An emulator whose code is loaded with the first request to it. */
export interface LazyEmulator {
  /** The same as the emulator's, which ready-made connections need before it is loaded. */
  settings?: Record<string, string>;
  load(): Promise<Emulator>;
}

/**
 * An emulated provider: the real paths, paging, error bodies and headers over data generated from a fixed seed. The
 * host adds the token check, OAuth pages and endpoints, injected faults and the request recorder.
 */
export interface Emulator<State = unknown> {
  /** Generates the data; called once, at the first request. */
  state(): State;
  /**
   * `"GET /repos/:owner/:repo/issues"`: the whole path, including that of the manifest's address. A `:name` matches one
   * segment, `:name*` the rest of the path. Paths without names are matched first, then the others in this order.
   */
  routes: Record<string, EmulatedRoute<State>>;
  /** The lists that can be changed on command, by the id of their operation: `"tasks.listTasks"`. */
  changes?: Record<string, ChangeableList<State>>;
  /** Its webhooks. */
  hooks?: EmulatedHooks<State>;
  /** The provider's error body for a status: used for unknown paths, injected faults and refused tokens (401). */
  failure(status: number, request: EmulatedRequest): EmulatedReply;
  /** The provider's response to a token that is refused. Default: `failure(401)`. */
  unauthorized?(request: EmulatedRequest, reason: RefusedToken): EmulatedReply;
  /** Finds the credential in a request. Default: the last word of `Authorization`; with Basic, the password. */
  credential?(request: EmulatedRequest): string | undefined;
  /** Keys of the routes that need no token. */
  open?: string[];
  /** Keys of the routes that take a file: its content type may be JSON even if it is none. */
  uploads?: string[];
  /** Tools of the provider's own MCP server, by name; it is served at the manifest's `mcp` address. */
  mcp?: Record<string, EmulatedTool>;
  /** Headers on every response, such as rate limits. */
  headers?(request: EmulatedRequest): Record<string, string>;
  /** Per-account values of the ready-made connection; token responses contain them as well. */
  settings?: Record<string, string>;
  /** Query parameters that the redirect after consent has besides the code and the state. */
  redirectParameters?: Record<string, string>;
  /** The same for the redirect after an app was installed. */
  installationParameters?: Record<string, string>;
  /**
   * Turns a standard token response into this provider's. Default: unchanged, with a new refresh token after consent
   * and, if the manifest says that they rotate, after each refresh.
   */
  tokenAnswer?(standard: Record<string, unknown>, request: EmulatedRequest): EmulatedReply;
  /** Turns a standard token error into this provider's. Default: 400 with the standard body. */
  tokenFailure?(error: string, description: string, request: EmulatedRequest): EmulatedReply;
}
