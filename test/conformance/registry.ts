import { operations } from "../../src/categories/index.ts";
import { loadEvidence } from "../../src/providers/evidence.gen.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { emulators } from "../../src/providers/sandboxes.gen.ts";
import { startService } from "../support/service.ts";
import { describeConformance } from "./suite.ts";

const served = providers.filter(({ categories }) => categories.length > 0);

/** Every `parts`th provider with operations, so that several files share the whole registry. */
export function partOfRegistry(part: number, parts: number) {
  const own = served.filter((_, index) => index % parts === part);
  return { providers: own, emulators: Object.fromEntries(own.map(({ manifest: { id } }) => [id, emulators[id]!])) };
}

/** Declares the conformance suite for a part of the registry. */
export async function describeRegistry(part: number, parts: number): Promise<void> {
  const { providers, emulators } = partOfRegistry(part, parts);
  describeConformance({
    operations,
    providers,
    start: (env, watched) => startService({ env, catalogue: { providers: watched, emulators } }),
    emulators,
    evidence: await loadEvidence(),
    oncePerKind: true,
  });
}
