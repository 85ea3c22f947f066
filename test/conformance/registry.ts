import { operations } from "../../src/categories/index.ts";
import { loadEvidence } from "../../src/providers/evidence.gen.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { startService } from "../support/service.ts";
import { describeConformance } from "./suite.ts";

/** Declares the conformance suite for every `parts`th provider, so that several files share the whole registry. */
export async function describeRegistry(part: number, parts: number): Promise<void> {
  describeConformance({
    operations,
    providers: providers.filter((_, index) => index % parts === part),
    start: (env) => startService({ env }),
    evidence: await loadEvidence(),
  });
}
