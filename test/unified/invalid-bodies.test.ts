import { operations } from "../../src/categories/index.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { describeInvalidBodies } from "../conformance/invalid-bodies.ts";
import { startService } from "../support/service.ts";

describeInvalidBodies({ operations, providers, start: (env) => startService({ env }) });
