import { type Html, html } from "../../../runtime/html.ts";
import { type LogRecord, SEARCHED_UNTIL_HEADER } from "../../shared/platform-records/log-entry.ts";
import { type Api, type ApiQuery, readFiltered, withQuery } from "../api.ts";
import { BASE } from "../base.ts";
import { type FormField, field, filterStatus, problemOf } from "../components/fields.ts";
import { errorSources, requestColumns } from "../components/request-table.ts";
import { empty, head, pager, table, time } from "../components/ui.ts";
import type { PageVisit, Routes } from "../routes.ts";

const PAGE_SIZE = 50;
/** What the API can skip. */
const MAX_OFFSET = 1_000;

const choices = (all: string, ...others: (readonly [string, string])[]) => [["", all] as const, ...others];

const mainFilters: FormField[] = [
  { name: "external_id", label: "External id" },
  { name: "path", label: "Path contains" },
  {
    name: "status",
    label: "Status",
    options: choices("All", ["2xx", "2xx succeeded"], ["4xx", "4xx refused"], ["5xx", "5xx failed"]),
  },
  {
    name: "error_source",
    label: "Error of",
    options: choices("All requests", ["any", "Anybody"], ...Object.entries(errorSources)),
  },
];

const otherFilters: FormField[] = [
  { name: "operation", label: "Operation, such as tasks.listTasks" },
  { name: "connection_id", label: "Connection id" },
  { name: "request_id", label: "Request id" },
  {
    name: "surface",
    label: "API",
    options: choices("All", ...["unified", "proxy", "mcp", "platform", "auth"].map((one) => [one, one] as const)),
  },
  { name: "since", label: "From (UTC)", input: "datetime-local" },
  { name: "until", label: "Until (UTC)", input: "datetime-local" },
  {
    name: "platform_reads",
    label: "Reads of the Platform API",
    options: choices("Leave out", ["true", "Show"]),
  },
];

const names = [...mainFilters, ...otherFilters].map(({ name }) => name);

interface FoundLogs {
  found: LogRecord[];
  /** What is older was not searched; undefined if everything was. */
  searchedUntil: string | undefined;
}
const NOTHING: FoundLogs = { found: [], searchedUntil: undefined };

async function readLogs(api: Api, wanted: ApiQuery): Promise<FoundLogs> {
  const { body: found, headers } = await api.read<LogRecord[]>("/platform/v1/logs", wanted);
  const until = headers[SEARCHED_UNTIL_HEADER.toLowerCase()];
  return { found, searchedUntil: typeof until === "string" ? until : undefined };
}

export function requestListRoutes(routes: Routes): void {
  routes.page("/requests", "viewer", async ({ api, query, link }) => {
    const filter: ApiQuery = Object.fromEntries(names.map((name) => [name, (query[name] ?? "").trim()]));
    const isFiltered = Object.values(filter).some((value) => value !== "");
    const offset = Math.min(MAX_OFFSET, Math.max(0, Number.parseInt(query.offset ?? "0", 10) || 0));
    const platform_reads = filter.platform_reads === "true" || filter.surface === "platform";
    const wanted = { ...filter, platform_reads, offset, limit: PAGE_SIZE + 1 };
    const { result, problems } = await readFiltered(() => readLogs(api, wanted), NOTHING);
    const { found, searchedUntil } = result;
    const rows = found.slice(0, PAGE_SIZE);
    const hasNext = found.length > PAGE_SIZE && offset + PAGE_SIZE <= MAX_OFFSET;
    const shown = (one: FormField) =>
      field({ ...one, value: String(filter[one.name]), problem: problemOf(problems, one.name) });
    const usesOthers = otherFilters.some(({ name }) => filter[name] !== "");
    return {
      title: "Requests",
      section: "requests",
      ...filterStatus(problems),
      content: html`${head({
        title: "Requests",
        lead: "What your application called in the last seven days, newest first. Open one to see why it failed, and the calls to the provider behind it.",
        actions: [link(withQuery("/requests", filter), "Reload", "button")],
      })}
<section class="card">
<form method="get" action="${BASE}/requests" class="filters" role="search">
${mainFilters.map(shown)}
<button>Search</button>${isFiltered && html`<a class="button" href="${BASE}/requests">Clear</a>`}
<details class="whole"${usesOthers && html` open`}><summary>More filters</summary><div class="filters">${otherFilters.map(shown)}</div></details>
</form>
${rows.length > 0 ? table("Requests", requestColumns, rows) : noRequests(isFiltered, link)}
${
  searchedUntil &&
  html`<p class="in" role="status">Searched back to ${time(searchedUntil)}, because many requests had to be read. <a href="${BASE}${withQuery("/requests", { ...filter, until: searchedUntil.replace("Z", "") })}">Search further back</a></p>`
}
${pager(`${offset + 1} to ${offset + rows.length}`, {
  first: offset > 0 ? withQuery("/requests", filter) : undefined,
  next: hasNext ? withQuery("/requests", { ...filter, offset: offset + PAGE_SIZE }) : undefined,
})}
</section>`,
    };
  });
}

const noRequests = (isFiltered: boolean, link: PageVisit["link"]): Html =>
  isFiltered
    ? empty(
        "No request matches",
        html`A request appears about a second after it was made. <a href="${BASE}/requests">Show all requests</a>`,
      )
    : empty("No requests yet", link("/explorer", "Make the first call in the explorer."));
