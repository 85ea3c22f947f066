import { html } from "../../../runtime/html.ts";
import type { EventPage } from "../../shared/platform-records/event.ts";
import { readFiltered, withQuery } from "../api.ts";
import { BASE } from "../base.ts";
import { field, filterStatus, problemOf } from "../components/fields.ts";
import { empty, head, mono, pager, prettyJson, table, time } from "../components/ui.ts";
import type { Routes } from "../routes.ts";

const PAGE_SIZE = 50;

const noEvents: EventPage = { data: [], next: "" };

export function eventRoutes(routes: Routes): void {
  routes.page("/events", "viewer", async ({ api, query, link }) => {
    const { type = "", connection_id = "", before } = query;
    const filter = { type: type.trim(), connection_id: connection_id.trim() };
    const isFiltered = filter.type !== "" || filter.connection_id !== "";
    const wanted = { ...filter, before: before ?? "latest", limit: PAGE_SIZE };
    const { result, problems } = await readFiltered<EventPage>(() => api.get("/platform/v1/events", wanted), noEvents);
    const { data, next } = result;
    return {
      title: "Events",
      section: "events",
      ...filterStatus(problems),
      content: html`${head({
        title: "Events",
        lead: "What happened to connections and, with subscriptions, to records at the providers; newest first.",
      })}
<section class="card">
<form method="get" action="${BASE}/events" class="filters" role="search">
${field({ name: "type", label: "Type, such as connection.invalid or tasks.*", value: type, problem: problemOf(problems, "type"), className: "grow" })}
${field({ name: "connection_id", label: "Connection id", value: connection_id, problem: problemOf(problems, "connection_id"), className: "grow" })}
<button>Search</button>${isFiltered && html`<a class="button" href="${BASE}/events">Clear</a>`}
</form>
${
  data.length > 0
    ? table(
        "Events",
        [
          { label: "Type", cell: ({ id, type }) => html`${type}<span class="quiet mono wide-only">${id}</span>` },
          {
            label: "Connection",
            cell: ({ connection_id: id }) => (id ? html`<a href="${BASE}/connections/${id}">${mono(id)}</a>` : "–"),
          },
          {
            label: "Data",
            cell: ({ data }) =>
              html`<details><summary>Show</summary><pre class="wrap">${prettyJson(data)}</pre></details>`,
          },
          { label: "When", cell: ({ timestamp }) => time(timestamp) },
        ],
        data,
      )
    : before
      ? empty("No earlier events", html`<a href="${BASE}${withQuery("/events", filter)}">Show the newest</a>`)
      : isFiltered
        ? empty("No event matches", html`<a href="${BASE}/events">Show all events</a>`)
        : empty(
            "No events yet",
            "There is one for each account that is connected.",
            link("/connect", "Connect an account"),
          )
}
${pager(`${data.length} events`, {
  first: before && withQuery("/events", filter),
  next: data.length === PAGE_SIZE ? withQuery("/events", { ...filter, before: next }) : undefined,
})}
</section>`,
    };
  });
}
