import { type Fields, type Kind, kinds, type Section } from "./kinds.ts";
import type { PlatformApi } from "./platform.ts";

/** What a workspace has, by section. */
export type WorkspaceState = Partial<Record<Section, Fields[]>>;

/** Reads these parts of the workspace. */
export async function readWorkspace(api: PlatformApi, sections: ReadonlySet<Section>): Promise<WorkspaceState> {
  const state: WorkspaceState = {};
  for (const kind of kinds) if (sections.has(kind.section)) state[kind.section] = await readSection(api, kind);
  return state;
}

async function readSection(api: PlatformApi, kind: Kind): Promise<Fields[]> {
  if (kind.section === "workspace") return [await api.get(kind.path)];
  const all = await api.list(kind);
  if (kind.section !== "providers") return all;
  const documents: Fields[] = [];
  for (const { id, origin } of all)
    if (origin === "workspace") documents.push((await api.get(`${kind.path}/${id}`)).document as Fields);
  return documents;
}
