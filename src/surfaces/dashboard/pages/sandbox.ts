import type { BoundOperation } from "../../../contracts/operation.ts";
import { type Html, html } from "../../../runtime/html.ts";
import type { ApiAnswer } from "../api.ts";
import { BASE } from "../base.ts";
import { field } from "../components/fields.ts";
import type { DashboardPage } from "../components/layout.ts";
import { providerNames } from "../components/lists.ts";
import { empty, head, mono, statusTag, table, tag, time } from "../components/ui.ts";
import { type PageVisit, Redirect, type Routes } from "../routes.ts";

/** What can be made to go wrong, and the fields of `POST /sandbox/_faults` that do it. */
const effects: readonly (readonly [id: string, text: string, fields: Record<string, unknown>])[] = [
  ["revoke", "The access is withdrawn: all tokens are revoked", { revoke_tokens: true }],
  ["expire", "Access tokens expire now", { expire_tokens: true }],
  ["401", "Answers 401", { status: 401 }],
  ["403", "Answers 403", { status: 403 }],
  ["429", "Answers 429, try again in 5 s", { status: 429, retry_after: 5 }],
  ["500", "Answers 500", { status: 500 }],
  ["slow", "Takes 5 s to answer", { delay_ms: 5000 }],
  ["drop", "Closes the connection", { drop: true }],
  ["truncate", "Breaks off in the middle of the answer", { truncate: true }],
];

interface ListedFault {
  provider: string;
  path: string | null;
  status: number | null;
  delay_ms: number;
  drop: boolean;
  truncate: boolean;
  times: number;
}

interface SeenRequest {
  provider: string;
  status: number | null;
  method: string;
  path: string;
  at: string;
}

const MAX_SHOWN = 10;

