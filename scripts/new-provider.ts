// npm run new:provider -- <id> <category> [name]: creates a provider's folder with every file it needs, for a made-up API
// whose records have the fields that they need. It works as it is, and is then changed to the real API part by part.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TSchema } from "typebox";
import { categories } from "../src/categories/index.ts";
import type { Category } from "../src/contracts/operation.ts";
import { type FieldSchema, fieldType, madeUpValue, mappedField } from "./scaffold-fields.ts";

const SKIP_GEN = "--skip-gen";
const [id = "", categoryId = "", name = id] = process.argv.slice(2).filter((argument) => argument !== SKIP_GEN);
// The scaffold implements the category's first list; one without path parameters is the easiest to start with.
const firstList = ({ bound }: Category) =>
  bound.find(({ kind, parameters }) => kind === "list" && parameters.length === 0);
const category = categories.find((one) => one.id === categoryId);
const operation = category && firstList(category);
if (!/^[a-z][a-z0-9-]*$/.test(id) || !category || !operation) {
  console.error("usage: npm run new:provider -- <id> <category> [name] [--skip-gen]");
  console.error("  <id>        the folder name: lower-case letters, digits and hyphens");
  console.error(
    `  <category>  one of ${categories
      .filter(firstList)
      .map((one) => one.id)
      .join(", ")}`,
  );
  console.error("  --skip-gen  to create several: run npm run gen -- <ids> after the last");
  process.exit(2);
}
const folder = join(import.meta.dirname, "..", "src", "providers", id);
if (existsSync(folder)) {
  console.error(`src/providers/${id} already exists`);
  process.exit(1);
}

interface RecordSchema extends TSchema {
  title: string;
  properties: Record<string, FieldSchema>;
}

const { title: recordType, properties } = operation.record as RecordSchema;
const pascal = (text: string) => text.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
const itemType = pascal(id) + recordType;
const pageType = `${pascal(id)}Page`;
/** Both the path of the list and the name of its items in the body: `/tickets` and `tickets`. */
const items = operation.path.split("/").at(-1)!;

const fields = Object.entries(properties).map(([name, schema]) => ({
  name,
  type: fieldType(schema),
  mapped: mappedField(name, schema),
  madeUp: madeUpValue(name, schema, items),
}));
const timeHelpers = ["firstTime", "isoTime"].filter((helper) => fields.some(({ mapped }) => mapped.startsWith(helper)));
const dataHelpers = ["awkwardTexts", "hour"].filter((helper) => fields.some(({ madeUp }) => madeUp.includes(helper)));

const manifest = `import type { Manifest } from "../../contracts/manifest.ts";
import { get } from "../../provider-kit/request.ts";

export default {
  id: ${JSON.stringify(id)},
  name: ${JSON.stringify(name)},
  docs: "https://developers.example.com",
  addresses: { api: "https://api.example.com" },
  auth: { api_key: { label: "API key", help: "https://example.com/settings/keys" } },
  // A call that succeeds only with valid credentials.
  check: get("/me"),
} satisfies Manifest;
`;

const records = `import type { ${recordType} } from "../../categories/${category.id}.ts";
${timeHelpers.length > 0 ? `import { ${timeHelpers.join(", ")} } from "../../provider-kit/time.ts";\n` : ""}
// Only the fields that are read, named and typed as the provider sends them.
export interface ${itemType} {
${fields.map(({ name, type }) => `  ${name}: ${type};`).join("\n")}
}

export const to${recordType} = (item: ${itemType}): ${recordType} => ({
${fields.map(({ name, mapped }) => `  ${name}: ${mapped},`).join("\n")}
});
`;

