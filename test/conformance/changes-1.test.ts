import { describeChanges } from "./changes.ts";

await describeChanges(0, 2);
