import { likelyName } from "../../runtime/likely-name.ts";

const MAX_NAMED = 5;

export const warningHeader = (headerPrefix: string) => `${headerPrefix}Warning`;

/** For the header: query parameters that have no effect, and what was probably meant. Undefined if there are none. */
export function createParameterCheck(names: Iterable<string>) {
  const known = new Set(names);
  return (query: object): string | undefined => {
    const unknown = Object.keys(query).filter((name) => !known.has(name));
    if (unknown.length === 0) return undefined;
    const warnings = unknown.slice(0, MAX_NAMED).map((name) => {
      const meant = likelyName(name, known);
      // Escaped, because a header does not take every character.
      return `unknown query parameter ${encodeURIComponent(name)}${meant ? `, did you mean ${meant}?` : ""}`;
    });
    return warnings.join("; ");
  };
}
