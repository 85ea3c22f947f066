import { afterAll } from "vitest";
import { endProcesses } from "./process.ts";

// A test that fails may not get to end the processes that it has started.
afterAll(endProcesses);
