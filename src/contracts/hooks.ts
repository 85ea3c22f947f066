import type { AuthType } from "./authentication.ts";
import type { Context } from "./provider.ts";

// A provider's own webhook, which we call a hook, says that something has changed. It is only a hint: it starts the runs
// of subscriptions, which then find out what has changed.

/** A request that was sent to the address of a hook. */
export interface HookRequest {
  method: string;
  /** The whole address, as the provider knows it. */
  url: string;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  query: URLSearchParams;
  /** As it was sent: signatures are over these bytes. */
  bytes: Buffer;
  /** Parsed, or undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: anybody may send anything, and each provider reads its own fields
  body: any;
}

/** When a request was signed. One that is older, or younger, than the window is refused. */
export interface HookTimestamp {
  /** The header, or a JSON Pointer into the body. */
  in: { header: string } | { pointer: string };
  unit: "seconds" | "milliseconds" | "iso";
  windowSeconds: number;
}

export interface HmacSignature {
  kind: "hmac";
  /** The header with the signature. With several, one that is right is enough. */
  headers: readonly string[];
  algorithm: "sha256" | "sha1";
  encoding: "hex" | "base64";
  /** What stands before it in the header, such as `sha256=`. */
  prefix?: string;
  /** What is signed: `{body}` by default, with `{timestamp}`, `{method}` and `{url}` where the provider adds them. */
  signed?: string;
  timestamp?: HookTimestamp;
}

/** How it is known that a request comes from the provider: by a secret that nobody else has. */
export type HookSignature =
  | HmacSignature
  /** The secret itself is sent: in a header, or in the body at a JSON Pointer, in which `*` stands for every entry. */
  | { kind: "token"; in: { header: string } | { pointer: string } }
  /** `Authorization: Basic`, with the user name `plugboard` and the secret as password. */
  | { kind: "basic" }
  /** A JSON Web Token in `Authorization`, signed with the secret (HS256), that has not expired. */
  | { kind: "jwt" }
  /** https://www.standardwebhooks.com */
  | { kind: "standard" };

/** Where a provider finds out whether the address is ours: it sends a value, and expects it back. */
export interface HookHandshake {
  in: "query" | "header" | "body";
  /** Of the parameter, the header or the member. */
  name: string;
  /** How it is sent back: as text, as a member of the same name, in a header of the same name, or not at all. */
  answer: "text" | "json" | "header" | "none";
  /** The value is the secret that later requests are signed with. */
  isSecret?: true;
  /** The request is signed like all others. */
  isSigned?: true;
}

/** How a hook concerns one of our lists. */
export interface HookedList {
  /** Names of the events after which the list is read: `issue` also stands for `issue.opened`. Default: all events. */
  events?: readonly string[];
  /** Those after which a record may be gone, so that the whole list is read. */
  deletes?: readonly string[];
  /**
   * What the hook has to watch, such as a repository, by the parameters of the list. Undefined: no hook covers the list
   * with these parameters. Default: the account as a whole, which is an empty text.
   */
  target?(parameters: Readonly<Record<string, string>>): string | undefined;
}

interface HooksBase {
  signature: HookSignature;
  handshake?: HookHandshake;
  /** By the id of their operation, such as `git.listIssues`. */
  lists: Readonly<Record<string, HookedList>>;
  /** The names of the events that a request is about. None: it only shows that the hook is alive. Default: unknown ones. */
  events?(request: HookRequest): readonly string[];
}

export interface HookContext extends Pick<Context, "upstream" | "settings" | "address" | "sleep"> {
  auth: AuthType;
  target: string;
}

/** What is needed to make a hook. */
export interface NewHook extends HookContext {
  /** Where the provider is to send requests to. */
  url: string;
  /** Random: for providers that take a secret of ours. */
  secret: string;
}

/** A hook as the provider has made it. */
export interface MadeHook {
  /** What is needed to renew and remove it, such as its id. Encrypted at rest. */
  remote: Record<string, string>;
  /** If the provider has chosen the secret. Several, of several hooks at the provider, are lines. */
  secret?: string;
  /** ISO 8601; undefined or null if it does not expire. */
  expires_at?: string | null;
}

/** Hooks that are made with the credentials of a connection. */
export interface ConnectionHooks extends HooksBase {
  per: "connection";
  /**
   * What requests are verified with: a secret that `create` sends or returns or that the handshake brings (`hook`), the
   * integration's `client_secret`, or its `hook_secret`, which the operator enters.
   */
  secret: "hook" | "client_secret" | "hook_secret";
  create(hook: NewHook): Promise<MadeHook>;
  /** Extends the life of a hook. Without it, a hook that expires is replaced by a new one. */
  renew?(hook: HookContext, remote: Record<string, string>): Promise<Pick<MadeHook, "expires_at">>;
  remove(hook: HookContext, remote: Record<string, string>): Promise<unknown>;
  /** What the connection needs for it, such as a scope or a role: said if the provider refuses. */
  needs?: string;
}

/** Hooks that the operator enters at the provider, once for all accounts of an integration. */
export interface ApplicationHooks extends HooksBase {
  per: "application";
  secret: "client_secret" | "hook_secret";
  /** What has to be done at the provider: Markdown. The address and the secret are on the integration's page. */
  steps: readonly string[];
  /** The id by which requests name the account of a connection. */
  account(context: Omit<HookContext, "target">): Promise<string>;
  /** The accounts that a request is about. */
  accounts(request: HookRequest): readonly string[];
}

/** Why there are none: the end of the sentence "Lists are read at their interval, because …". */
export interface NoHooks {
  per: "none";
  because: string;
}

export type Hooks = ConnectionHooks | ApplicationHooks | NoHooks;
