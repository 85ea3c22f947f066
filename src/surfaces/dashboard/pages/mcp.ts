import { html } from "../../../runtime/html.ts";
import type { McpGrantRecord } from "../../shared/platform-records/mcp-grant.ts";
import type { WorkspaceRecord } from "../../shared/platform-records/workspace.ts";
import { readPage } from "../components/lists.ts";
import { copyable, empty, head, hiddenText, pager, type TableColumn, table, tag, time } from "../components/ui.ts";
import { type PageVisit, Redirect, type Routes } from "../routes.ts";

const PAGE_SIZE = 50;

const byWhom = ({ external_id, actor }: McpGrantRecord): string =>
  external_id ?? actor.name ?? actor.id ?? (actor.kind === "key" ? "An API key" : "A one-time link");

const columns: TableColumn<McpGrantRecord>[] = [
  {
    label: "Client",
    cell: ({ client_name, redirect_host }) => html`${client_name}<span class="quiet">${redirect_host}</span>`,
  },
  { label: "For", cell: (grant) => html`<span class="anywhere">${byWhom(grant)}</span>` },
  {
    label: "May do",
    cell: ({ access, connection_ids: { length } }) =>
      html`${access === "read" ? tag("Reads") : tag("Reads and writes", "warn")}<span class="quiet">${length} account${length !== 1 && "s"}</span>`,
  },
  {
    label: "Last used",
    cell: ({ last_used_at }) =>
      last_used_at === null ? html`<span class="nowrap">Never used</span>` : time(last_used_at),
  },
  { label: "Expires", cell: ({ expires_at }) => (expires_at === null ? "–" : time(expires_at)), kind: "wide-only" },
  { label: "Created", cell: ({ created_at }) => time(created_at), kind: "wide-only" },
];

export function mcpRoutes(routes: Routes, { unifiedUrl }: { unifiedUrl: string }): void {
  const revokeColumn = ({ form }: PageVisit): TableColumn<McpGrantRecord> => ({
    label: "Action",
    cell: ({ id, client_name }) =>
      form(
        `/mcp/${id}/revoke`,
        html`<button class="link">Revoke${hiddenText(` the access of ${client_name}`)}</button>`,
      ),
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
    : table("MCP clients", visit.maySend("/mcp/any/revoke") ? [...columns, revokeColumn(visit)] : columns, rows)
}
${pager(`${rows.length} clients`, { first: query.after && "/mcp", next: next && `/mcp?after=${next}` })}
</section>`,
    };
  });

  routes.action("/mcp/:id/revoke", "developer", async ({ api, params }) => {
    await api.send("DELETE", `/platform/v1/mcp-grants/${encodeURIComponent(params.id!)}`);
    return new Redirect("/mcp?done=grant-revoked");
  });
}
