import { type Html, html } from "../../../runtime/html.ts";
import type { WorkspaceRecord } from "../../shared/platform-records/workspace.ts";
import { type ApiError, problemsOf } from "../api.ts";
import { field, problemOf, problemSummary } from "../components/fields.ts";
import type { DashboardPage } from "../components/layout.ts";
import { packOptions, readToolPacks } from "../components/lists.ts";
import { card, copyable, facts, head } from "../components/ui.ts";
import { type PageVisit, Redirect, type Routes } from "../routes.ts";

const labels = {
  name: "Name",
  logo_url: "Logo",
  accent_color: "Color",
  redirect_uris: "Redirect URIs",
  mcp_sign_in_url: "Sign-in page for MCP clients",
  mcp_tool_pack_id: "Tool pack of MCP clients",
};

/** Sets the text next to it, which can also be empty. It needs a script, and is hidden without one. */
const colorPicker = (color: string | null): Html =>
  html`<input type="color" data-picks="accent_color" aria-label="Pick the color" value="${color ?? "#2b57d0"}" hidden>`;

export function settingsRoutes(routes: Routes): void {
  async function show({ api, form }: PageVisit, sent?: URLSearchParams, problem?: ApiError): Promise<DashboardPage> {
    const workspace = await api.get<WorkspaceRecord>("/platform/v1/workspace");
    const packs = await readToolPacks(api);
    const pack = packs.find(({ id }) => id === workspace.mcp_tool_pack_id);
    const fields = problem?.fields ?? {};
    const logo = workspace.logo_url
      ? html`<img class="logo" src="${workspace.logo_url}" alt="The logo as users see it">`
      : undefined;
    return {
      title: "Settings",
      section: "settings",
      imageUrl: workspace.logo_url,
      ...(problem ? { status: 400, hasProblem: true } : {}),
      content: html`${head({ title: "Settings" })}
${card(
  "Workspace",
  form(
    "/settings",
    html`${problem && problemSummary(fields, labels, problem.message)}
${field({ name: "name", label: labels.name, value: sent?.get("name") ?? workspace.name, required: true, hint: "Shown to users who connect an account", problem: problemOf(fields, "name") })}
${field({ name: "logo_url", label: labels.logo_url, value: sent?.get("logo_url") ?? workspace.logo_url ?? "", hint: "The https address of an image, for the pages on which users connect an account; may be empty", problem: problemOf(fields, "logo_url") })}
${logo}
${field({ name: "accent_color", label: labels.accent_color, value: sent?.get("accent_color") ?? workspace.accent_color ?? "", placeholder: "#2b57d0", hint: "Of the buttons on those pages; may be empty", problem: problemOf(fields, "accent_color"), aside: colorPicker(workspace.accent_color) })}
${field({ name: "redirect_uris", label: labels.redirect_uris, input: "lines", value: sent?.get("redirect_uris") ?? workspace.redirect_uris.join("\n"), hint: "Where users may be sent after they have connected an account: one address per line", problem: problemOf(fields, "redirect_uris") })}
${field({ name: "mcp_sign_in_url", label: labels.mcp_sign_in_url, value: sent?.get("mcp_sign_in_url") ?? workspace.mcp_sign_in_url ?? "", hint: "The https address of a page of your application that signs your users in; empty if people sign in here", problem: problemOf(fields, "mcp_sign_in_url") })}
${field({ name: "mcp_tool_pack_id", label: labels.mcp_tool_pack_id, value: sent?.get("mcp_tool_pack_id") ?? workspace.mcp_tool_pack_id ?? "", options: packOptions(packs), hint: "What limits the clients that people sign in from now on", problem: problemOf(fields, "mcp_tool_pack_id") })}
<div><button class="primary">Save</button></div>`,
    { className: "stack" },
  ) ||
    facts([
      [labels.name, workspace.name],
      [labels.logo_url, logo && html`${workspace.logo_url}${logo}`],
      [labels.accent_color, workspace.accent_color],
      [labels.redirect_uris, workspace.redirect_uris.join(", ") || "None"],
      [labels.mcp_sign_in_url, workspace.mcp_sign_in_url],
      [labels.mcp_tool_pack_id, pack?.name],
    ]),
)}
<section class="card"><div class="card-head"><h2>Connect flow</h2></div><div class="in stack">
<p class="quiet">The workspace's public id, for <code>/auth/authorize</code>. It is no secret.</p>
${copyable("client-id", "Client ID", workspace.client_id)}
</div></section>`,
    };
  }

  routes.page("/settings", "viewer", (visit) => show(visit));

  routes.action("/settings", "admin", async (visit, form) => {
    const lines = (form.get("redirect_uris") ?? "").split("\n").map((line) => line.trim());
    const problem = await problemsOf(() =>
      visit.api.send("PATCH", "/platform/v1/workspace", {
        name: (form.get("name") ?? "").trim(),
        logo_url: form.get("logo_url")?.trim() || null,
        accent_color: form.get("accent_color")?.trim() || null,
        redirect_uris: lines.filter((line) => line !== ""),
        mcp_sign_in_url: form.get("mcp_sign_in_url")?.trim() || null,
        mcp_tool_pack_id: form.get("mcp_tool_pack_id") || null,
      }),
    );
    if (problem) return show(visit, form, problem);
    return new Redirect("/settings?done=saved");
  });
}
