// node scripts/release/stage.ts FOLDER: makes the npm package `plugboard` in a folder. Node refuses TypeScript in
// node_modules, so the package has a bundle in place of the sources. The image has the same files.
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { writeBundle } from "../../bin/bundle.js";
import { licenseTexts } from "./licenses.ts";
import { run } from "./run.ts";
import { makeSbom } from "./sbom.ts";

const root = join(import.meta.dirname, "../..");
/** The modules that other packages import, by their names in the bundle. */
const KIT = {
  "provider-kit": "src/provider-kit/index.ts",
  "provider-kit/sandbox": "src/emulator-kit/index.ts",
  "provider-kit/sandbox/graphql": "src/emulator-kit/graphql.ts",
};
const fileOf = (entry: string) => `kit-${entry.replaceAll("/", "-")}`;
/** What `new-provider` writes into the package.json of a folder of providers: these, and what the kit's types need. */
const FOR_PROVIDERS = ["@types/node", "typescript", "vitest"];
const TYPE_PACKAGES = ["entities", "graphql", "htmlparser2", "marked", "typebox"];

type Versions = Record<string, string>;
type Copied = "name" | "version" | "description" | "license" | "type" | "engines" | "bin";
type Manifest = Record<Copied, unknown> & { dependencies: Versions; devDependencies: Versions };

/** The published package.json. */
function packageManifest(manifest: Manifest): object {
  const { name, version, description, license, type, engines, bin, dependencies, devDependencies } = manifest;
  const pick = (from: Versions, names: string[]) => Object.fromEntries(names.map((wanted) => [wanted, from[wanted]!]));
  const exports = Object.fromEntries(
    Object.entries(KIT).map(([entry, source]) => [
      `./${entry}`,
      {
        types: `./${source.replace(/^src/, "types").replace(/\.ts$/, ".d.ts")}`,
        default: `./dist/${fileOf(entry)}.js`,
      },
    ]),
  );
  return {
    name,
    version,
    description,
    keywords: ["integrations", "unified api", "proxy", "oauth", "mcp", "self-hosted"],
    license,
    type,
    engines,
    bin,
    exports: { ...exports, "./package.json": "./package.json" },
    // npm installs none of them with Plugboard. As peers, even optional ones, they would refuse projects with others.
    devDependencies: { ...pick(devDependencies, FOR_PROVIDERS), ...pick(dependencies, TYPE_PACKAGES) },
  };
}

/** Makes the package in a folder. The SBOM in it has this time. */
async function stagePackage(folder: string, time: Date): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const copy = (file: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file), { recursive: true });
  };
  for (const file of [...globSync("bin/*.js", { cwd: root }), "docs", "CHANGELOG.md", "LICENSE", "README.md"])
    copy(file);
  // Modules find these at the addresses that they have in the sources.
  for (const file of globSync("src/**/*.{css,d.ts,js,json,md,svg,txt}", { cwd: root })) copy(file);
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  write("package.json", `${JSON.stringify(packageManifest(manifest), null, 2)}\n`);
  write("sbom.cdx.json", makeSbom(root, time));
  write("THIRD-PARTY-LICENSES.txt", licenseTexts(root));
  writeTypes(join(folder, "types"));
  const kit = Object.fromEntries(Object.entries(KIT).map(([entry, source]) => [fileOf(entry), source]));
  const input = { main: "src/main.ts", ...kit };
  await writeBundle(rolldown, { input, folder: join(folder, "dist"), base: folder, sourcemap: false });
}

/** The types of the kit, for editors. */
function writeTypes(folder: string): void {
  const config = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rewriteRelativeImportExtensions: true,
      rootDir: join(root, "src"),
      outDir: folder,
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
    },
    include: [],
    files: Object.values(KIT).map((source) => join(root, source)),
  };
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "tsconfig.json");
  writeFileSync(file, JSON.stringify(config));
  run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", file, "--checkers", "1"], root);
  rmSync(file);
}

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("stage.ts needs the folder in which it makes the package");
const seconds = Number(process.env.SOURCE_DATE_EPOCH ?? 0);
await stagePackage(resolve(folder), new Date(seconds * 1000));
