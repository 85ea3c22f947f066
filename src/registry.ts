import { type Config, ConfigError } from "./config/index.ts";
import type { Emulator, LazyEmulator } from "./contracts/emulator.ts";
import type { Provider } from "./contracts/provider.ts";
import { readCatalogue } from "./provider-document/catalogue.ts";
import { providers as withOperations } from "./providers/registry.gen.ts";
import { emulators } from "./providers/sandboxes.gen.ts";

export interface Registry {
  providers: readonly Provider[];
  /** By the provider's id. Providers without one have a generic emulator. */
  emulators: Readonly<Record<string, Emulator | LazyEmulator>>;
}

/** Whether a provider of the repository, or one of its catalogue, has this id. */
export const isBuiltIn = (id: string): boolean =>
  [...withOperations, ...readCatalogue()].some(({ manifest }) => manifest.id === id);

/** The providers of the repository and those of `PROVIDERS_DIR`. Throws if anything is wrong with one of them. */
export async function loadRegistry({ providersDir }: Pick<Config, "providersDir">): Promise<Registry> {
  if (providersDir === undefined) return { providers: [...withOperations, ...readCatalogue()], emulators };
  const { loadProviderFolders } = await import("./provider-folders/load.ts");
  const { loaded, problems } = await loadProviderFolders(providersDir, isBuiltIn);
  if (problems.length > 0) throw new ConfigError(problems.map((problem) => `PROVIDERS_DIR: ${problem}`));
  return {
    providers: [...withOperations, ...loaded.map(({ provider }) => provider), ...readCatalogue()],
    emulators: {
      ...emulators,
      ...Object.fromEntries(
        loaded.flatMap(({ provider, emulator }) => (emulator ? [[provider.manifest.id, emulator]] : [])),
      ),
    },
  };
}
