import { flushCompileCache } from "node:module";
import { emulators } from "../providers/sandboxes.gen.ts";

/**
 * Fills the compile cache by loading everything that a start and the first calls load. npm runs it after an installation. Without it, the
 * first start would strip the types of every file, which takes half a second and 15 MB that are never freed.
 */
export async function run(): Promise<void> {
  const loaded = Object.values(emulators).map((emulator) => emulator.load());
  const commands = [import("./start.ts"), import("./serve.ts"), import("./start-workers.ts"), import("./keys.ts")];
  await Promise.all([...commands, import("./start-banner.ts"), ...loaded]);
  flushCompileCache();
}
