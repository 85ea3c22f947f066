import { html } from "../../../runtime/html.ts";
import type { ConnectionRecord } from "../../shared/platform-records/connection.ts";
import { readFiltered, withQuery } from "../api.ts";
import { BASE } from "../base.ts";
import { field, filterStatus, problemOf } from "../components/fields.ts";
import { providerNames, readPage } from "../components/lists.ts";
import { breakable, empty, head, pager, table, time } from "../components/ui.ts";
import { Redirect, type Routes } from "../routes.ts";
import { health } from "./connection.ts";

const PAGE_SIZE = 50;

/** The list: what is wrong comes first to the eye, and an external id leads straight to its connections. */
export function connectionListRoutes(routes: Routes): void {
  routes.page("/connections", "viewer", async ({ api, query, link }) => {
    const { external_id = "", provider = "", health: state = "", after } = query;
    const wanted = external_id.trim();
    if (/^conn_\w+$/.test(wanted)) return new Redirect(`/connections/${wanted}`);
    const filter = {
      external_id: wanted,
      integration_identifier: provider,
      is_valid: state === "valid" ? true : state === "invalid" ? false : undefined,
    };
    const readRows = () => readPage<ConnectionRecord>(api, "/platform/v1/connections", { ...filter, after }, PAGE_SIZE);
    const [{ result, problems }, names] = await Promise.all([
      readFiltered(readRows, { rows: [], next: undefined }),
      providerNames(api),
    ]);
    const { rows, next } = result;
    const mayConnect = link("/connect", "Connect an account");
    const isFiltered = wanted !== "" || provider !== "" || state !== "";
    const nextUrl = next && withQuery("/connections", { external_id: wanted, provider, health: state, after: next });
    return {
      title: "Connections",
      section: "connections",
      ...filterStatus(problems),
      content: html`${head({
        title: "Connections",
        lead: "The accounts that your users have connected, and whether they work.",
        actions: [link("/connect", "Connect an account", "button primary")],
      })}
<section class="card">
<form method="get" action="${BASE}/connections" class="filters" role="search">
${field({ name: "external_id", label: "External id or connection id", value: external_id, problem: problemOf(problems, "external_id"), className: "grow" })}
${field({
  name: "provider",
  label: "Provider",
  value: provider,
  options: [["", "All"], ...[...names].map(([id, name]) => [id, name] as const)],
})}
${field({
  name: "health",
  label: "State",
  value: state,
  options: [
    ["", "All"],
    ["invalid", "Needs attention"],
    ["valid", "Works"],
  ],
})}
<button>Search</button>${isFiltered && html`<a class="button" href="${BASE}/connections">Clear</a>`}
</form>
${
  rows.length > 0
    ? table(
        "Connections",
        [
          {
            label: "External id",
            cell: ({ id, external_id }) =>
              html`<a href="${BASE}/connections/${id}">${breakable(external_id ?? "(none)")}</a><span class="quiet mono wide-only">${id}</span>`,
          },
          {
            label: "Provider",
            cell: ({ integration_identifier, account }) =>
              html`${names.get(integration_identifier) ?? integration_identifier}${
                account &&
                html`<span class="quiet">${breakable(account.email ?? account.name ?? account.id ?? "")}</span>`
              }`,
          },
          {
            label: "State",
            cell: (connection) =>
              html`${health(connection)}${connection.invalid_reason && html`<span class="quiet">${connection.invalid_reason}</span>`}`,
          },
          { label: "Token refreshed", cell: ({ refreshed_at }) => time(refreshed_at), kind: "wide-only" },
          { label: "Created", cell: ({ created_at }) => time(created_at), kind: "wide-only" },
        ],
        rows,
      )
    : isFiltered
      ? empty(
          "No connection matches",
          html`External ids are compared exactly. <a href="${BASE}/connections">Show all connections</a>`,
        )
      : empty("No connections yet", mayConnect && html`${mayConnect}, or give your users a link to connect theirs.`)
}
${pager(`${rows.length} ${after ? "more " : ""}connections`, { first: after && withQuery("/connections", { external_id: wanted, provider, health: state }), next: nextUrl })}
</section>`,
    };
  });
}
