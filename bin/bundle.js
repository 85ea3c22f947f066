// All modules in a few files: loading 1,500 small ones takes longer than everything else at a start. In a checkout, a
// bundle is used only as long as every source file is as it was, so that a change of the source needs no build. Stack
// traces have the names of functions; with `NODE_OPTIONS=--enable-source-maps` also the lines of the sources, for 12 MB
// of memory. The npm package has a bundle, and no sources.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const released = join(root, "dist", "main.js");
const folder = join(root, "node_modules", ".cache", "plugboard", "bundle");
const stamp = join(folder, "sources.txt");

/** The source files with their sizes and times, in whole seconds because archives keep no more. */
function listSources() {
  const files = readdirSync(`${root}src`, { recursive: true })
    .filter((file) => /\.\w+$/.test(file) && !file.endsWith(".test.ts"))
    .map((file) => `src/${file}`);
  return ["package.json", ...files]
    .map((file) => {
      const { size, mtimeMs } = statSync(root + file);
      return `${file} ${size} ${Math.floor(mtimeMs / 1000)}\n`;
    })
    .sort()
    .join("");
}

/** The bundle's entry: that of the package, or one that was made of the present sources. */
export function findBundle() {
  if (existsSync(released)) return released;
  return existsSync(stamp) && readFileSync(stamp, "utf8") === listSources() ? join(folder, "main.js") : undefined;
}

/** Makes the bundle, unless the bundler is not installed: then Plugboard runs from its sources. */
export async function makeBundle() {
  if (existsSync(released)) return;
  const { rolldown } = await import("rolldown").catch(() => ({}));
  if (!rolldown) return;
  const sources = listSources();
  await writeBundle(rolldown, { input: { main: "src/main.ts" }, folder, base: root, sourcemap: true });
  // Otherwise Node would have to look into each file for what kind of module it is.
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }\n');
  writeFileSync(stamp, sources);
}

/**
 * Bundles the entries, which are relative to the checkout. `base` is the folder in which `src` will have the files that
 * modules read.
 */
export async function writeBundle(rolldown, { input, folder, base, sourcemap }) {
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(input).map(([name, file]) => [name, join(root, file)])),
    platform: "node",
    // pg looks for it and goes on without it.
    external: ["pg-native"],
    plugins: [{ name: "own-address", transform: (code, id) => keepOwnAddress(code, id, { folder, base }) }],
  });
  await bundle.write({
    dir: folder,
    cleanDir: true,
    sourcemap,
    chunkFileNames: "[name].js",
    comments: false,
    plugins: [{ name: "latin-only", generateBundle: escapeCharacters }],
  });
  await bundle.close();
}

/** Modules find the files beside them by their own address, which has to stay that of the source. */
function keepOwnAddress(code, id, { folder, base }) {
  if (!id.startsWith(join(root, "src")) || !code.includes("import.meta.")) return null;
  const fromBundle = relative(folder, join(base, relative(root, id)));
  const own = {
    url: `new URL(${JSON.stringify(fromBundle)}, import.meta.url).href`,
    dirname: `(import.meta.dirname + ${JSON.stringify(`/${dirname(fromBundle)}`)})`,
  };
  return { code: code.replace(/\bimport\.meta\.(url|dirname)\b/g, (_, name) => own[name]), map: null };
}

/** A single character beyond Latin-1 makes V8 keep all of a file with two bytes for each character: 5 MB in all. */
function escapeCharacters(_, files) {
  for (const file of Object.values(files))
    if (file.type === "chunk")
      file.code = file.code.replace(
        /[^\0-\xff]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
}
