import { type Html, html } from "../../../runtime/html.ts";
import { presetOf } from "../../shared/key-presets.ts";
import type { ApiKeyRecord, CreatedApiKey } from "../../shared/platform-records/api-key.ts";
import type { ToolPackRecord } from "../../shared/platform-records/tool-pack.ts";
import { type ApiError, problemsOf } from "../api.ts";
import { BASE } from "../base.ts";
import { problemSummary } from "../components/fields.ts";
import { keyFields, keyLabels, readKeyForm } from "../components/key-form.ts";
import type { DashboardPage } from "../components/layout.ts";
import { readPage, readToolPacks } from "../components/lists.ts";
import {
  breakable,
  card,
  copyable,
  empty,
  head,
  hiddenText,
  mono,
  pager,
  type TableColumn,
  table,
  tag,
  time,
} from "../components/ui.ts";
import { type PageVisit, Redirect, type Routes } from "../routes.ts";

const PAGE_SIZE = 50;
/** Older keys are shown by their ids when they are deleted. */
const MAX_NAMED = 100;

interface KeysPageState {
  created?: CreatedApiKey;
  sent?: URLSearchParams;
  problem?: ApiError;
}

type Packs = readonly ToolPackRecord[];

const permissions = ({ scopes, external_id, connection_ids, tool_pack_id }: ApiKeyRecord, packs: Packs): Html => {
  const preset = presetOf(scopes);
  const pack = packs.find(({ id }) => id === tool_pack_id);
  return html`${preset?.title}${!scopes.includes("*") && html`<span class="${preset && "quiet"}">${scopes.join(", ")}</span>`}${
    tool_pack_id !== null &&
    html`<span class="quiet">Only the tool pack ${breakable(pack?.name ?? tool_pack_id)}</span>`
  }${
    external_id !== null && html`<span class="quiet">Only for the user ${breakable(external_id)}</span>`
  }${connection_ids !== null && html`<span class="quiet">Only for ${connection_ids.join(", ")}</span>`}`;
};

const expiry = ({ expires_at }: ApiKeyRecord): Html | string => {
  if (expires_at === null) return "Never";
  return html`${Date.parse(expires_at) <= Date.now() && html`${tag("Expired", "bad")} `}${time(expires_at)}`;
};

const columnsWith = (packs: Packs): TableColumn<ApiKeyRecord>[] => [
  {
    label: "Name",
    cell: ({ name, prefix }) => html`${breakable(name ?? "(no name)")}<span class="quiet mono">${prefix}…</span>`,
  },
  { label: "May do", cell: (key) => permissions(key, packs) },
  {
    label: "Last used",
    cell: ({ last_used_at }) =>
      last_used_at === null ? html`<span class="nowrap">Never used</span>` : time(last_used_at),
  },
  { label: "Expires", cell: expiry },
  { label: "Created", cell: ({ created_at }) => time(created_at), kind: "wide-only" },
];

export function keyRoutes(routes: Routes): void {
  async function show(visit: PageVisit, { created, sent, problem }: KeysPageState = {}): Promise<DashboardPage> {
    const { api, query, caller } = visit;
    const mayCreate = visit.maySend("/keys");
    const { rows, next } = await readPage<ApiKeyRecord>(
      api,
      "/platform/v1/api-keys",
      { after: query.after },
      PAGE_SIZE,
    );
    const packs = await readToolPacks(api);
    const columns = columnsWith(packs);
    return {
      title: "API keys",
      section: "keys",
      ...(problem ? { status: 400, hasProblem: true } : {}),
      content: html`${head({
        title: "API keys",
        lead: "Programs send one with each call. Give each job a key of its own, which may do what the job takes and no more.",
        actions: [mayCreate && html`<a class="button primary" href="#new-key">New key</a>`],
      })}
${problem && problemSummary(problem.fields, keyLabels, problem.message)}
${
  created &&
  html`<section class="card in stack" role="status"><h2>Save the key now</h2><p>It is shown only this once: Plugboard stores its hash.</p>${copyable("api-key", "API key", created.api_key)}</section>`
}
<section class="card">
${
  rows.length === 0
    ? empty("No keys", mayCreate && "Create one below, and your application can make calls.")
    : table("API keys", mayCreate ? [...columns, deleteColumn(visit)] : columns, rows)
}
${pager(`${rows.length} keys`, { first: query.after && "/keys", next: next && `/keys?after=${next}` })}
</section>
${card(
  "New key",
  visit.form(
    "/keys",
    html`${keyFields({ caller, packs, sent, problem })}<div><button class="primary">Create a key</button></div>`,
    { className: "stack wide" },
  ),
  "new-key",
)}`,
    };
  }

  const deleteColumn = ({ link }: PageVisit): TableColumn<ApiKeyRecord> => ({
    label: "Action",
    cell: ({ id, name, prefix }) => link(`/keys/${id}/delete`, html`Delete${hiddenText(` the key ${name ?? prefix}`)}`),
    kind: "number",
  });

  routes.page("/keys", "viewer", (visit) => show(visit));

  routes.action("/keys", "admin", async (visit, sent) => {
    let created: CreatedApiKey | undefined;
    const problem = await problemsOf(async () => {
      created = await visit.api.send("POST", "/platform/v1/api-keys", readKeyForm(sent, visit.caller));
    });
    return show(visit, problem ? { sent, problem } : { created: created! });
  });

  routes.page("/keys/:id/delete", "admin", async (visit) => {
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

  routes.action("/keys/:id/delete", "admin", async ({ api, params }) => {
    await api.send("DELETE", `/platform/v1/api-keys/${encodeURIComponent(params.id!)}`);
    return new Redirect("/keys?done=key-deleted");
  });
}
