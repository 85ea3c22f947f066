// Writes docs/coverage.md: what every provider serves, and what that was held against.
import { categories } from "../src/categories/index.ts";
import type { Evidence } from "../src/contracts/evidence.ts";
import { authTypes } from "../src/contracts/manifest.ts";
import type { Provider } from "../src/contracts/provider.ts";

const row = (cells: string[]) => `| ${cells.join(" | ")} |`;
const table = (head: string[], rows: string[][]) => [row(head), row(head.map(() => "-")), ...rows.map(row)].join("\n");

function heldAgainst(evidence: Evidence | undefined): string {
  const descriptions = evidence?.descriptions.map(({ file, parts = [], deviations = [], byHand }) => {
    const files = [file, ...parts].map((name) => `\`${name}\``).join(" + ");
    const notes = [
      ...(deviations.length > 0 ? [`${deviations.length} listed deviations`] : []),
      ...(byHand ? ["by hand, not in CI"] : []),
    ];
    return `${files}${notes.length > 0 ? ` (${notes.join("; ")})` : ""}`;
  });
  const others = evidence?.others?.map(({ source, what }) => `${source} (${what})`);
  return [...(descriptions ?? []), ...(others ?? [])].join(", ") || "not checked against an official description";
}

export function coverage(providers: readonly Provider[], evidence: Record<string, Evidence>): string {
  const sections = categories.map((category) => {
    const serving = providers.filter((provider) => provider.categories.some((one) => one.category === category.id));
    const has = (provider: Provider, operation: string) =>
      provider.categories.some((one) => one.category === category.id && one.operations[operation] !== undefined);
    const rows = serving.map((provider) => [
      provider.manifest.name,
      ...category.bound.map(({ name }) => (has(provider, name) ? "yes" : "–")),
    ]);
    const head = [
      "Provider",
      ...category.bound.map(({ method, route }) => `${method} \`${route.replace(/:(\w+)/g, "{$1}")}\``),
    ];
    return `## ${category.title}\n\n${table(head, rows)}`;
  });
  const held = providers.map(({ manifest }) => [
    `[${manifest.name}](${manifest.docs})`,
    `\`${manifest.id}\``,
    authTypes(manifest)
      .map((type) => `\`${type}\``)
      .join(", "),
    manifest.addresses.mcp ? "yes" : "–",
    heldAgainst(evidence[manifest.id]),
  ]);
  return `# Coverage

Written by \`npm run gen\`. Every "yes" below is a run of the conformance suite (\`npx vitest run test/conformance\`): records true to their schema, the same walk at every limit, provider errors untouched, retries counted, tokens renewed. A "–" answers 404/7002.

${sections.join("\n\n")}

## What each provider was held against

The requests that Plugboard sends and the answers of the emulated provider are checked against what the provider publishes itself: see [contract-suite.md](contract-suite.md).

${table(["Provider", "Identifier", "Auth types", "MCP server", "Held against"], held)}
`;
}
