import { html } from "../../../runtime/html.ts";
import type { McpGrantRecord } from "../../shared/platform-records/mcp-grant.ts";
import type { ToolPackRecord } from "../../shared/platform-records/tool-pack.ts";
import type { WorkspaceRecord } from "../../shared/platform-records/workspace.ts";
import { type ApiError, problemsOf } from "../api.ts";
import { BASE } from "../base.ts";
import { field, problemOf, problemSummary } from "../components/fields.ts";
import type { DashboardPage } from "../components/layout.ts";
import { packOptions, readPage, readToolPacks } from "../components/lists.ts";
import {
  breakable,
  copyable,
  empty,
  head,
  hiddenText,
  pager,
  type TableColumn,
  table,
  tag,
  time,
} from "../components/ui.ts";
import { type PageVisit, Redirect, type Routes } from "../routes.ts";

const PAGE_SIZE = 50;

const byWhom = ({ external_id, actor }: McpGrantRecord): string =>
  external_id ?? actor.name ?? actor.id ?? (actor.kind === "key" ? "An API key" : "A one-time link");

const columnsWith = (packs: readonly ToolPackRecord[]): TableColumn<McpGrantRecord>[] => [
  {
    label: "Client",
    cell: ({ client_name, redirect_host }) =>
      html`${breakable(client_name)}<span class="quiet">${redirect_host.endsWith(":") && "App with the scheme "}${breakable(redirect_host)}</span>`,
  },
  { label: "For", cell: (grant) => html`<span class="anywhere">${byWhom(grant)}</span>` },
  {
    label: "May do",
    cell: (grant) => mayDo(grant, packs),
  },
  {
    label: "Last used",
    cell: ({ last_used_at }) =>
      last_used_at === null ? html`<span class="nowrap">Never used</span>` : time(last_used_at),
  },
  { label: "Expires", cell: ({ expires_at }) => (expires_at === null ? "–" : time(expires_at)), kind: "wide-only" },
  { label: "Created", cell: ({ created_at }) => time(created_at), kind: "wide-only" },
];

function mayDo({ access, call_api, tool_pack_id, connection_ids }: McpGrantRecord, packs: readonly ToolPackRecord[]) {
  const { length } = connection_ids;
  const pack = packs.find(({ id }) => id === tool_pack_id);
  const callsApi = call_api && tool_pack_id === null;
  return html`${access === "read" ? tag("Reads") : tag("Reads and writes", "warn")}${callsApi && html` ${tag("Calls APIs", "warn")}`}<span class="quiet">${length} account${length !== 1 && "s"}</span>${
    tool_pack_id !== null && html`<span class="quiet anywhere">Only the tool pack ${pack?.name ?? tool_pack_id}</span>`
  }`;
}

export function mcpRoutes(routes: Routes, { unifiedUrl }: { unifiedUrl: string }): void {
  const actionColumn = ({ form, link }: PageVisit): TableColumn<McpGrantRecord> => ({
    label: "Action",
    cell: ({ id, client_name }) =>
      html`${link(`/mcp/${id}/tool-pack`, html`Tool pack${hiddenText(` of ${client_name}`)}`)} ${form(
        `/mcp/${id}/revoke`,
        html`<button class="link">Revoke${hiddenText(` the access of ${client_name}`)}</button>`,
      )}`,
    kind: "number",
  });

  routes.page("/mcp", "viewer", async (visit) => {
    const { api, query } = visit;
    const { client_id } = await api.get<WorkspaceRecord>("/platform/v1/workspace");
    const { rows, next } = await readPage<McpGrantRecord>(
      api,
      "/platform/v1/mcp-grants",
      { after: query.after },
      PAGE_SIZE,
    );
    const columns = columnsWith(await readToolPacks(api));
    return {
      title: "MCP",
      section: "mcp",
      content: html`${head({
        title: "MCP",
        lead: html`The programs that people have allowed to use their accounts over MCP. <a href="/docs/guides/mcp">How people sign in</a>`,
      })}
<section class="card"><div class="in">
${copyable("mcp-address", "The address that people give to a program", `${unifiedUrl}/v1/mcp/w/${client_id}`)}
</div></section>
<section class="card">
${
  rows.length === 0
    ? empty("No clients", "A client appears here when somebody has signed in with it.")
    : table("MCP clients", visit.maySend("/mcp/any/revoke") ? [...columns, actionColumn(visit)] : columns, rows)
}
${pager(`${rows.length} clients`, { first: query.after && "/mcp", next: next && `/mcp?after=${next}` })}
</section>`,
    };
  });

  const pathOf = ({ params }: PageVisit) => `/platform/v1/mcp-grants/${encodeURIComponent(params.id!)}`;

  async function choosePack(visit: PageVisit, problem?: ApiError): Promise<DashboardPage> {
    const { id, client_name, tool_pack_id } = await visit.api.get<McpGrantRecord>(pathOf(visit));
    const packs = await readToolPacks(visit.api);
    const title = `Tool pack of ${client_name}`;
    const fields = problem?.fields ?? {};
    return {
      title,
      section: "mcp",
      ...(problem ? { status: 400, hasProblem: true } : {}),
      content: html`${head({ title, lead: "It limits what the client can do, from its next call on.", trail: [["/mcp", "MCP"]] })}
<section class="card in">${visit.form(
        `/mcp/${id}/tool-pack`,
        html`${problem && problemSummary(fields, { tool_pack_id: "Tool pack" }, problem.message)}
${field({ name: "tool_pack_id", label: "Tool pack", value: tool_pack_id ?? "", options: packOptions(packs), hint: "Without one, the client can do what the person has allowed", problem: problemOf(fields, "tool_pack_id") })}
<div class="row"><button class="primary">Save</button><a class="button" href="${BASE}/mcp">Cancel</a></div>`,
        { className: "stack" },
      )}</section>`,
    };
  }

  routes.page("/mcp/:id/tool-pack", "admin", (visit) => choosePack(visit));

  routes.action("/mcp/:id/tool-pack", "admin", async (visit, form) => {
    const tool_pack_id = form.get("tool_pack_id") || null;
    const problem = await problemsOf(() => visit.api.send("PATCH", pathOf(visit), { tool_pack_id }));
    return problem ? choosePack(visit, problem) : new Redirect("/mcp?done=saved");
  });

  routes.action("/mcp/:id/revoke", "developer", async ({ api, params }) => {
    await api.send("DELETE", `/platform/v1/mcp-grants/${encodeURIComponent(params.id!)}`);
    return new Redirect("/mcp?done=grant-revoked");
  });
}
