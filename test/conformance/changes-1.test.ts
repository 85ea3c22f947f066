import { describeChanges } from "./changes.ts";
import { partOfRegistry } from "./registry.ts";

await describeChanges(partOfRegistry(0, 2));
