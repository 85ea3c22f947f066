import { flushCompileCache } from "node:module";
import { loadEmulators } from "../providers/sandboxes.gen.ts";

/**
 * Loads what a start loads and leaves, so that the compile cache is there: npm calls it after an installation. Without
 * it the first start would strip the types of every file, which takes half a second and 15 MB that it never gives back.
 */
export async function run(): Promise<void> {
  await Promise.all([import("./start.ts"), import("./keys.ts"), loadEmulators()]);
  flushCompileCache();
}