const implementation = `import { ${category.id} } from "../../categories/${category.id}.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { implement, list } from "../../provider-kit/implement.ts";
import { get } from "../../provider-kit/request.ts";
import { type ${itemType}, to${recordType} } from "./records.ts";

interface ${pageType} {
  ${items}: ${itemType}[];
  next_cursor: string | null;
}

// An operation that is not named here is not supported: clients get 404/7002 for it. Writes are in writes.ts.
export default implement(${category.id}, {
  ${operation.name}: list({
    maxPageSize: 100,
    items: (body: ${pageType}) => body.${items},
    next: ({ body }: Answer<${pageType}>) => body.next_cursor,
    request: ({ limit, cursor }) => get("/${items}", {}, { limit, cursor }),
    record: to${recordType},
  }),
});
`;

/** The fields that a change on command sets, in the emulator. */
const madeUpId = fields.find((field) => field.name === "id")!.madeUp.replace("index + 1", "10_000 + nth");
const titleField = ["title", "subject", "name"].find((field) => field in properties)!;
const title = titleField === "title" ? "title" : `${titleField}: title`;
const hasTimes = "updated_at" in properties;
/** Any text, not only one of the made-up ones: a change sets others. */
const asText = (madeUp: string) =>
  madeUp.includes(" : ") ? madeUp.replace(/ : (.*)$/, " : ($1 as string)") : `${madeUp} as string`;

const sandbox = `import { changeableList } from "../../../emulator-kit/changes.ts";
import { collection, cut, wholeNumber } from "../../../emulator-kit/collection.ts";
import { ${[...dataHelpers, "times"].join(", ")} } from "../../../emulator-kit/data.ts";
import { emulate, reply } from "../../../emulator-kit/emulator.ts";

const item = (index: number) => ({
${fields.map(({ name, madeUp }) => `  ${name}: ${name === titleField ? asText(madeUp) : madeUp},`).join("\n")}
});
type Item = ReturnType<typeof item>;

const failure = (status: number) => reply(status, { error: \`status \${status}\` });

const ${items} = collection({
  items: (all: Item[]) => all,
  notFound: () => failure(404),
  page(found, { query }) {
    const size = wholeNumber(query.get("limit"), { fallback: 20, max: 100 }, () => failure(400));
    const page = cut(found, Number(query.get("cursor") ?? 0), size);
    return reply(200, { ${items}: page.items, next_cursor: page.next === undefined ? null : String(page.next) });
  },
});

export default emulate({
  // More than 250 records, so that a walk has several pages.
  state: () => times(260, item),
  changes: {
    "${operation.id}": changeableList({
      items: (all: Item[]) => all,
      id: ({ id }) => id,
      update: ({ title${hasTimes ? ", time" : ""} }) => ({ ${title}${hasTimes ? ", updated_at: time" : ""} }),
      create: ({ nth${hasTimes ? ", time" : ""} }) => ({ id: ${madeUpId}${hasTimes ? ", created_at: time" : ""} }),
    }),
  },
  failure,
  routes: {
    "GET /me": () => reply(200, { id: "me" }),
    "GET /${items}": ${items}.list,
    "GET /${items}/:id": ${items}.get,
  },
});
`;

const evidence = `import type { Evidence } from "../../contracts/evidence.ts";

// What the requests and the emulator are verified against: see docs/contract-suite.md.
export default { descriptions: [] } satisfies Evidence;
`;

mkdirSync(join(folder, "sandbox"), { recursive: true });
const files = {
  "manifest.ts": manifest,
  "records.ts": records,
  [`${category.id}.ts`]: implementation,
  "sandbox/index.ts": sandbox,
  "evidence.ts": evidence,
};
for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
if (!process.argv.includes(SKIP_GEN))
  execFileSync(process.execPath, [join(import.meta.dirname, "gen.ts"), id], { stdio: "inherit" });
console.log(`created src/providers/${id}: ${Object.keys(files).join(", ")}`);
console.log(
  "It works for a made-up API. Change it to the real one, as docs/adding-a-provider.md describes; these two must",
);
console.log("keep passing, and name the field of a record that is missing or wrong:");
console.log("  npx tsc --noEmit");
console.log(`  npx vitest run test/conformance -t ${id}`);
console.log("After adding a file such as identity.ts, or a field that had no value before:");
console.log(`  npm run gen -- ${id}`);
