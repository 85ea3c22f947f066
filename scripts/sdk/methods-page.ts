// sdk/METHODS.md: every method of the SDK, with what it calls.
import { sdkMethod } from "../../src/categories/sdk-method.ts";
import type { BoundOperation } from "../../src/contracts/operation.ts";
import { type PlatformDocument, platformMethod } from "./platform.ts";

const row = (method: string, summary: string, request: string) => `| \`${method}\` | ${summary} | \`${request}\` |`;
const table = (rows: string[]) => ["| Method | | Request |", "|-|-|-|", ...rows].join("\n");

export function methodsPage(operations: readonly BoundOperation[], { paths }: PlatformDocument): string {
  const unified = operations.map((operation) =>
    row(
      sdkMethod(operation).join("."),
      operation.summary,
      `${operation.method} ${operation.route.replaceAll(/:(\w+)/g, "{$1}")}`,
    ),
  );
  const platform = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, summary }]) =>
      row(platformMethod(path, operationId).join("."), summary, `${method.toUpperCase()} ${path}`),
    ),
  );
  return `<!-- Written by \`npm run gen\` from the table of operations and the Platform API. Do not edit. -->
# Methods of plugboard-sdk

## \`pb.connection(id)\`

The Unified API, at \`/unified\`. Besides these there are \`proxy\`, \`request\`, and \`dryRun\`, which has all of these: see [README.md](README.md).

${table(unified)}

## \`pb.platform\`

The Platform API, at \`/platform\`.

${table(platform)}
`;
}
