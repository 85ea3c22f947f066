// The text of docs/coverage.md: which operations each provider has, and what it was verified against.
import { categories } from "../src/categories/index.ts";
import type { Evidence } from "../src/contracts/evidence.ts";
import { authTypes } from "../src/contracts/manifest.ts";
import type { BoundOperation } from "../src/contracts/operation.ts";
import type { ListImplementation, Provider } from "../src/contracts/provider.ts";
import { table, templatePath } from "./markdown.ts";
import { mcpSupport } from "./provider-pages.ts";

/** The part of a record's JSON schema that names its fields. */
interface RecordSchema {
  properties?: Record<string, RecordSchema>;
  items?: RecordSchema;
}

function verifiedAgainst(evidence: Evidence | undefined): string {
  const descriptions = evidence?.descriptions.map(({ file, parts = [], deviations = [], byHand }) => {
    const files = [file, ...parts].map((name) => `\`${name}\``).join(" + ");
    const notes = [
      ...(deviations.length > 0 ? [`${deviations.length} listed deviation${deviations.length === 1 ? "" : "s"}`] : []),
      ...(byHand ? ["checked by hand, not in CI"] : []),
    ];
    return `${files}${notes.length > 0 ? ` (${notes.join("; ")})` : ""}`;
  });
  const others = evidence?.others?.map(({ source, what }) => `${source} (${what})`);
  return [...(descriptions ?? []), ...(others ?? [])].join(", ") || "not checked against an official description";
}

/** Names of a record's fields, with those of its objects: `author`, `author.id`, `author.name`. */
function fieldNames({ properties = {}, items }: RecordSchema): string[] {
  if (items) return fieldNames(items);
  return Object.entries(properties).flatMap(([name, schema]) => [
    name,
    ...fieldNames(schema).map((inner) => `${name}.${inner}`),
  ]);
}

/** Whether a field ever has a value. `custom` has some where accounts can add fields of their own. */
function hasField({ fields = {}, categories }: Provider, { id, category, recordName }: BoundOperation, field: string) {
  if (field !== "custom") return fields[id]!.includes(field);
  const { customFields = {} } = categories.find((one) => one.category === category)!;
  return recordName!.slice(category.length + 1) in customFields;
}

/** Which provider ever fills which field of an operation's records. */
function fieldTable(operation: BoundOperation, serving: Provider[]): string[] {
  const { id, kind, method, route, record } = operation;
  const known = serving.filter(({ fields = {} }) => fields[id] !== undefined);
  if ((kind !== "list" && kind !== "one") || known.length === 0) return [];
  const rows = fieldNames(record).map((field) => [
    `\`${field}\``,
    ...known.map((provider) => (hasField(provider, operation, field) ? "yes" : "–")),
  ]);
  return [
    `### Fields of ${method} \`${templatePath(route)}\``,
    table(["Field", ...known.map(({ manifest }) => manifest.name)], rows),
  ];
}

/** Who applies which filter of a list. */
function filterTable({ name, category, method, route, filters = {} }: BoundOperation, all: Provider[]): string[] {
  const names = Object.keys(filters);
  if (!names.some((filter) => filter !== "updated_since")) return [];
  const serving = all.flatMap(({ manifest, categories }) => {
    const implemented = categories.find((one) => one.category === category)?.operations[name];
    return implemented ? [{ title: manifest.name, passedOn: (implemented as ListImplementation).filters }] : [];
  });
  const rows = names.map((filter) => [
    `\`${filter}\``,
    ...serving.map(({ passedOn }) =>
      passedOn?.includes(filter) ? "provider" : filters[filter]!.matches ? "yes" : "–",
    ),
  ]);
  return [
    `### Filters of ${method} \`${templatePath(route)}\``,
    table(["Filter", ...serving.map(({ title }) => title)], rows),
  ];
}

export function coverage(providers: readonly Provider[], evidence: Record<string, Evidence>): string {
  const sections = categories.flatMap((category) => {
    const serving = providers.filter((provider) => provider.categories.some((one) => one.category === category.id));
    if (serving.length === 0) return [];
    const has = (provider: Provider, operation: string) =>
      provider.categories.some((one) => one.category === category.id && one.operations[operation] !== undefined);
    const rows = serving.map((provider) => [
      provider.manifest.name,
      ...category.bound.map(({ name }) => (has(provider, name) ? "yes" : "–")),
    ]);
    const head = ["Provider", ...category.bound.map(({ method, route }) => `${method} \`${templatePath(route)}\``)];
    return [
      `## ${category.title}`,
      table(head, rows),
      ...category.bound.flatMap((one) => [...filterTable(one, serving), ...fieldTable(one, serving)]),
    ];
  });
  const verification = providers.map(({ manifest }) => [
    `[${manifest.name}](${manifest.docs})`,
    `\`${manifest.id}\``,
    authTypes(manifest)
      .map((type) => `\`${type}\``)
      .join(", "),
    mcpSupport(manifest),
    verifiedAgainst(evidence[manifest.id]),
  ]);
  return `# Coverage

Generated by \`npm run gen\`. Every "yes" is tested by the conformance suite (\`npx vitest run test/conformance\`): records match their schema, every page size gives the same records, provider errors are passed on unchanged, retries are counted, and tokens are refreshed. An operation marked "–" answers 404 with code 7002. Providers without operations, for the Proxy, are in [catalogue.md](catalogue.md).

The tables of filters show who applies a filter: "provider" if it is passed on, which takes fewer calls, "yes" if Plugboard filters the provider's records, with the same result. A search marked "–" answers 400 with code 7001.

The tables of fields show which fields of a record ever have a value in the sandbox, whose data follows what the provider really returns; \`custom\` is marked where accounts can add [fields of their own](custom-fields.md). A field marked "–" is always null, or an empty list. \`npm run gen -- --fields\` writes them; \`GET /platform/v1/providers\` has the same as \`fields\`.

${sections.join("\n\n")}

## What each provider was verified against

The requests that Plugboard sends and the responses of the emulated provider are checked against what the provider itself publishes: see [contract-suite.md](contract-suite.md).

${table(["Provider", "Identifier", "Auth types", "MCP server", "Verified against"], verification)}
`;
}