export function sandboxRoutes(routes: Routes, { operations }: { operations: readonly BoundOperation[] }): void {
  async function show(visit: PageVisit, problem?: string): Promise<DashboardPage> {
    const { api, query, form } = visit;
    const names = await providerNames(api);
    const chosen = names.has(query.seen ?? "") ? query.seen : undefined;
    const [faults, requests] = await Promise.all([
      api.get<ListedFault[]>("/sandbox/_faults"),
      api.get<SeenRequest[]>("/sandbox/_requests", { provider: chosen }),
    ]);
    const providers = [...names];
    return {
      title: "Sandbox",
      section: "sandbox",
      ...(problem ? { status: 400, hasProblem: true } : {}),
      content: html`${head({
        title: "Sandbox",
        lead: "The emulated providers. Make them fail and change, and see what reaches them. Everybody who uses this sandbox sees the effect.",
      })}
${problem && html`<div class="notice bad" role="alert">${problem}</div>`}
<div class="halves">
<section class="card"><div class="card-head"><h2>Make a provider fail</h2></div><div class="in">
${form(
  "/sandbox/faults",
  html`${field({ name: "provider", label: "Provider", options: providers })}
${field({ name: "effect", label: "What happens", options: effects.map(([id, text]) => [id, text]) })}
${field({ name: "path", label: "Only where the path contains (optional)", value: "" })}
${field({ name: "times", label: "How many requests", input: "number", value: "1" })}
<div><button class="primary">Make it fail</button></div>`,
  { className: "stack" },
)}
</div></section>
<section class="card"><div class="card-head"><h2>Change its records</h2></div><div class="in">
${form(
  "/sandbox/changes",
  html`${field({ name: "change-provider", label: "Provider", options: providers })}
${field({
  name: "list",
  label: "List",
  hint: "Not every provider has every list",
  options: operations
    .filter(({ kind }) => kind === "list")
    .map(({ id, category, summary }) => [id, `${category} · ${summary}`]),
})}
${field({ name: "create", label: "Records to create", input: "number", value: "1" })}
${field({ name: "update", label: "Records to update", input: "number", value: "0" })}
${field({ name: "delete", label: "Records to delete", input: "number", value: "0" })}
<div><button>Change</button></div>`,
  { className: "stack" },
)}
</div></section>
</div>
<section class="card"><div class="card-head"><h2>Faults that wait for requests</h2>${
        faults.length > 0 && form("/sandbox/faults/clear", html`<button class="small">Remove all</button>`)
      }</div>
${
  faults.length === 0
    ? empty("None", "Every emulated provider answers as it should.")
    : table(
        "Faults that wait for requests",
        [
          { label: "Provider", cell: ({ provider }) => names.get(provider) ?? provider },
          { label: "What happens", cell: describeFault },
          { label: "Path", cell: ({ path }) => (path === null ? "any" : mono(path)) },
          { label: "Times", cell: ({ times }) => times, kind: "number" },
        ],
        faults,
      )
}</section>
<section class="card"><div class="card-head"><h2>The latest requests</h2>${form("/sandbox/requests/clear", html`<button class="small">Clear</button>`)}</div>
<form method="get" action="${BASE}/sandbox" class="filters" role="search">
${field({ name: "seen", label: "Provider", value: chosen ?? "", options: [["", "All"], ...providers] })}
<button>Search</button></form>
${
  requests.length === 0
    ? empty("None yet", html`<a href="${BASE}/explorer">Make a call in the explorer</a>, and it appears here.`)
    : table(
        "The latest requests",
        [
          { label: "Status", cell: ({ status }) => (status === null ? tag("No answer", "bad") : statusTag(status)) },
          { label: "Provider", cell: ({ provider }) => names.get(provider) ?? provider },
          { label: "Request", cell: ({ method, path }) => html`${method} ${mono(path)}` },
          { label: "When", cell: ({ at }) => time(at) },
        ],
        requests.slice(-MAX_SHOWN).reverse(),
      )
}</section>`,
    };
  }

  routes.page("/sandbox", "developer", (visit) => show(visit));

  const wholeNumber = (form: URLSearchParams, name: string) => {
    const text = form.get(name)?.trim() ?? "";
    return text === "" ? undefined : Number(text);
  };

  /** Calls a control. It has no fields of its own to put a problem next to. */
  async function control(
    visit: PageVisit,
    path: string,
    body: object,
    done: string,
  ): Promise<DashboardPage | Redirect> {
    const answer: ApiAnswer = await visit.api.call({ method: "POST", path, body });
    if (answer.status < 400) return new Redirect(`/sandbox?done=${done}`);
    return show(visit, (answer.body as { message?: string }).message ?? "The sandbox refused this");
  }

  routes.action("/sandbox/faults", "developer", (visit, form) => {
    const [, , fields] = effects.find(([id]) => id === form.get("effect")) ?? effects[0]!;
    const path = form.get("path")?.trim();
    const fault = {
      provider: form.get("provider"),
      times: wholeNumber(form, "times"),
      ...(path ? { path } : {}),
      ...fields,
    };
    return control(visit, "/sandbox/_faults", fault, "fault-made");
  });

  routes.action("/sandbox/changes", "developer", (visit, form) => {
    const [create, update, remove] = ["create", "update", "delete"].map((name) => wholeNumber(form, name));
    const change = { provider: form.get("change-provider"), list: form.get("list"), create, update, delete: remove };
    return control(visit, "/sandbox/_changes", change, "changed");
  });

  for (const what of ["faults", "requests"])
    routes.action(`/sandbox/${what}/clear`, "developer", async ({ api }) => {
      await api.send("DELETE", `/sandbox/_${what}`);
      return new Redirect("/sandbox?done=cleared");
    });
}

function describeFault({ status, delay_ms, drop, truncate }: ListedFault): Html | string {
  const parts = [
    status !== null && `answers ${status}`,
    delay_ms > 0 && `waits ${delay_ms} ms`,
    drop && "closes the connection",
    truncate && "breaks off the answer",
  ];
  return parts.filter(Boolean).join(", ");
}
