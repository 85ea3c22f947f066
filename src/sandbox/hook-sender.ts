import { setTimeout as wait } from "node:timers/promises";
import Type, { type Static } from "typebox";
import type { EmulatedHook, EmulatedReply } from "../contracts/emulator.ts";
import type { ApplicationHooks, ConnectionHooks } from "../contracts/hooks.ts";
import { isLoopback } from "../contracts/network.ts";
import { signHook } from "../runtime/hook-signature.ts";
import { controlBody } from "./control-body.ts";

const Count = Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 }));

const HooksBody = Type.Object(
  {
    provider: Type.String(),
    /** Where the application's hook goes to, in place of its settings at the provider; null removes it. */
    url: Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], maxLength: 2_000 })),
    secret: Type.Optional(Type.String({ maxLength: 1_000 })),
    /** Whether hooks are sent at all. */
    send: Type.Optional(Type.Boolean()),
    /** Of the next hooks, so many are lost, sent twice, sent after the one that follows, or signed with a wrong secret. */
    lose: Count,
    double: Count,
    reorder: Count,
    forge: Count,
    /** Every hook is sent so much later. */
    delay_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 600_000 })),
  },
  { additionalProperties: false },
);
export type HooksRequest = Static<typeof HooksBody>;

/** Parses the body of `POST /_hooks`. */
export const parseHooksRequest = controlBody(HooksBody);

const TIMEOUT_MS = 10_000;

/** A hook is only ever sent to this machine: an emulated provider must not call anybody else. */
const isLocal = (url: string) => isLoopback(URL.parse(url)?.hostname ?? "");

interface HookMessage {
  method?: "GET" | "HEAD" | "POST";
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
}

async function send(url: string, message: HookMessage, headers: Record<string, string>, bytes: Buffer | undefined) {
  if (!isLocal(url)) throw new Error("the sandbox sends hooks to this machine only");
  const address = new URL(url);
  for (const [name, value] of Object.entries(message.query ?? {})) address.searchParams.set(name, value);
  const response = await fetch(address, {
    method: message.method ?? "POST",
    headers: { ...(bytes && { "content-type": "application/json" }), ...message.headers, ...headers },
    ...(bytes && message.method !== "GET" && message.method !== "HEAD" && { body: new Uint8Array(bytes) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const toBytes = (body: unknown) => (body === undefined ? undefined : Buffer.from(JSON.stringify(body)));

/** The reply of a route that registers a hook, after the handshake that it asks for. */
export async function afterHandshake(reply: EmulatedReply): Promise<EmulatedReply> {
  const { handshake, ...rest } = reply;
  if (!handshake) return reply;
  const accepts = handshake.accepts ?? (({ status }: { status: number }) => status < 300);
  const ask = () => send(handshake.url, handshake, {}, toBytes(handshake.body));
  // A second time, because the other side may have closed a kept connection just then.
  const answered = await ask()
    .catch(ask)
    .catch(() => undefined);
  return answered && accepts(answered) ? rest : handshake.otherwise();
}

/** Signs and sends the hooks of one emulated provider, with the faults that were asked for. */
export function createHookSender() {
  const faults = { lose: 0, double: 0, reorder: 0, forge: 0 };
  let isOn = true;
  let delayMs = 0;
  let application: EmulatedHook | undefined;
  /** Sent after the next one. */
  let held: (() => Promise<void>) | undefined;

  const take = (fault: keyof typeof faults): boolean => faults[fault] > 0 && faults[fault]-- > 0;

  async function deliver(
    { signature }: ConnectionHooks | ApplicationHooks,
    { url, secret }: EmulatedHook,
    message: HookMessage,
  ): Promise<void> {
    const used = take("forge") ? `${secret}x` : secret;
    // Some providers send the secret in the body.
    const text = message.body === undefined ? "" : JSON.stringify(message.body);
    const bytes = Buffer.from(used === secret ? text : text.replaceAll(`"${secret}"`, `"${used}"`));
    const signed = signHook(signature, used, { method: "POST", url, bytes, body: message.body });
    await wait(delayMs);
    await send(url, message, signed, bytes).catch(() => {});
  }

  return {
    /** The application's hook, if it has one. */
    get application() {
      return application;
    },
    configure({ send: on, delay_ms, url, secret, provider: _, ...counts }: HooksRequest): void {
      isOn = on ?? isOn;
      delayMs = delay_ms ?? delayMs;
      Object.assign(faults, counts);
      if (url === null) application = undefined;
      else if (url !== undefined) application = { url, secret: secret ?? "", covers: () => true };
    },
    /** Sends it in the background. */
    send(hooks: ConnectionHooks | ApplicationHooks, hook: EmulatedHook, message: HookMessage): void {
      if (!isOn || take("lose")) return;
      const once = () => deliver(hooks, hook, message);
      if (held === undefined && take("reorder")) {
        held = once;
        return;
      }
      void once();
      if (take("double")) void once();
      void held?.();
      held = undefined;
    },
    /** What the provider asks the application's address, signed; undefined if there was no answer. */
    challenge(hooks: ConnectionHooks | ApplicationHooks, message: HookMessage) {
      const { url, secret } = application!;
      const bytes = toBytes(message.body);
      const request = { method: "POST", url, bytes: bytes ?? Buffer.alloc(0), body: message.body };
      const signed = hooks.handshake?.isSigned ? signHook(hooks.signature, secret, request) : {};
      return send(url, message, signed, bytes).catch(() => undefined);
    },
  };
}
