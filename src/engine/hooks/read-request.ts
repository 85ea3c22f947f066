import type { ApplicationHooks, ConnectionHooks, HookedList, HookRequest } from "../../contracts/hooks.ts";
import { verifyHook } from "../../runtime/hook-signature.ts";

const MAX_CHALLENGE_LENGTH = 1_000;

export interface HookAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** What a request turns out to be. */
export type ReadHook =
  | { kind: "refused" }
  /** It asks whether the address is ours. With `secret`, later requests are signed with that. */
  | { kind: "handshake"; answer: HookAnswer; secret?: string }
  | {
      kind: "hint";
      operations: string[] | undefined;
      deletes: string[];
      /** Of an application: whose hooks it is about, and which of their targets; undefined for all. */
      accounts: readonly string[];
      targets: readonly string[] | undefined;
    };

function challengeOf({ handshake }: ConnectionHooks | ApplicationHooks, request: HookRequest): string | undefined {
  if (!handshake) return undefined;
  const { name } = handshake;
  const value = {
    query: () => request.query.get(name),
    header: () => request.headers[name],
    body: () => (Object.hasOwn(Object(request.body), name) ? request.body[name] : undefined),
  }[handshake.in]();
  return typeof value === "string" && value !== "" && value.length <= MAX_CHALLENGE_LENGTH ? value : undefined;
}

function answerTo({ name, answer }: NonNullable<ConnectionHooks["handshake"]>, challenge: string): HookAnswer {
  if (answer === "text")
    return { status: 200, headers: { "content-type": "text/plain; charset=utf-8" }, body: challenge };
  if (answer === "header") return { status: 200, headers: { [name]: challenge } };
  if (answer === "json")
    return {
      status: 200,
      headers: { "content-type": "application/json; charset=utf-8" },
      body: JSON.stringify({ [name]: challenge }),
    };
  return { status: 200 };
}

const matches = (names: readonly string[] | undefined, event: string) =>
  names?.some((name) => event === name || event.startsWith(`${name}.`)) ?? false;

/** Which lists the events are about. What cannot be read is about all of them: a hint may be wrong, but not be lost. */
function concerned(hooks: ConnectionHooks | ApplicationHooks, request: HookRequest) {
  const lists = Object.entries(hooks.lists);
  const events = attempt(() => hooks.events?.(request));
  const about = (test: (list: HookedList, event: string) => boolean) =>
    lists.filter(([, list]) => events?.some((event) => test(list, event))).map(([operation]) => operation);
  const deletes = about((list, event) => matches(list.deletes, event));
  if (!events) return { operations: undefined, deletes };
  return { operations: about((list, event) => list.events === undefined || matches(list.events, event)), deletes };
}

const isName = (value: unknown) => typeof value === "string" && value !== "";

function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** `expectsSecret`: the secret is not known yet, and the handshake may bring it. */
export function readHook(
  hooks: ConnectionHooks | ApplicationHooks,
  secrets: readonly string[],
  request: HookRequest,
  expectsSecret: boolean,
): ReadHook {
  const isVerified = () => verifyHook(hooks.signature, secrets, request);
  const challenge = challengeOf(hooks, request);
  const { handshake } = hooks;
  if (handshake && challenge !== undefined && (!handshake.isSigned || isVerified())) {
    if (!handshake.isSecret) return { kind: "handshake", answer: answerTo(handshake, challenge) };
    if (expectsSecret) return { kind: "handshake", answer: answerTo(handshake, challenge), secret: challenge };
  }
  // Some providers only look whether somebody answers.
  if (request.method === "HEAD") return { kind: "handshake", answer: { status: 200 } };
  if (request.method !== "POST" || !isVerified()) return { kind: "refused" };
  if (hooks.per === "connection")
    return { kind: "hint", ...concerned(hooks, request), accounts: [], targets: undefined };
  const accounts = (attempt(() => hooks.accounts(request)) ?? []).filter(isName);
  return { kind: "hint", ...concerned(hooks, request), accounts, targets: attempt(() => hooks.targets?.(request)) };
}
