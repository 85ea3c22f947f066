// npm run new:provider -- <id> <category> [name]: a provider's folder with every file it needs, ready to fill in.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { categories } from "../src/categories/index.ts";

const [id = "", categoryId = "", name = id] = process.argv.slice(2);
const category = categories.find((one) => one.id === categoryId);
if (!/^[a-z][a-z0-9-]*$/.test(id) || !category) {
  console.error("usage: npm run new:provider -- <id> <category> [name]");
  console.error("  <id>        the folder's name: lower-case letters, digits and hyphens");
  console.error(`  <category>  one of ${categories.map((one) => one.id).join(", ")}`);
  process.exit(2);
}
const folder = join(import.meta.dirname, "..", "src", "providers", id);
if (existsSync(folder)) {
  console.error(`src/providers/${id} is already there`);
  process.exit(1);
}

const manifest = `import { get } from "../../contracts/http.ts";
import type { Manifest } from "../../contracts/manifest.ts";

export default {
  id: "${id}",
  name: "${name}",
  docs: "https://developers.example.com",
  addresses: { api: "https://api.example.com" },
  auth: { api_key: { label: "API key", help: "https://example.com/settings/keys" } },
  // A call that answers well if and only if the key is good.
  check: get("/me"),
} satisfies Manifest;
`;

const lists = category.bound.filter((operation) => operation.kind === "list");
const implementation = `import { ${category.id} } from "../../contracts/${category.id}.ts";
import { get } from "../../contracts/http.ts";
import { implement } from "../../contracts/provider.ts";

// An operation that is not named here is not supported: clients get 404/7002 for it.
export default implement(${category.id}, {
  ${lists[0]!.name}: {
    page: 100,
    request: ({ limit, cursor }) => get("/items", {}, { limit, cursor }),
    items: (body) => body.items,
    next: ({ body }) => body.next_cursor,
    record: (item) => ({ ...item }),
  },
});
`;

const sandbox = `import { awkwardTexts, emulate, reply, times } from "../../contracts/emulator.ts";

export default emulate({
  // Over 250 records, so that a walk has pages, with the awkward cases among them.
  state: () => ({ items: times(260, (index) => ({ id: String(index), name: awkwardTexts[index % awkwardTexts.length] })) }),
  failure: (status) => reply(status, { error: \`status \${status}\` }),
  routes: {
    "GET /me": () => reply(200, { id: "me" }),
    "GET /items": ({ query }, { items }) => {
      const start = Number(query.get("cursor") ?? 0);
      const limit = Math.min(Number(query.get("limit") ?? 20), 100);
      const end = start + limit;
      return reply(200, { items: items.slice(start, end), next_cursor: end < items.length ? String(end) : null });
    },
  },
});
`;

const evidence = `import type { Evidence } from "../../contracts/evidence.ts";

// What the requests and the emulator are held against: see docs/contract-suite.md.
export default { descriptions: [] } satisfies Evidence;
`;

mkdirSync(folder);
const files = {
  "manifest.ts": manifest,
  [`${category.id}.ts`]: implementation,
  "sandbox.ts": sandbox,
  "evidence.ts": evidence,
};
for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
await import("./gen.ts");
console.log(`made src/providers/${id}: ${Object.keys(files).join(", ")}`);
console.log(`next: docs/adding-a-provider.md; then npx vitest run test/conformance -t ${id}`);
