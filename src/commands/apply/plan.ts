import type { Problem } from "../../contracts/fault.ts";
import { changeOf, createOf } from "./differences.ts";
import { type Fields, type Kind, kinds, type Section } from "./kinds.ts";
import { matchEntries } from "./match.ts";
import { type PlatformApi, Refusal } from "./platform.ts";
import type { ConfigFile, Entry } from "./read-file.ts";
import { fieldsOf, type Ids, isTarget, type Plan, type Step } from "./steps.ts";
import type { WorkspaceState } from "./workspace.ts";

/** The sections that a plan has to know: those of the file, what their entries refer to, and who uses a tool pack. */
export function sectionsOf(file: ConfigFile): Set<Section> {
  const own = kinds.filter(({ section }) => file.entries(section));
  const users: Section[] = file.entries("tool_packs") ? ["workspace"] : [];
  return new Set([...own.flatMap(({ section, pointer }) => [section, ...(pointer ? [pointer.to] : [])]), ...users]);
}

/** What has to be done so that the workspace is as the file says. Changes nothing. */
export async function makePlan(
  file: ConfigFile,
  state: WorkspaceState,
  api: PlatformApi,
  { prune }: { prune: boolean },
): Promise<Plan> {
  const plan: Plan = { steps: [], unchanged: 0, others: [], ids: { integrations: new Map(), tool_packs: new Map() } };
  const { ids } = plan;
  const problems: Problem[] = [];
  const report = (problem: Problem) => void problems.push(problem);
  const deletes: Step[] = [];
  for (const kind of kinds) {
    const current = state[kind.section] ?? [];
    const names = isTarget(kind.section) ? ids[kind.section] : undefined;
    if (names) rememberNames(names, kind, current);
    const entries = file.entries(kind.section);
    if (!entries) continue;
    const matched = matchEntries({ kind, entries, current, ids }, report);
    for (const entry of entries) {
      const existing = matched.get(entry);
      const isOnly = entries.every((other) => other === entry || other.name !== entry.name);
      if (isOnly) names?.set(entry.name, existing && String(existing.id));
      else names?.delete(entry.name);
      const step = existing ? await changeOf(entry, existing, { ids, api, report }) : createOf(entry, ids);
      if (step) plan.steps.push(step);
      else plan.unchanged += 1;
    }
    const known = new Set(matched.values());
    for (const one of current.filter((other) => !known.has(other))) {
      const name = kind.nameOf(one);
      if (prune) deletes.unshift({ action: "delete", kind, name, id: String(one.id), body: {}, fields: [] });
      else plan.others.push({ kind, name });
    }
  }
  problems.push(...packsInUse(deletes, file, state, ids));
  for (const step of plan.steps) problems.push(...(await refusals(step, plan, api)));
  file.refuse(problems);
  plan.steps.push(...deletes);
  return plan;
}

/** The service does not delete the tool pack that the workspace has, or gets by the file. */
function packsInUse(deletes: Step[], file: ConfigFile, state: WorkspaceState, ids: Ids): Problem[] {
  const [entry] = file.entries("workspace") ?? [];
  const { mcp_tool_pack_id } = { ...state.workspace?.[0], ...(entry && fieldsOf(entry, ids)) };
  return deletes
    .filter(({ kind, id }) => kind.section === "tool_packs" && id === mcp_tool_pack_id)
    .map(({ name }) => ({
      path: ["tool_packs"],
      message: `${name} cannot be deleted, because mcp_tool_pack_id of the workspace refers to it: add it here, or give mcp_tool_pack_id in the section workspace another one or null`,
    }));
}

/** A name that several have leads to none of them. */
function rememberNames(names: Map<string, string | undefined>, kind: Kind, current: Fields[]): void {
  for (const [name, named] of Map.groupBy(current, (one) => kind.nameOf(one)))
    if (named.length === 1) names.set(name, String(named[0]!.id));
}

/** What the service has against a step of an entry. */
async function refusals({ action, kind, id, body, entry }: Step, plan: Plan, api: PlatformApi): Promise<Problem[]> {
  if (dependsOnOthers(entry!, plan)) return [];
  try {
    if (action === "create") await api.dryRun("POST", kind.path, body);
    else await api.dryRun("PATCH", kind.section === "workspace" ? kind.path : `${kind.path}/${id}`, body);
    return [];
  } catch (error) {
    if (error instanceof Refusal) return toProblems(error, entry!);
    throw error;
  }
}

/** Whether the service can check it only after another step. */
function dependsOnOthers({ kind, entry }: Entry, { steps, ids }: Plan): boolean {
  const { section, pointer } = kind;
  const target = pointer && entry[pointer.field];
  const names = pointer && ids[pointer.to];
  if (typeof target === "string" && names?.has(target) && names.get(target) === undefined) return true;
  const providers =
    section === "integrations"
      ? [entry.identifier]
      : section === "custom_fields"
        ? Object.keys(entry.paths as object)
        : [];
  return steps.some((step) => step.kind.section === "providers" && providers.includes(step.name));
}

/** A message of the service may begin with the rest of the path: `site: Required`. */
function toProblems({ message, errors }: Refusal, { path }: Entry): Problem[] {
  const found = Object.entries(errors).flatMap(([field, messages]) =>
    messages.map((text) => {
      const [, inner = "", rest = text] = /^([\w-]+(?:\.[\w-]+)*): (.+)$/s.exec(text) ?? [];
      return { path: [...path, field, ...inner.split(".").filter(Boolean)], message: rest };
    }),
  );
  return found.length > 0 ? found : [{ path, message }];
}
