import { providers } from "../providers/registry.gen.ts";
import { describeProvider } from "../surfaces/platform/providers.ts";
import { table } from "./table.ts";
import { readArgs } from "./usage.ts";

export async function run(args: string[]): Promise<void> {
  const { values } = readArgs({ args, options: { json: { type: "boolean" } } });
  const described = providers.map(describeProvider);
  if (values.json) return console.log(JSON.stringify(described, null, 2));
  console.log(
    table(
      ["ID", "NAME", "AUTH", "OPERATIONS"],
      described.map(({ id, name, auth_types, operations }) => [id, name, auth_types.join(" "), operations.join(" ")]),
    ),
  );
}
