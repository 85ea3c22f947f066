// What is needed to let the webhooks of emulated providers start subscriptions.
import type { Hooks, NoHooks } from "../../src/contracts/hooks.ts";
import { hooksOf, type Manifest } from "../../src/contracts/manifest.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import type { subscriptionClient } from "../events/support/subscriptions.ts";
import type { TestService } from "../support/service.ts";

/** Parameters of lists that no hook covers without them, by provider and list. */
const PARAMETERS: Record<string, Record<string, string>> = {
  // The folder "Projects" of the sandbox.
  "box drive.listFiles": { folder_id: "240100000097" },
};

export const givenParameters = (provider: string, list: string): Record<string, string> =>
  PARAMETERS[`${provider} ${list}`] ?? {};

const hasHooks = ({ hooks, hooksWith }: Pick<Manifest, "hooks" | "hooksWith">) =>
  [hooks, ...Object.values(hooksWith ?? {})].some((one) => one && one.per !== "none");

/** The providers that have webhooks, by name. */
export const hookedProviders = () =>
  providers.map(({ manifest }) => [manifest.name, manifest] as const).filter(([, manifest]) => hasHooks(manifest));

/** Calls about the webhooks of the sandbox's providers. */
export function hooksClient(service: TestService, client: ReturnType<typeof subscriptionClient>) {
  const control = async (body: object) => {
    const response = await fetch(`${service.url}/sandbox/_hooks`, { method: "POST", body: JSON.stringify(body) });
    if (response.status !== 201) throw new Error(await response.text());
  };
  return {
    control,

    /** Enters the application's webhook at a provider, if it has one, and says which of its lists are covered. */
    async prepare(manifest: Manifest) {
      const { id } = manifest;
      const connection = await service.store.connections.load(service.connections[id]!);
      const integration = connection!.integration!;
      const hooks = hooksOf(manifest, integration.type) as Exclude<Hooks, NoHooks>;
      if (hooks.secret !== "hook") {
        const secret = hooks.secret === "client_secret" ? integration.client_secret! : "sandbox-hook-secret";
        const isBrought = hooks.handshake?.isSecret && hooks.per === "application";
        if (hooks.secret === "hook_secret" && !isBrought)
          await client.platform("PATCH", `/integrations/${integration.id}`, { hook_secret: secret });
        const { hook_url } = await client.platform("GET", `/integrations/${integration.id}`);
        if (hooks.per === "application") await control({ provider: id, url: hook_url, secret });
      }
      const lists = await Promise.all(
        Object.keys(hooks.lists).map(async (list) => {
          const { parameters } = await client.change(id, list, { parameters: givenParameters(id, list) });
          return { list, parameters, target: hooks.lists[list]!.target ? hooks.lists[list]!.target(parameters) : "" };
        }),
      );
      return { hooks, covered: lists.filter(({ target }) => target !== undefined) };
    },

    /** Changes a record of a list: the event that is expected. */
    async change(provider: string, { list, parameters }: { list: string; parameters: object }): Promise<string> {
      for (const kind of ["create", "update"] as const) {
        const made = await client.change(provider, list, { [kind]: 1, parameters }).catch(() => undefined);
        if (made) return `${kind}d ${made[`${kind}d`][0]}`;
      }
      throw new Error(`${list} cannot change`);
    },
  };
}
