import { categoryTitle } from "../../../categories/index.ts";
import type { BoundOperation } from "../../../contracts/operation.ts";
import { type Html, html } from "../../../runtime/html.ts";
import type { ToolPackRecord } from "../../shared/platform-records/tool-pack.ts";
import { type ApiError, problemsOf } from "../api.ts";
import { BASE } from "../base.ts";
import type { DashboardPage } from "../components/layout.ts";
import { readToolPacks } from "../components/lists.ts";
import { readToolPackForm, toolPackFields, toToolPackForm } from "../components/tool-pack-form.ts";
import { breakable, card, empty, head, hiddenText, mono, type TableColumn, table, time } from "../components/ui.ts";
import { type PageVisit, Redirect, type Routes } from "../routes.ts";

const toolsText = ({ categories, tools }: ToolPackRecord): Html | string => {
  if (tools !== null) return html`<span class="anywhere">${tools.join(", ")}</span>`;
  return categories === null ? "All" : categories.map((category) => `All of ${categoryTitle(category)}`).join(", ");
};

const columns: TableColumn<ToolPackRecord>[] = [
  { label: "Name", cell: ({ id, name }) => html`${breakable(name)}<span class="quiet mono">${id}</span>` },
  { label: "Tools", cell: toolsText },
  { label: "Access", cell: ({ access }) => (access === "read" ? "Read" : "Read and write") },
  {
    label: "Hidden fields",
    cell: ({ hide }) => (hide.length === 0 ? "None" : html`<span class="anywhere">${hide.join(", ")}</span>`),
  },
  { label: "Created", cell: ({ created_at }) => time(created_at), kind: "wide-only" },
];

export function toolPackRoutes(routes: Routes, { operations }: { operations: readonly BoundOperation[] }): void {
  const actionColumn = ({ link }: PageVisit): TableColumn<ToolPackRecord> => ({
    label: "Action",
    cell: ({ id, name }) =>
      html`${link(`/tool-packs/${id}/edit`, html`Edit${hiddenText(` the tool pack ${name}`)}`)} ${link(`/tool-packs/${id}/delete`, html`Delete${hiddenText(` the tool pack ${name}`)}`)}`,
    kind: "number",
  });

  async function show(visit: PageVisit, sent?: URLSearchParams, problem?: ApiError): Promise<DashboardPage> {
    const packs = await readToolPacks(visit.api);
    const mayCreate = visit.maySend("/tool-packs");
    return {
      title: "Tool packs",
      section: "tool-packs",
      ...(problem ? { status: 400, hasProblem: true } : {}),
      content: html`${head({
        title: "Tool packs",
        lead: html`Which tools an agent gets over <a href="/docs/guides/mcp">Unified MCP</a>, and which fields it never sees. Give one to an API key, or to the <a href="${BASE}/mcp">clients that people sign in</a>.`,
      })}
<section class="card">${
        packs.length === 0
          ? empty("No tool packs yet", mayCreate && "Create one below, and choose it for an API key.")
          : table("Tool packs", mayCreate ? [...columns, actionColumn(visit)] : columns, packs)
      }</section>
${card(
  "New tool pack",
  visit.form(
    "/tool-packs",
    html`${toolPackFields({ operations, sent, problem })}<div><button class="primary">Create the tool pack</button></div>`,
    { className: "stack wide" },
  ),
)}`,
    };
  }

  routes.page("/tool-packs", "viewer", (visit) => show(visit));

  routes.action("/tool-packs", "admin", async (visit, sent) => {
    const pack = readToolPackForm(sent, operations);
    const problem = await problemsOf(() => visit.api.send("POST", "/platform/v1/tool-packs", pack));
    return problem ? show(visit, sent, problem) : new Redirect("/tool-packs?done=tool-pack-created");
  });

  const pathOf = ({ params }: PageVisit) => `/tool-packs/${encodeURIComponent(params.id!)}`;

  async function edit(visit: PageVisit, sent?: URLSearchParams, problem?: ApiError): Promise<DashboardPage> {
    const pack = await visit.api.get<ToolPackRecord>(`/platform/v1${pathOf(visit)}`);
    const title = `Edit the tool pack ${pack.name}`;
    return {
      title,
      section: "tool-packs",
      ...(problem ? { status: 400, hasProblem: true } : {}),
      content: html`${head({
        title,
        lead: "A change applies to the next call of everything that has the tool pack.",
        trail: [["/tool-packs", "Tool packs"]],
      })}
<section class="card in">${visit.form(
        `${pathOf(visit)}/edit`,
        html`${toolPackFields({ operations, sent: sent ?? toToolPackForm(pack, operations), problem })}<div class="row"><button class="primary">Save</button><a class="button" href="${BASE}/tool-packs">Cancel</a></div>`,
        { className: "stack wide" },
      )}</section>`,
    };
  }

  routes.page("/tool-packs/:id/edit", "admin", (visit) => edit(visit));

  routes.action("/tool-packs/:id/edit", "admin", async (visit, sent) => {
    const pack = readToolPackForm(sent, operations);
    const problem = await problemsOf(() => visit.api.send("PATCH", `/platform/v1${pathOf(visit)}`, pack));
    return problem ? edit(visit, sent, problem) : new Redirect("/tool-packs?done=saved");
  });

  async function confirmDelete(visit: PageVisit, problem?: ApiError): Promise<DashboardPage> {
    const { name, id } = await visit.api.get<ToolPackRecord>(`/platform/v1${pathOf(visit)}`);
    const title = `Delete the tool pack ${name}?`;
    return {
      title,
      section: "tool-packs",
      ...(problem ? { status: problem.status, hasProblem: true } : {}),
      content: html`${head({ title, trail: [["/tool-packs", "Tool packs"]] })}
<section class="card in stack">${problem && html`<div class="notice bad" role="alert">${problem.message.replace(/^Conflict: /, "")}</div>`}
<p>${mono(id)} can only be deleted if no API key and no MCP client uses it.</p>
${visit.form(
  `${pathOf(visit)}/delete`,
  html`<button class="danger">Delete the tool pack</button><a class="button" href="${BASE}/tool-packs">Keep it</a>`,
  { className: "row" },
)}</section>`,
    };
  }

  routes.page("/tool-packs/:id/delete", "admin", (visit) => confirmDelete(visit));

  routes.action("/tool-packs/:id/delete", "admin", async (visit) => {
    const problem = await problemsOf(() => visit.api.send("DELETE", `/platform/v1${pathOf(visit)}`), [409]);
    return problem ? confirmDelete(visit, problem) : new Redirect("/tool-packs?done=tool-pack-deleted");
  });
}
