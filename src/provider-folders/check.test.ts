import { expect, it } from "vitest";
import { loadEvidence } from "../providers/evidence.gen.ts";
import { providers } from "../providers/registry.gen.ts";
import { emulators } from "../providers/sandboxes.gen.ts";
import { emulatorProblems, evidenceProblems, implementationProblems, manifestProblems } from "./check.ts";

it("the checks of providers outside of the repository find nothing wrong with built-in ones", async () => {
  const evidence = await loadEvidence();
  for (const { manifest, categories } of providers) {
    const { id } = manifest;
    const problems = [
      ...manifestProblems(manifest, id, () => false),
      ...categories.flatMap((one) => implementationProblems(one, one.category)),
      ...emulatorProblems(await emulators[id]!.load(), manifest),
      ...evidenceProblems(evidence[id]),
    ];
    expect([id, problems]).toEqual([id, []]);
  }
});
