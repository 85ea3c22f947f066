// Half of the conformance suite: one file runs in one process. New providers and operations are included automatically.
import { describeRegistry } from "./registry.ts";

await describeRegistry(0, 2);
