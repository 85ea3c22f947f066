// METHODS.md of each SDK: every method, with what it calls.
import { sdkMethod } from "../../src/categories/sdk-method.ts";
import type { BoundOperation } from "../../src/contracts/operation.ts";
import { type PlatformDocument, routesOf } from "./platform-document.ts";
import { FIELDS_ABOUT, fieldsPlace } from "./table.ts";

const row = (method: string, summary: string, request: string) => `| \`${method}\` | ${summary} | \`${request}\` |`;
const table = (rows: string[]) => ["| Method | | Request |", "|-|-|-|", ...rows].join("\n");

/** What differs between the SDKs. */
export interface Language {
  /** The package's name. */
  title: string;
  /** How a method is written: `git.issues.list`. */
  nameOf(place: string[]): string;
  /** What a connection has besides its operations. */
  besides: string;
  /** Where the Platform API is. */
  platform: string;
}

export const typescript: Language = {
  title: "plugboard-sdk",
  nameOf: (place) => place.join("."),
  besides: "`proxy`, `request`, and `dryRun`, which has all of these",
  platform: "pb.platform",
};

export function methodsPage(operations: readonly BoundOperation[], document: PlatformDocument, language: Language) {
  const unified = operations.flatMap((operation) => {
    const path = operation.route.replaceAll(/:(\w+)/g, "{$1}");
    const own = row(language.nameOf(sdkMethod(operation)), operation.summary, `${operation.method} ${path}`);
    const fields = () => row(language.nameOf(fieldsPlace(operation)), FIELDS_ABOUT, `GET ${path}/fields`);
    return operation.kind === "list" ? [own, fields()] : [own];
  });
  const platform = routesOf(document).map(({ place, summary, method, path }) =>
    row(language.nameOf(place), summary, `${method} ${path}`),
  );
  return `<!-- Written by \`npm run gen\` from the table of operations and the Platform API. Do not edit. -->
# Methods of ${language.title}

## \`pb.connection(id)\`

The Unified API, at \`/unified\`. Besides these there are ${language.besides}: see [README.md](README.md).

${table(unified)}

## \`${language.platform}\`

The Platform API, at \`/platform\`.

${table(platform)}
`;
}
