import { describeChanges } from "./changes.ts";

describeChanges(1, 2);
