// What a folder of providers needs besides them: instructions for coding assistants, and what an editor needs for types.
import { readFileSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/** By file name. */
export function surroundingFiles(directory: string): Record<string, string> {
  const { version, devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const isInstalled = root.split(sep).includes("node_modules");
  const own = isInstalled ? `^${version}` : `file:${relative(resolve(directory), root).split(sep).join("/")}`;
  const { typescript, vitest, "@types/node": nodeTypes } = devDependencies;
  // The npm package names there what its types need, and nothing else; a checkout has that anyway.
  const needed = isInstalled ? devDependencies : { "@types/node": nodeTypes, typescript, vitest };
  return {
    "AGENTS.md": readFileSync(new URL("./provider-folder-agents.md", import.meta.url), "utf8"),
    "package.json": json({
      name:
        basename(resolve(directory))
          .toLowerCase()
          .replace(/[^a-z0-9-]+/g, "-") || "providers",
      private: true,
      type: "module",
      scripts: { check: "tsc" },
      devDependencies: { ...needed, plugboard: own },
    }),
    "tsconfig.json": json({
      compilerOptions: {
        target: "esnext",
        module: "nodenext",
        lib: ["esnext"],
        types: ["node"],
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        erasableSyntaxOnly: true,
        verbatimModuleSyntax: true,
        allowImportingTsExtensions: true,
        resolveJsonModule: true,
        allowJs: true,
        checkJs: true,
      },
      include: ["*/**/*.ts", "*/**/*.js"],
      exclude: ["node_modules"],
    }),
  };
}
