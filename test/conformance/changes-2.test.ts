import { describeChanges } from "./changes.ts";

await describeChanges(1, 2);
