import { join } from "node:path";
import { isBuiltIn } from "../registry.ts";
import { javascript, typescript } from "./scaffold/language.ts";
import { scaffoldCategories } from "./scaffold/plan.ts";
import { surroundingFiles } from "./scaffold/surroundings.ts";
import { writeMissing, writeProvider } from "./scaffold/write.ts";
import { readArgs, UsageError } from "./usage.ts";

/** Creates a provider in a folder of its own, which is not part of Plugboard's repository. */
export async function run(args: string[]): Promise<void> {
  const { values, positionals } = readArgs({
    args,
    allowPositionals: true,
    options: { dir: { type: "string" }, js: { type: "boolean" } },
  });
  const [id, category, name = id, ...others] = positionals;
  if (!id || !category || !name || others.length > 0)
    throw new UsageError(`new-provider needs <id> <category> "<Name>"; categories: ${scaffoldCategories().join(", ")}`);
  const directory = values.dir ?? process.env.PROVIDERS_DIR;
  if (!directory) throw new UsageError("new-provider needs --dir FOLDER, or PROVIDERS_DIR");
  if (isBuiltIn(id)) throw new UsageError(`there is already a provider "${id}": choose another id`);
  const files = writeProvider({
    id,
    category,
    name,
    directory,
    language: values.js ? javascript : typescript,
    kit: { provider: "plugboard/provider-kit", sandbox: "plugboard/provider-kit/sandbox" },
  });
  const around = writeMissing(directory, surroundingFiles(directory));
  const folder = join(directory, id);
  console.log(`created ${folder}: ${files.join(", ")}`);
  if (around.length > 0) console.log(`and in ${directory}: ${around.join(", ")}`);
  console.log(`
It works for a made-up API. Change it to the real one, part by part, as AGENTS.md describes. This has to keep passing,
and names the field of a record that is missing or wrong:
  npx plugboard test-provider ${folder}
To serve it:
  PROVIDERS_DIR=${directory} npx plugboard start
For types in the editor, and npm run check:
  cd ${directory} && npm install`);
}
