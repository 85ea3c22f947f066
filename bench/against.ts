// npm run bench:against -- [--folder FOLDER] [--with NAME=VALUE …] [--surface Unified] [--size 300kB] [--rounds 48]: the
// CPU time of a call and the memory, compared with another checkout, or with other variables in the environment.
import { parseArgs } from "node:util";
import { type Size, sizes } from "./bodies.ts";
import { compareVariants } from "./variants.ts";

const { values } = parseArgs({
  options: {
    folder: { type: "string" },
    with: { type: "string", multiple: true, default: [] },
    surface: { type: "string" },
    size: { type: "string", default: "1kB" },
    rounds: { type: "string", default: "48" },
  },
});
const { folder, surface, size, rounds, with: variables } = values;
if (!folder && variables.length === 0) throw new Error("give --folder or --with NAME=VALUE");
if (!(sizes as readonly string[]).includes(size)) throw new Error(`--size must be one of ${sizes.join(", ")}`);

const env = Object.fromEntries(variables.map((text) => text.split(/=(.*)/s, 2)));
const other = [folder, ...variables].filter(Boolean).join(", ");
await compareVariants([{ name: "this" }, { name: other, env, folder }], {
  surfaces: (["Unified", "Proxy"] as const).filter((name) => !surface || name === surface),
  size: size as Size,
  instances: 6,
  rounds: Number(rounds),
  // Large bodies need less of Plugboard's own code, and take long.
  calls: size === "1kB" ? 50_000 : 5_000,
});
process.exit();
