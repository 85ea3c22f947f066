import { isDeepStrictEqual } from "node:util";
import { stringify } from "yaml";
import { type Fields, type Kind, kinds, type Section } from "./kinds.ts";
import type { WorkspaceState } from "./workspace.ts";

export const allSections: ReadonlySet<Section> = new Set(kinds.map(({ section }) => section));

/** What a new one has if nothing is said. */
const defaults: Fields = { enabled: true, hide: [], redirect_uris: [], settings: {} };

/** People look for the workspace first. */
const order: readonly Section[] = ["workspace", "providers", "integrations", "webhooks", "custom_fields", "tool_packs"];

/** The workspace as a file that, applied to it, changes nothing. */
export function exportFile(state: WorkspaceState): string {
  const variables = new Set<string>();
  const content = order.flatMap((section) => {
    const kind = kinds.find((one) => one.section === section)!;
    const entries = (state[section] ?? []).map((one) => exportEntry(one, kind, { state, variables }));
    if (entries.length === 0) return [];
    return [[section, section === "workspace" ? entries[0] : entries] as const];
  });
  const needed = [...variables].map((name) => `#   ${name}\n`);
  const head =
    needed.length > 0
      ? `# Secrets are not exported. This file needs them in the environment:\n${needed.join("")}\n`
      : "";
  return head + stringify(Object.fromEntries(content), { lineWidth: 0, aliasDuplicateObjects: false });
}

interface Context {
  state: WorkspaceState;
  variables: Set<string>;
}

function exportEntry(one: Fields, kind: Kind, { state, variables }: Context): Fields {
  // Of a provider, the document is the entry.
  if (kind.isWhole) return one;
  const siblings = state[kind.section]!.filter((other) => kind.nameOf(other) === kind.nameOf(one));
  const entry: Fields = kind.byId && siblings.length > 1 ? { id: one.id } : {};
  for (const field of Object.keys(kind.schema.properties)) {
    if (kind.secrets?.includes(field) && one[`has_${field}`]) {
      const name = variableName(`${kind.nameOf(one)}${siblings.length > 1 ? `_${one.id}` : ""}_${field}`, variables);
      entry[field] = `env:${name}`;
    } else if (!isDefault(field, one[field])) entry[field] = pointerName(kind, field, one[field], state);
  }
  return entry;
}

function variableName(text: string, taken: Set<string>): string {
  const base = text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replace(/^(?=\d)/, "_");
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base}_${number}`;
  taken.add(name);
  return name;
}

const isDefault = (field: string, value: unknown): boolean =>
  value === null || value === undefined || isDeepStrictEqual(value, defaults[field]);

/** Names instead of ids, so that the file fits other workspaces as well. */
function pointerName({ pointer }: Kind, field: string, value: unknown, state: WorkspaceState): unknown {
  if (pointer?.field !== field) return value;
  const kind = kinds.find(({ section }) => section === pointer.to)!;
  const targets = state[pointer.to] ?? [];
  const target = targets.find(({ id }) => id === value);
  const name = target && kind.nameOf(target);
  return targets.filter((other) => kind.nameOf(other) === name).length === 1 ? name : value;
}
