// What the SDK's tests share: its methods by name.

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
