import { type Html, html } from "../../../runtime/html.ts";
import type { AuditRecord } from "../../shared/platform-records/audit-entry.ts";
import { type ApiQuery, readFiltered, withQuery } from "../api.ts";
import { BASE } from "../base.ts";
import { type FormField, field, filterStatus, problemOf } from "../components/fields.ts";
import { breakable, codeBlock, empty, head, mono, pager, table, tag, time } from "../components/ui.ts";
import type { Routes } from "../routes.ts";

const PAGE_SIZE = 50;
/** After every entry. */
const FAR = "9999-12-31";

const filters: FormField[] = [
  { name: "actor", label: "Who: the id of a key or a person" },
  { name: "action", label: "Action, such as key.create or connection.*" },
  { name: "target", label: "Target: an id" },
  { name: "since", label: "From (UTC)", input: "datetime-local" },
  { name: "until", label: "Until (UTC)", input: "datetime-local" },
];

/** Pages that show what an entry is about. */
const pages: Record<string, string> = {
  connection: "connections",
  integration: "integrations",
  webhook: "webhooks",
  subscription: "subscriptions",
};

function targetOf({ action, target, outcome }: AuditRecord): Html | string {
  if (target.id === null) return "–";
  const page = pages[target.kind];
  const isThere = page && outcome === "success" && !action.endsWith(".delete");
  return isThere ? html`<a href="${BASE}/${page}/${target.id}">${mono(target.id)}</a>` : mono(target.id);
}

const kinds = { key: "API key", person: "Person", command: "Command", system: "Plugboard" };

export function auditRoutes(routes: Routes, { platformUrl }: { platformUrl: string }): void {
  routes.page("/audit", "viewer", async ({ api, query }) => {
    const given: ApiQuery = Object.fromEntries(filters.map(({ name }) => [name, (query[name] ?? "").trim()]));
    const isFiltered = Object.values(given).some((value) => value !== "");
    const { since, until, ...filter } = given;
    const wanted = { ...filter, after: since, before: query.before || until || FAR, limit: PAGE_SIZE + 1 };
    const { result: found, problems } = await readFiltered<AuditRecord[]>(
      () => api.get("/platform/v1/audit", wanted),
      [],
    );
    const rows = found.slice(0, PAGE_SIZE);
    const fieldProblems = { ...problems, since: problems.after ?? [], until: problems.before ?? [] };
    return {
      title: "Audit log",
      section: "audit",
      ...filterStatus(problems),
      content: html`${head({
        title: "Audit log",
        lead: "Who changed what, who saw a secret, and what was refused; newest first. Calls to providers are under Requests.",
      })}
<section class="card">
<form method="get" action="${BASE}/audit" class="filters" role="search">
${filters.map((one) => field({ ...one, value: String(given[one.name]), problem: problemOf(fieldProblems, one.name) }))}
<button>Search</button>${isFiltered && html`<a class="button" href="${BASE}/audit">Clear</a>`}
</form>
${
  rows.length > 0
    ? table(
        "Audit log",
        [
          {
            label: "Who",
            cell: ({ actor }) =>
              html`${breakable(actor.name ?? actor.id ?? kinds[actor.kind])}<span class="quiet">${kinds[actor.kind]}${actor.id && html` ${mono(actor.id)}`}</span>`,
          },
          {
            label: "What",
            cell: ({ action, outcome, changes }) =>
              html`${action} ${outcome === "refused" && tag("refused", "warn")}${changes && html`<span class="quiet">${changes.join(", ")}</span>`}`,
          },
          { label: "Target", cell: targetOf },
          { label: "From", cell: ({ ip }) => (ip ? mono(ip) : "–"), kind: "wide-only" },
          { label: "When", cell: ({ at }) => time(at) },
        ],
        rows,
      )
    : isFiltered || query.before
      ? empty("No entry matches", html`<a href="${BASE}/audit">Show all entries</a>`)
      : empty("No entries yet", "There is one for each change from now on.")
}
${pager(`${rows.length} entries`, {
  first: query.before && withQuery("/audit", given),
  next: found.length > PAGE_SIZE ? withQuery("/audit", { ...given, before: rows.at(-1)!.id }) : undefined,
})}
</section>
<section class="card"><div class="card-head"><h2>Export</h2></div><div class="in">${codeBlock("export", "All entries, one on each line", `curl -s '${platformUrl}/v1/audit?after=2000-01-01' -H 'Accept: application/x-ndjson' -H "Authorization: Bearer $API_KEY"`, true)}</div></section>`,
    };
  });
}
