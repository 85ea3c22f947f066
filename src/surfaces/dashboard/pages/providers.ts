import { html } from "../../../runtime/html.ts";
import { BASE } from "../base.ts";
import { readProviders } from "../components/lists.ts";
import { breakable, empty, head, mono, table } from "../components/ui.ts";
import type { Routes } from "../routes.ts";
import { typeName } from "./integrations.ts";

export function providerListRoutes(routes: Routes): void {
  routes.page("/providers", "viewer", async ({ api, link }) => {
    const own = (await readProviders(api)).filter(({ origin }) => origin === "workspace");
    const create = link("/new-provider", "Create a provider", "button primary");
    return {
      title: "Own providers",
      section: "integrations",
      content: html`${head({
        title: "Own providers",
        trail: [["/integrations", "Integrations"]],
        lead: "APIs that are not in the catalogue, each described by one JSON document. Only this workspace has them.",
        actions: [own.length > 0 && create],
      })}
<section class="card">${
        own.length === 0
          ? empty("No providers of your own yet", create || "Somebody with the role admin can create one.")
          : table(
              "Own providers",
              [
                {
                  label: "Name",
                  cell: ({ id, name }) => html`<a href="${BASE}/providers/${id}">${breakable(name)}</a>`,
                },
                { label: "Id", cell: ({ id }) => mono(id) },
                { label: "Sign-in", cell: ({ auth_types }) => auth_types.map(typeName).join(", ") },
                {
                  label: "Address",
                  cell: ({ base_urls }) => mono(Object.values(base_urls)[0] ?? ""),
                  kind: "wide-only",
                },
              ],
              own,
            )
      }</section>`,
    };
  });
}
