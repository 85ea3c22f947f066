import type { ChangedRecords, EmulatedHook } from "../contracts/emulator.ts";
import type { Hooks, NoHooks } from "../contracts/hooks.ts";
import type { EmulatedApi } from "./emulated-api.ts";
import type { EmulatedProvider } from "./emulated-provider.ts";
import { type HooksRequest, parseHooksRequest } from "./hook-sender.ts";

/** Every kind of hook that a provider has: another one for some auth types. */
const kindsOf = ({ manifest: { hooks, hooksWith } }: EmulatedProvider): Exclude<Hooks, NoHooks>[] =>
  [hooks, ...Object.values(hooksWith ?? {})].filter((one) => one !== undefined && one.per !== "none");

/** Sends the hooks that are registered for a list, one for each changed record, in the background. */
export function sendHooks(
  provider: EmulatedProvider,
  { hooks, state }: EmulatedApi,
  { list, parameters, changed }: { list: string; parameters: Record<string, string>; changed: ChangedRecords },
): void {
  if (!hooks) return;
  const now = new Date();
  const { application } = provider.hookSender;
  const registered = [...(hooks.registered?.(state(), now) ?? []), ...(application ? [application] : [])];
  const covering = registered.filter(({ covers }) => covers(list, parameters));
  const kinds = { create: changed.created, update: changed.updated, delete: changed.deleted };
  for (const [kind, ids] of Object.entries(kinds) as ["create" | "update" | "delete", (string | number)[]][])
    for (const id of ids)
      for (const hook of covering) {
        const message = hooks.request({ list, kind, id, parameters, now }, state(), hook);
        if (message) provider.hookSender.send(kindOf(provider, hook), hook, message);
      }
}

function kindOf(provider: EmulatedProvider, hook: EmulatedHook): Exclude<Hooks, NoHooks> {
  const kinds = kindsOf(provider);
  const per = hook === provider.hookSender.application ? "application" : "connection";
  return kinds.find((one) => one.per === per && (hook.signature ?? one.signature) === one.signature)!;
}

/** Does what `POST /_hooks` asks for, or returns everything that is wrong with it. */
export async function configureHooks(
  body: unknown,
  emulated: ReadonlyMap<string, EmulatedProvider>,
): Promise<HooksRequest | { problems: string[] }> {
  const request = await parseHooksRequest(body);
  if ("problems" in request) return request;
  const provider = emulated.get(request.provider);
  const [kind] = provider ? kindsOf(provider) : [];
  if (!provider || !kind) {
    const known = [...emulated].filter(([, one]) => kindsOf(one).length > 0).map(([id]) => id);
    return { problems: [`provider must be one of ${known.join(", ")}`] };
  }
  if (request.url !== undefined && kind.per !== "application")
    return {
      problems: [`url: ${provider.manifest.name} has no hooks of an application: they are registered at its API`],
    };
  provider.hookSender.configure(request);
  const challenge = request.url ? (await provider.api()).hooks?.challenge?.(request.secret ?? "") : undefined;
  if (!challenge) return shown(request);
  const answered = await provider.hookSender.challenge(kind, challenge);
  if (answered && answered.status < 300) return shown(request);
  provider.hookSender.configure({ provider: request.provider, url: null });
  return {
    problems: [`url: it did not answer the challenge: ${answered ? `status ${answered.status}` : "no answer"}`],
  };
}

const shown = ({ secret: _, ...request }: HooksRequest): HooksRequest => request;
