// The conformance suite over the whole registry. New providers and operations are included automatically.
import { operations } from "../../src/categories/index.ts";
import { loadEvidence } from "../../src/providers/evidence.gen.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { startService } from "../support/service.ts";
import { describeConformance } from "./suite.ts";

describeConformance({
  operations,
  providers,
  start: (env) => startService({ env }),
  evidence: await loadEvidence(),
});
