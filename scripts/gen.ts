// npm run gen [-- <provider> …]: writes the files that are generated from the provider folders, the table of operations
// and the Platform API. Which fields of the named providers' records ever have a value is found out again, with
// `--fields` for all providers. `--check` writes nothing, and fails if a file is stale.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { categories, operations } from "../src/categories/index.ts";
import type { Emulator } from "../src/contracts/emulator.ts";
import { readCatalogue } from "../src/provider-document/catalogue.ts";
import { withAccessTables } from "./access-tables.ts";
import { cataloguePage } from "./catalogue-page.ts";
import { coverage } from "./coverage.ts";
import { emojiNames } from "./emoji-names.ts";
import { providerIndex, providerPage } from "./provider-pages.ts";
import { formatPython } from "./python-format.ts";
import { eventTypes } from "./sdk/events.ts";
import { methodsPage, typescript } from "./sdk/methods-page.ts";
import { platformMethods } from "./sdk/platform.ts";
import { platformDocument } from "./sdk/platform-document.ts";
import { python, pythonSdk } from "./sdk/python/index.ts";
import { unifiedMethods } from "./sdk/unified.ts";

const root = join(import.meta.dirname, "..");
const folder = join(root, "src", "providers");
const check = process.argv.includes("--check");
const named = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));

const has = (id: string, file: string) => existsSync(join(folder, id, `${file}.ts`));
const REQUIRED = ["manifest", "sandbox/index", "evidence"];
const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
const missing = folders.flatMap(({ name }) =>
  REQUIRED.filter((file) => !has(name, file)).map((file) => ({ name, file })),
);
for (const { name, file } of missing) console.error(`src/providers/${name} has no ${file}.ts: provider skipped`);
const ids = folders
  .map(({ name }) => name)
  .filter((id) => !missing.some(({ name }) => name === id))
  .sort();
const camel = (id: string) => id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
const HEADER = "// Written by `npm run gen` from the folders beside this file. Do not edit.\n";

function registry(): string {
  const imports: string[] = [];
  const entries: string[] = [];
  for (const id of ids) {
    const served = categories.map((category) => category.id).filter((category) => has(id, category));
    // With a suffix: `acme-git` must not be named like the category `git` of `acme`.
    const manifest = camel(`${id}-manifest`);
    imports.push(`import ${manifest} from "./${id}/manifest.ts";`);
    for (const category of served) imports.push(`import ${camel(`${id}-${category}`)} from "./${id}/${category}.ts";`);
    entries.push(
      `  { manifest: ${manifest}, categories: [${served.map((category) => camel(`${id}-${category}`)).join(", ")}], fields: filledFields["${id}"] ?? {} },`,
    );
  }
  return `${HEADER}import type { Provider } from "../contracts/provider.ts";
import { filledFields } from "./fields.gen.ts";
${imports.join("\n")}

export const providers: readonly Provider[] = [
${entries.join("\n")}
];
`;
}

async function sandboxes(): Promise<string> {
  const entries = await Promise.all(
    ids.map(async (id) => {
      const { settings } = (await import(join(folder, id, "sandbox/index.ts"))).default as Emulator;
      const known = settings ? `settings: ${JSON.stringify(settings)}, ` : "";
      return `  "${id}": { ${known}load: async () => (await import("./${id}/sandbox/index.ts")).default },`;
    }),
  );
  return `${HEADER}import type { LazyEmulator } from "../contracts/emulator.ts";

export const emulators: Readonly<Record<string, LazyEmulator>> = {
${entries.join("\n")}
};
`;
}

function evidence(): string {
  const described = ids.filter((id) => has(id, "evidence"));
  return `${HEADER}import type { Evidence } from "../contracts/evidence.ts";

/** What each provider is verified against; used by the contract suite and the docs. */
export const loadEvidence = async (): Promise<Record<string, Evidence>> => ({
${described.map((id) => `  "${id}": (await import("./${id}/evidence.ts")).default,`).join("\n")}
});
`;
}

let stale = missing.length > 0;
function write(path: string, text: string) {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  stale = true;
  if (check) return console.error(`${path} is out of date: run npm run gen`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(`wrote ${path}`);
}

/** Deletes generated pages of providers that no longer exist. */
function removeOthers(directory: string, kept: string[]) {
  const others = readdirSync(join(root, directory)).filter((file) => !kept.includes(file));
  for (const file of others) {
    stale = true;
    if (check) console.error(`${directory}/${file} belongs to no provider: run npm run gen`);
    else {
      rmSync(join(root, directory, file));
      console.log(`removed ${directory}/${file}`);
    }
  }
}

write("src/provider-kit/text/emoji-names.txt", emojiNames());
write("src/providers/registry.gen.ts", registry());
write("src/providers/sandboxes.gen.ts", await sandboxes());
write("src/providers/evidence.gen.ts", evidence());
if (!check && (named.length > 0 || process.argv.includes("--fields")))
  execFileSync(process.execPath, [join(import.meta.dirname, "fields.ts"), ...named], { stdio: "inherit" });
// Imported only now: the rest is generated from the registry and the fields that were just written.
const { providers } = await import("../src/providers/registry.gen.ts");
const { loadEvidence } = await import("../src/providers/evidence.gen.ts");
write("docs/coverage.md", coverage(providers, await loadEvidence()));
write("docs/catalogue.md", cataloguePage(readCatalogue()));
write("docs/providers/README.md", providerIndex(providers));
for (const provider of providers) write(`docs/providers/${provider.manifest.id}.md`, providerPage(provider));
removeOthers("docs/providers", ["README.md", ...providers.map(({ manifest }) => `${manifest.id}.md`)]);
write("sdk/src/events.gen.ts", eventTypes(operations));
write("sdk/src/unified.gen.ts", unifiedMethods(operations));
const platform = await platformDocument();
write("sdk/src/platform.gen.ts", platformMethods(platform));
write("sdk/METHODS.md", methodsPage(operations, platform, typescript));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
for (const [file, code] of Object.entries(pythonSdk(operations, platform, version))) write(file, formatPython(code));
write("sdk-python/METHODS.md", methodsPage(operations, platform, python));
const accessPage = readFileSync(join(root, "docs/access.md"), "utf8");
write("docs/access.md", withAccessTables(accessPage, operations, platform));
if (check && stale) process.exit(1);
