// What the SDKs' tests share: methods by name, and the providers that have them.
import type { BoundOperation } from "../../src/contracts/operation.ts";
import { providers } from "../../src/providers/registry.gen.ts";

/** Every function in a nested object, by its path: `git.issues.list`. */
export function methodsOf(group: object, prefix: string[] = []): Map<string, (...args: any[]) => any> {
  return new Map(
    Object.entries(group).flatMap(([name, value]) => {
      const place = [...prefix, name];
      if (typeof value === "function") return [[place.join("."), value] as const];
      return typeof value === "object" ? [...methodsOf(value, place)] : [];
    }),
  );
}

/** A connection's methods that are not operations of the table. */
export const BESIDE_OPERATIONS = ["proxy", "request"];

/** The first provider that has the operation. */
export const providerOf = ({ category, name }: BoundOperation): string =>
  providers.find((provider) =>
    provider.categories.some((one) => one.category === category && one.operations[name] !== undefined),
  )!.manifest.id;

/** Those that files can be uploaded to. */
export const uploadingProviders = providers
  .filter((provider) => provider.categories.some(({ operations }) => "uploadFile" in operations))
  .map(({ manifest }) => manifest.id);
