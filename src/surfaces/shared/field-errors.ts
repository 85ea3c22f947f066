import type { Problem } from "../../contracts/fault.ts";

/** Groups problems by top-level field, as Platform and Auth report them: `{"settings": ["site: Required"]}`. */
export function fieldErrors(problems: readonly Problem[]): Record<string, string[]> {
  const messages = new Map<string, Set<string>>();
  for (const { path, message } of problems) {
    const [field = "body", ...inner] = path;
    const text = capitalize(message);
    const texts = messages.get(field) ?? new Set();
    texts.add(inner.length > 0 ? `${inner.join(".")}: ${text}` : text);
    messages.set(field, texts);
  }
  // Without a prototype, since a field may be named like one of its members (`constructor`).
  return Object.assign(
    Object.create(null),
    Object.fromEntries([...messages].map(([field, texts]) => [field, [...texts]])),
  );
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
