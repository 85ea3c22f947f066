import { globSync, readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** What the files of a provider outside of the repository may import, beside one another. */
const entries: Record<string, () => Promise<object>> = {
  "plugboard/provider-kit": () => import("../provider-kit/index.ts"),
  "plugboard/provider-kit/sandbox": () => import("../emulator-kit/index.ts"),
  "plugboard/provider-kit/sandbox/graphql": () => import("../emulator-kit/graphql.ts"),
};
/** Providers have no sockets, files or timers of their own: the engine makes their calls. */
const NODE_MODULES = ["node:crypto"];
const allowed = [...Object.keys(entries), ...NODE_MODULES];

const KIT = "plugboard.provider-kit";
/** The exports of each entry, where the modules below find them. */
const kit: Record<string, object> = {};
const modules = new Map<string, string>();
const folders = new Set<string>();

const folderOf = (url: string) => [...folders].find((folder) => url.startsWith(folder));

/**
 * A module with the exports of the running copy of the kit, whether that is bundled or not. Another copy would have
 * classes of its own, and an error of the kit would not be known as such.
 */
async function defineModule(entry: string): Promise<void> {
  const exports = await entries[entry]!();
  kit[entry] = exports;
  const source = [
    `const kit = globalThis[Symbol.for("${KIT}")]["${entry}"];`,
    ...Object.keys(exports).map((name) => `export const ${name} = kit.${name};`),
  ].join("\n");
  modules.set(entry, `data:text/javascript,${encodeURIComponent(source)}`);
}

/** From now on, modules of this folder import the kit, and nothing but the kit and one another. */
export async function provideKit(folder: string): Promise<void> {
  if (folders.size === 0) {
    Object.assign(globalThis, { [Symbol.for(KIT)]: kit });
    registerHooks({ resolve });
  }
  folders.add(`${pathToFileURL(folder).href}/`);
  // Only what is needed: the library for GraphQL is large.
  const sources = globSync("**/*.{ts,js}", { cwd: folder }).map((file) => readFileSync(join(folder, file), "utf8"));
  for (const entry of Object.keys(entries))
    if (!modules.has(entry) && sources.some((source) => source.includes(entry))) await defineModule(entry);
}

/** A file imports what it may not. The message starts with the file. */
export class RefusedImport extends Error {
  constructor(importing: string, specifier: string, reason: string) {
    super(`${fileURLToPath(importing)}: cannot import "${specifier}"${reason}`);
  }
}

const resolve: Parameters<typeof registerHooks>[0]["resolve"] = (specifier, context, nextResolve) => {
  const { parentURL = "" } = context;
  const importing = folderOf(parentURL);
  if (importing && !/^\.{0,2}\//.test(specifier)) {
    const url = modules.get(specifier);
    if (url) return { url, format: "module", shortCircuit: true };
    if (!NODE_MODULES.includes(specifier))
      throw new RefusedImport(parentURL, specifier, `: only ${allowed.join(", ")}, and files of its own folder`);
  }
  const found = nextResolve(specifier, context);
  const folder = folderOf(found.url);
  if (importing && folder !== importing && !NODE_MODULES.includes(specifier))
    throw new RefusedImport(parentURL, specifier, ", which is not in the provider's own folder");
  if (!folder || !/\.[jt]s$/.test(found.url)) return found;
  // Also below a package.json that says otherwise.
  return { ...found, format: found.url.endsWith(".ts") ? "module-typescript" : "module" };
};
