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

export const reply = (status: number, body?: unknown, headers: Record<string, string> = {}): EmulatedReply => ({
  status,
  body,
  headers,
});

/** Whether a step on the way to an answer has come to one already, such as a refusal. */
export const isReply = (result: object): result is EmulatedReply => "status" in result;

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

export const emulate = <State>(emulator: Emulator<State>): Emulator<State> => emulator;

/** Text that breaks careless code: other scripts, right-to-left, combining marks, emoji, markup, quotes. */
export const awkwardTexts = [
  "Grüße aus Köln",
  "日本語のタイトル",
  "مرحبا بالعالم",
  "e\u0301 combining and \u200b zero width",
  "👩‍👩‍👧 family & 🏳️‍🌈 flag",
  '<script>alert("x")</script> & "quotes"',
  "tabs\tand\nnew lines",
  "'; DROP TABLE users; --",
] as const;

const GIVEN = ["Ada", "Zoë", "陽菜", "José", "Émilie", "محمد", "Ștefan", "Chloe\u0308"];
const FAMILY = ["Lovelace", "Müller-Lüdenscheidt", "O'Brien", "山田", "Nuñez", "Þórsdóttir", "d’Arc", "Øster"];

export interface Person {
  given: string | null;
  family: string | null;
  email: string | null;
}

/** Somebody in the sandbox, the same for the same index: now and then without a name, an address or either. */
export function person(index: number): Person {
  const given = GIVEN[index % GIVEN.length]!;
  const family = FAMILY[(index * 3) % FAMILY.length]!;
  const email = `contact-${index}@example.com`;
  switch (index % 13) {
    case 1:
      return { given, family: null, email };
    case 2:
      return { given: null, family, email };
    case 3:
      return { given: null, family: null, email };
    case 4:
      return { given: null, family: null, email: null };
    case 5:
      return { given, family, email: null };
    case 6:
      return { given: awkwardTexts[index % awkwardTexts.length]!, family, email: `grüße+${index}@exämple.com` };
    case 7:
      return { given: "  ", family: "", email: index % 2 ? "" : email };
    default:
      return { given, family, email };
  }
}

/** A number generator with a fixed start: the same data at every start, on every machine. */
export function seeded(seed: number): {
  int(below: number): number;
  pick<T>(from: readonly T[]): T;
  hex(length: number): string;
} {
  let state = seed >>> 0 || 1;
  const int = (below: number) => {
    // xorshift32: small, fast and the same everywhere
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
  return {
    int,
    pick: (from) => from[int(from.length)]!,
    hex: (length) => Array.from({ length }, () => int(16).toString(16)).join(""),
  };
}

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** A date of the sandbox's calendar: `index` hours after its first day. */
export const hour = (index: number): Date => new Date(Date.UTC(2024, 0, 1) + index * 3_600_000);
