import { readConfig } from "../config/index.ts";
import { loadRegistry } from "../registry.ts";
import { describeProvider } from "../surfaces/platform/describe-provider.ts";
import { table } from "./table.ts";
import { readArgs } from "./usage.ts";

export async function run(args: string[]): Promise<void> {
  const { values } = readArgs({ args, options: { json: { type: "boolean" } } });
  const { providers } = await loadRegistry(readConfig(process.env));
  const described = providers.map(describeProvider);
  if (values.json) return console.log(JSON.stringify(described, null, 2));
  const { true: catalogue = [], false: builtIn = [] } = Object.groupBy(described, ({ origin }) =>
    String(origin === "catalogue"),
  );
  console.log(`With operations of the Unified API (${builtIn.length}):\n`);
  console.log(
    table(
      ["ID", "NAME", "AUTH", "OPERATIONS"],
      builtIn.map(({ id, name, auth_types, operations }) => [id, name, auth_types.join(" "), operations.join(" ")]),
    ),
  );
  console.log(`\nThe catalogue, for the Proxy (${catalogue.length}):\n`);
  console.log(
    table(
      ["ID", "NAME", "AUTH", "ABOUT"],
      catalogue.map(({ id, name, auth_types, subjects }) => [id, name, auth_types.join(" "), subjects.join(" ")]),
    ),
  );
}
