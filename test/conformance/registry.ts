import { operations } from "../../src/categories/index.ts";
import { loadEvidence } from "../../src/providers/evidence.gen.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { emulators } from "../../src/providers/sandboxes.gen.ts";
import { startService } from "../support/service.ts";
import { describeConformance } from "./suite.ts";

/** Declares the conformance suite for every `parts`th provider, so that several files share the whole registry. */
export async function describeRegistry(part: number, parts: number): Promise<void> {
  const own = providers.filter((_, index) => index % parts === part);
  const ownEmulators = Object.fromEntries(own.map(({ manifest: { id } }) => [id, emulators[id]!]));
  describeConformance({
    operations,
    providers: own,
    start: (env, watched) => startService({ env, catalogue: { providers: watched, emulators: ownEmulators } }),
    emulators: ownEmulators,
    evidence: await loadEvidence(),
  });
}
