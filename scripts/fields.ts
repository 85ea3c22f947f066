// node scripts/fields.ts [<provider> …], as `npm run gen -- <provider>` runs it: walks every list and reads every single record of the sandbox, and writes which
// fields ever have a value to src/providers/fields.gen.ts. The conformance suite fails if that is out of date.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { operations } from "../src/categories/index.ts";
import { filledFields as known } from "../src/providers/fields.gen.ts";
import { providers } from "../src/providers/registry.gen.ts";
import { createClient } from "../test/conformance/client.ts";
import { startService } from "../test/support/service.ts";
import { filledFields } from "./filled-fields.ts";

const wanted = process.argv.slice(2);
const service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60", LOG_LEVEL: "fatal" } });
const all: Record<string, Record<string, readonly string[]>> = {};
for (const provider of providers) {
  const { id } = provider.manifest;
  if (wanted.length > 0 && !wanted.includes(id)) {
    if (known[id]) all[id] = known[id];
    continue;
  }
  const client = createClient(service, provider);
  const own: Record<string, string[]> = {};
  for (const operation of operations) {
    const { category, name, kind } = operation;
    const implemented = provider.categories.find((one) => one.category === category)?.operations[name];
    if (!implemented || (kind !== "list" && kind !== "one")) continue;
    const pathParams = await client.sampleParams(operation, operations);
    const records =
      kind === "list"
        ? await client.walk(operation, pathParams, [100])
        : [(await client.call(operation, pathParams)).body.response.data];
    own[operation.id] = filledFields(records);
  }
  all[id] = own;
}
await service.close();
writeFileSync(
  join(import.meta.dirname, "..", "src", "providers", "fields.gen.ts"),
  `// Written by \`npm run gen -- --fields\` from what the sandbox returns. Do not edit.

/** The fields that ever have a value in the sandbox, by provider and operation. */
export const filledFields: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = ${JSON.stringify(all, null, 2).replace(/\[\n\s+([^\]]*?)\n\s+\]/g, (_, list: string) => `[${list.replace(/\n\s+/g, " ")}]`)};
`,
);
console.log("wrote src/providers/fields.gen.ts");
