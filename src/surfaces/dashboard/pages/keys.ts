import { html } from "../../../runtime/html.ts";
import type { ApiKeyRecord, CreatedApiKey } from "../../shared/platform-records/api-key.ts";
import { type ApiError, problemsOf } from "../api.ts";
import { BASE } from "../base.ts";
import { field, problemOf } from "../components/fields.ts";
import type { DashboardPage } from "../components/layout.ts";
import { readPage } from "../components/lists.ts";
import { copyable, empty, head, hiddenText, mono, pager, table, time } from "../components/ui.ts";
import { type PageVisit, Redirect, type Routes } from "../routes.ts";

const PAGE_SIZE = 50;
/** Older keys are shown by their ids when they are deleted. */
const MAX_NAMED = 100;

interface KeysPageState {
  created?: string;
  name?: string;
  problem?: ApiError;
}

export function keyRoutes(routes: Routes): void {
  async function show(
    { api, query, form }: PageVisit,
    { created, name, problem }: KeysPageState = {},
  ): Promise<DashboardPage> {
    const { rows, next } = await readPage<ApiKeyRecord>(
      api,
      "/platform/v1/api-keys",
      { after: query.after },
      PAGE_SIZE,
    );
    return {
      title: "API keys",
      section: "keys",
      ...(problem ? { status: 400, hasProblem: true } : {}),
      content: html`${head({
        title: "API keys",
        lead: "Your application sends one with each call. A key can do everything in this workspace.",
      })}
${
  created &&
  html`<section class="card in stack" role="status"><h2>Save the key now</h2><p>It is shown only this once: Plugboard stores its hash.</p>${copyable("api-key", "API key", created)}</section>`
}
<section class="card"><div class="card-head"><h2>New key</h2></div><div class="in">
${form(
  "/keys",
  html`${field({ name: "name", label: "Name", value: name ?? "", hint: "What the key is for; may be empty", problem: problem && problemOf(problem.fields, "name") })}<div><button class="primary">Create a key</button></div>`,
  { className: "stack" },
)}
</div></section>
<section class="card">
${
  rows.length === 0
    ? empty("No keys", "Create one above, and your application can make calls.")
    : table(
        "API keys",
        [
          { label: "Name", cell: ({ name }) => name ?? "(no name)" },
          { label: "Key", cell: ({ prefix }) => mono(`${prefix}…`) },
          { label: "Created", cell: ({ created_at }) => time(created_at) },
          {
            label: "Action",
            cell: ({ id, name, prefix }) =>
              html`<a href="${BASE}/keys/${id}/delete">Delete${hiddenText(` the key ${name ?? prefix}`)}</a>`,
            kind: "number",
          },
        ],
        rows,
      )
}
${pager(`${rows.length} keys`, { first: query.after && "/keys", next: next && `/keys?after=${next}` })}
</section>`,
    };
  }

  routes.page("/keys", (visit) => show(visit));

  routes.action("/keys", async (visit, form) => {
    const name = form.get("name")?.trim() ?? "";
    let created: string | undefined;
    const problem = await problemsOf(async () => {
      const { api_key } = await visit.api.send<CreatedApiKey>("POST", "/platform/v1/api-keys", {
        name: name || null,
      });
      created = api_key;
    });
    return show(visit, problem ? { name, problem } : { created: created! });
  });

  routes.page("/keys/:id/delete", async (visit) => {
    const keys = await visit.api.get<ApiKeyRecord[]>("/platform/v1/api-keys", { order: "newest", limit: MAX_NAMED });
    const key = keys.find(({ id }) => id === visit.params.id);
    const title = key?.name ? `Delete the key ${key.name}?` : "Delete this API key?";
    return {
      title,
      section: "keys",
      content: html`${head({ title, trail: [["/keys", "API keys"]] })}
<section class="card in stack"><p>Calls with the key ${mono(key ? `${key.prefix}…` : visit.params.id!)} are refused immediately. If you signed in with it, you are signed out.</p>
${visit.form(
  `/keys/${encodeURIComponent(visit.params.id!)}/delete`,
  html`<button class="danger">Delete the key</button><a class="button" href="${BASE}/keys">Keep it</a>`,
  { className: "row" },
)}</section>`,
    };
  });

  routes.action("/keys/:id/delete", async ({ api, params }) => {
    await api.send("DELETE", `/platform/v1/api-keys/${encodeURIComponent(params.id!)}`);
    return new Redirect("/keys?done=key-deleted");
  });
}
