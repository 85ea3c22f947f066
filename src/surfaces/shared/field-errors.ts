import type { Problem } from "../../contracts/fault.ts";

/** What is wrong, by top-level field, as the Platform and Auth APIs report it: `{"settings": ["site: Required"]}`. */
export function fieldErrors(problems: readonly Problem[]): Record<string, string[]> {
  const messages = new Map<string, Set<string>>();
  for (const { path, message } of problems) {
    const [field = "body", ...inner] = path;
    const text = capitalize(message);
    const found = messages.get(field) ?? new Set();
    found.add(inner.length > 0 ? `${inner.join(".")}: ${text}` : text);
    messages.set(field, found);
  }
  // A prototype would answer for fields named like its members.
  return Object.assign(
    Object.create(null),
    Object.fromEntries([...messages].map(([field, texts]) => [field, [...texts]])),
  );
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
