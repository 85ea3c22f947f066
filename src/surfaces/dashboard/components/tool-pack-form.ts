import { categoryTitle } from "../../../categories/index.ts";
import { isTool, toLimitedTool } from "../../../categories/tools.ts";
import type { BoundOperation } from "../../../contracts/operation.ts";
import type { LimitedTool } from "../../../contracts/tool-packs.ts";
import { type Html, html } from "../../../runtime/html.ts";
import type { ToolPackRecord } from "../../shared/platform-records/tool-pack.ts";
import type { ApiError } from "../api.ts";
import { checkbox, field, problemOf, problemSummary, radio } from "./fields.ts";

const labels = { name: "Name", access: "Access", tools: "Tools", hide: "Hidden fields" };

interface ToolPackForm {
  operations: readonly BoundOperation[];
  sent?: URLSearchParams | undefined;
  problem?: ApiError | undefined;
}

/** The tools of each category, in the order of the table. */
const toolsByCategory = (operations: readonly BoundOperation[]): Map<string, LimitedTool[]> =>
  Map.groupBy(operations.filter(isTool).map(toLimitedTool), ({ category }) => category);

export function toolPackFields({ operations, sent = new URLSearchParams(), problem }: ToolPackForm): Html {
  const fields = problem?.fields ?? {};
  const access = sent.get("access") ?? "read";
  const option = (value: string, label: string, hint: string) =>
    radio({ name: "access", value, label, hint, checked: value === access });
  return html`${problem && problemSummary(fields, labels, problem.message)}
${field({ name: "name", label: labels.name, value: sent.get("name") ?? "", required: true, hint: "What it is for", problem: problemOf(fields, "name") })}
<fieldset class="stack" id="access" tabindex="-1"><legend>${labels.access}</legend>
${option("read", "Read", "Without the tools that create, change or send something.")}
${option("write", "Read and write", "With those tools too.")}
</fieldset>
${toolBoxes(toolsByCategory(operations), new Set([...sent.getAll("categories"), ...sent.getAll("tools")]), problemOf(fields, "tools"))}
${field({ name: "hide", label: labels.hide, input: "lines", value: sent.get("hide") ?? "", hint: "Fields that agents never see, such as crm.contact.email: one on each line. May be empty", problem: problemOf(fields, "hide") })}`;
}

function toolBoxes(
  groups: ReadonlyMap<string, LimitedTool[]>,
  chosen: ReadonlySet<string>,
  problem: string | undefined,
): Html {
  const box = (name: string, value: string, label: Html | string) =>
    checkbox({ name, value, label, checked: chosen.has(value) });
  return html`<fieldset class="stack" id="tools" tabindex="-1"${problem !== undefined && html` aria-describedby="tools-problem"`}><legend>${labels.tools}</legend>
${problem !== undefined && html`<p class="wrong" id="tools-problem">${problem}</p>`}
<p class="hint">All tools, also those that are added later, unless you tick some.</p>
${[...groups].map(([category, tools]) => {
  const isOpen = [category, ...tools.map(({ name }) => name)].some((value) => chosen.has(value));
  const title = categoryTitle(category);
  return html`<details${isOpen && html` open`}><summary>${title}</summary><div class="boxes">${box("categories", category, `All of ${title}`)}${tools.map(({ name }) => box("tools", name, html`<code>${name}</code>`))}</div></details>`;
})}
</fieldset>`;
}

/** A tool pack as its form would be sent. One that has both categories and tools has the tools that are in both. */
export function toToolPackForm(pack: ToolPackRecord, operations: readonly BoundOperation[]): URLSearchParams {
  const form = new URLSearchParams({ name: pack.name, access: pack.access, hide: pack.hide.join("\n") });
  const { categories, tools } = pack;
  if (tools === null) for (const category of categories ?? []) form.append("categories", category);
  const known = new Map(operations.filter(isTool).map((operation) => [toLimitedTool(operation).name, operation]));
  for (const name of tools ?? [])
    if (categories === null || categories.includes(known.get(name)?.category ?? "")) form.append("tools", name);
  return form;
}

/**
 * What the API gets. Categories and single tools together are a list of tools: a tool pack with both has only the tools
 * that are in both.
 */
export function readToolPackForm(
  form: URLSearchParams,
  operations: readonly BoundOperation[],
): Record<string, unknown> {
  const access = form.get("access") ?? "read";
  const whole = form.getAll("categories");
  const single = form.getAll("tools");
  const groups = toolsByCategory(operations);
  const ofWhole = whole
    .flatMap((category) => groups.get(category) ?? [])
    .filter(({ isWrite }) => access === "write" || !isWrite)
    .map(({ name }) => name);
  const hide = (form.get("hide") ?? "").split(/\s+/).filter(Boolean);
  return {
    name: form.get("name")?.trim() ?? "",
    access,
    categories: single.length === 0 && whole.length > 0 ? whole : null,
    tools: single.length > 0 ? [...new Set([...ofWhole, ...single])] : null,
    hide,
  };
}
