import type { AuthType } from "./authentication.ts";
import type { Upstream } from "./upstream.ts";

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

/** What is known about a connection: the same as in `Context`. */
export interface HookContext {
  upstream: Upstream;
  settings: Readonly<Record<string, string>>;
  address(name: string): string;
  sleep(milliseconds: number): Promise<void>;
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
  /** Which of their targets it is about, such as a channel; undefined for all. */
  targets?(request: HookRequest): readonly string[] | undefined;
}

/** Why there are none: the end of the sentence "Lists are read at their interval, because …". */
export interface NoHooks {
  per: "none";
  because: string;
}

export type Hooks = ConnectionHooks | ApplicationHooks | NoHooks;

/**
 * `new`: it is being made. `active`: the provider has it. `failed`: it has not, or it will be lost; it is tried again.
 * `ending`: it is removed, and accepted until then.
 */
export type HookState = "new" | "active" | "failed" | "ending";

/** What a subscription sees of its hook. */
export interface HookHealth {
  id: string;
  state: HookState;
  /** Why it is not used. */
  reason: string | null;
  expires_at: string | null;
  last_hint_at: string | null;
  /** When a run found changes that no hint had announced; null after the next hint. */
  missed_at: string | null;
}

/** A hook as the store holds it. There is one for each connection and target, besides those that end. */
export interface StoredHook extends HookHealth {
  workspace_id: string;
  connection_id: string;
  integration_id: string;
  target: string;
  /** Null before it is made. Encrypted at rest. */
  secret: string | null;
  /** What its provider needs to renew or remove it. Encrypted at rest. */
  remote: Record<string, string> | null;
  /** By which requests of an application name the connection's account. */
  account: string | null;
  /** When the provider made it, or renewed it. */
  made_at: string | null;
}

/** What has arrived for a hook. */
export interface Hint {
  hookId: string;
  /** The operations whose lists may have changed; undefined for all. */
  operations: readonly string[] | undefined;
  /** Those of them in which a record may be gone. */
  deletes: readonly string[];
}

/** The part of the store that hooks are kept in. Each has a job of the same id. */
export interface HookStore {
  hooks: {
    get(id: string): Promise<StoredHook | undefined>;
    ofConnection(connectionId: string): Promise<StoredHook[]>;
    /** The hooks of an integration's connections to these accounts. */
    ofAccounts(integrationId: string, accounts: readonly string[]): Promise<StoredHook[]>;
    /** Says what starts a subscription: a hook for this target, which is made if there is none, or nothing, and why. */
    want(
      subscription: { id: string; workspace_id: string; connection_id: string },
      wanted: { integration_id: string; target: string } | { reason: string },
    ): Promise<void>;
    /** Whether a subscription needs it. */
    isWanted(hook: Pick<StoredHook, "connection_id" | "target">): Promise<boolean>;
    /** If the state changes, its subscriptions run immediately: something may have happened without a hint. */
    update(
      id: string,
      change: Partial<
        Pick<StoredHook, "state" | "reason" | "secret" | "remote" | "account" | "expires_at" | "made_at" | "missed_at">
      >,
    ): Promise<void>;
    /** Ends a hook, and makes another one for the same target. */
    replace(hook: StoredHook): Promise<void>;
    delete(id: string): Promise<void>;
    /** Notes that a run found changes without a hint since then. A hint may have come meanwhile: that counts. */
    missed(id: string, since: string): Promise<void>;
    /** Runs the subscriptions that the hints are about, each not more often than every 5 seconds. */
    hint(hints: readonly Hint[]): Promise<void>;
    /** Tries again to make the hooks of an integration that have failed. */
    retry(integrationId: string): Promise<void>;
  };
}
