import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "../../..");
export type KubernetesObject = Record<string, any>;

/** Where each API's types are. */
const MODULES: Record<string, string> = {
  v1: "core/v1",
  "apps/v1": "apps/v1",
  "policy/v1": "policy/v1",
  "networking.k8s.io/v1": "networking/v1",
};

/** What the compiler says about objects that are written out as literals: then it refuses unknown fields as well. */
export function typeErrors(checked: KubernetesObject[]): string {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-kubernetes-"));
  try {
    const lines = checked.map((object, index) => {
      const { apiVersion, kind } = object;
      const type = `import("kubernetes-types/${MODULES[apiVersion]}").${kind}`;
      return `export const object${index}: Required<Pick<${type}, "apiVersion" | "kind" | "metadata">> & ${type} = ${JSON.stringify(object)};`;
    });
    writeFileSync(join(folder, "objects.ts"), lines.join("\n"));
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: { strict: true, noEmit: true, module: "preserve", moduleResolution: "bundler", types: [] },
        include: ["objects.ts"],
      }),
    );
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    return spawnSync(process.execPath, [tsc, "-p", folder, "--checkers", "1"], { cwd: folder, encoding: "utf8" })
      .stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
