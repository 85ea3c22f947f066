// npm run new:provider -- <id> <category> [name]: creates a provider's folder with every file it needs, for a made-up API
// whose records have the fields that they need. It works as it is, and is then changed to the real API part by part.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { typescript } from "../src/commands/scaffold/language.ts";
import { scaffoldCategories } from "../src/commands/scaffold/plan.ts";
import { writeProvider } from "../src/commands/scaffold/write.ts";
import { UsageError } from "../src/commands/usage.ts";

const SKIP_GEN = "--skip-gen";
const [id = "", category = "", name = id] = process.argv.slice(2).filter((argument) => argument !== SKIP_GEN);
try {
  const files = writeProvider({
    id,
    category,
    name,
    directory: join(import.meta.dirname, "..", "src", "providers"),
    language: typescript,
    kit: { provider: "../../provider-kit/index.ts", sandbox: "../../../emulator-kit/index.ts" },
  });
  if (!process.argv.includes(SKIP_GEN))
    execFileSync(process.execPath, [join(import.meta.dirname, "gen.ts"), id], { stdio: "inherit" });
  console.log(`created src/providers/${id}: ${files.join(", ")}`);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  console.error("usage: npm run new:provider -- <id> <category> [name] [--skip-gen]");
  console.error("  <id>        the folder name: lower-case letters, digits and hyphens");
  console.error(`  <category>  one of ${scaffoldCategories().join(", ")}`);
  console.error("  --skip-gen  to create several: run npm run gen -- <ids> after the last");
  process.exit(2);
}
console.log(`It works for a made-up API. Change it to the real one, as docs/adding-a-provider.md describes; these two must
keep passing, and name the field of a record that is missing or wrong:
  npx tsc --noEmit
  npx vitest run test/conformance -t ${id}
After adding a file for a category, or a field that had no value before:
  npm run gen -- ${id}`);
