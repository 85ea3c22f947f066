import { describeChanges } from "./changes.ts";

describeChanges(0, 2);
