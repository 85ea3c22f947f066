// The conformance suite over the providers whose folders PROVIDER_FOLDERS names: see src/commands/test-provider.ts.
import { basename } from "node:path";
import { operations } from "../../src/categories/index.ts";
import type { LazyEmulator } from "../../src/contracts/emulator.ts";
import { loadProviderFolder } from "../../src/provider-folders/load.ts";
import { startService } from "../support/service.ts";
import { describeChanges } from "./changes.ts";
import { describeConformance } from "./suite.ts";

const folders: string[] = JSON.parse(process.env.PROVIDER_FOLDERS!);
const loaded = await Promise.all(
  folders.map((folder) => loadProviderFolder(folder, basename(folder), () => false, new Set())),
);
const providers = loaded.map(({ provider }) => provider);
const emulators = Object.fromEntries(
  loaded.map(({ provider, emulator }): [string, LazyEmulator] => [
    provider.manifest.id,
    { ...(emulator!.settings && { settings: emulator!.settings }), load: async () => emulator! },
  ]),
);
const evidence = Object.fromEntries(
  loaded.flatMap(({ provider, evidence }) => (evidence ? [[provider.manifest.id, evidence]] : [])),
);

describeConformance({
  operations,
  providers,
  start: (env, watched) => startService({ env, catalogue: { providers: watched, emulators } }),
  emulators,
  evidence,
});
await describeChanges({ providers, emulators });
