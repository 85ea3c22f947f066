import { Fault } from "../../../contracts/fault.ts";
import { checkDocument } from "../../../provider-document/read.ts";
import { html } from "../../../runtime/html.ts";
import type { ProviderDetails } from "../../shared/platform-records/provider.ts";
import { type ApiError, problemsOf } from "../api.ts";
import { BASE } from "../base.ts";
import { documentEditor, documentError, documentText, readDocument, templates } from "../components/document-editor.ts";
import type { DashboardPage } from "../components/layout.ts";
import { card, codeBlock, exactTime, facts, head, mono } from "../components/ui.ts";
import { Data, type PageVisit, Redirect, type Routes } from "../routes.ts";
import { typeName } from "./integrations.ts";
import { createTestCall, type TestCallState } from "./provider-test-call.ts";

interface ProviderPageState extends TestCallState {
  /** What was sent, if it has a problem. */
  text?: string;
  problem?: ApiError;
}

const pathOf = ({ params }: PageVisit) => `/platform/v1/providers/${encodeURIComponent(params.id!)}`;

/** Does what a form asks for, and returns why the API refuses it. */
const refusalOf = (work: () => Promise<unknown>) => problemsOf(work, [400, 409, 413]);

/** Pages of providers by one JSON document: those of the workspace can be changed, those of the catalogue are shown. */
export function providerRoutes(routes: Routes, { headerPrefix }: { headerPrefix: string }): void {
  const testCall = createTestCall(headerPrefix);

  async function read(visit: PageVisit): Promise<ProviderDetails & { document: object }> {
    const provider = await visit.api.get<ProviderDetails>(pathOf(visit));
    if (provider.document === null) throw new Fault("not_found", "the provider is no document");
    return { ...provider, document: provider.document };
  }

  async function show(visit: PageVisit, state: ProviderPageState = {}): Promise<DashboardPage> {
    const { text, problem } = state;
    const provider = await read(visit);
    const { id, name, document, origin } = provider;
    const isOwn = origin === "workspace";
    const shown = text ?? documentText(document);
    return {
      title: name,
      section: "integrations",
      hasLiveCheck: true,
      ...(problem ? { status: problem.status, hasProblem: true } : {}),
      content: html`${head({
        title: name,
        trail: isOwn
          ? [
              ["/integrations", "Integrations"],
              ["/providers", "Own providers"],
            ]
          : [
              ["/integrations", "Integrations"],
              ["/integrations/new", "Add"],
            ],
        actions: [
          visit.link(`/integrations/new/${id}`, "Add an integration", "button primary"),
          !isOwn && visit.link(`/new-provider?from=${id}`, "Start your own from it", "button"),
          isOwn && visit.link(`/providers/${id}/delete`, "Delete", "button danger"),
        ],
      })}
${testCall.result(state)}
<div class="halves">
${card(
  "The document",
  (isOwn &&
    visit.form(
      `/providers/${id}`,
      html`${documentEditor(shown, problem)}<div class="row"><button class="primary">Save</button></div>
<p class="hint">A change is in force within a second. Connections stay, and use it as it is then.</p>`,
      { className: "stack" },
    )) ||
    codeBlock("document", "JSON", shown),
)}
<div class="stack wide">
${card(
  "Details",
  facts([
    ["Id", mono(id)],
    ["From", isOwn ? "This workspace" : "The catalogue"],
    ["Sign-in", provider.auth_types.map(typeName).join(", ")],
    ["Documentation", html`<a href="${provider.docs}" rel="noopener noreferrer" target="_blank">${provider.docs}</a>`],
    ["Changed", provider.updated_at !== null && exactTime(provider.updated_at)],
  ]),
)}
${await testCall.form(visit, provider, state)}
</div>
</div>`,
    };
  }

  routes.page("/providers/:id", "viewer", (visit) => show(visit));

  routes.action("/providers/:id", "admin", async (visit, form) => {
    const read = readDocument(form);
    const text = form.get("document") ?? "";
    if ("problem" in read) return show(visit, { text, problem: documentError(read.problem) });
    const { document: current } = await visit.api.get<ProviderDetails>(pathOf(visit));
    // What the document no longer has is removed.
    const removed = Object.fromEntries(Object.keys(current ?? {}).map((name) => [name, null]));
    const problem = await refusalOf(() => visit.api.send("PATCH", pathOf(visit), { ...removed, ...read.document }));
    return problem ? show(visit, { text, problem }) : new Redirect(`/providers/${visit.params.id}?done=saved`);
  });

  routes.action("/providers/:id/call", "developer", async (visit, form) =>
    show(visit, await testCall.send(visit, form)),
  );

  /** The document of another provider, with an id that is free. */
  async function copyOf({ api }: PageVisit, from: string): Promise<object | undefined> {
    const { id, document } = await api.get<ProviderDetails>(`/platform/v1/providers/${encodeURIComponent(from)}`);
    return document === null ? undefined : { ...document, id: `own-${id}`, sources: undefined };
  }

  async function showNew(visit: PageVisit, state: ProviderPageState = {}): Promise<DashboardPage> {
    const { template = "", from } = visit.query;
    const { document } = Object.hasOwn(templates, template) ? templates[template]! : templates.api_key!;
    const start = (from && (await copyOf(visit, from))) || document;
    const { text = documentText(start), problem } = state;
    return {
      title: "Create a provider",
      section: "integrations",
      hasLiveCheck: true,
      ...(problem ? { status: problem.status, hasProblem: true } : {}),
      content: html`${head({
        title: "Create a provider",
        trail: [
          ["/integrations", "Integrations"],
          ["/providers", "Own providers"],
        ],
        lead: html`Where an API is, and how to authenticate. <a href="/docs/guides/any-api">Which way for which API</a>`,
      })}
<nav class="row" aria-label="Start with">${Object.entries(templates).map(
        ([name, { title }]) => html`<a class="button" href="${BASE}/new-provider?template=${name}">${title}</a>`,
      )}</nav>
${card(
  "The document",
  visit.form(
    "/new-provider",
    html`${documentEditor(text, problem)}<div><button class="primary">Create the provider</button></div>`,
    {
      className: "stack",
    },
  ),
)}`,
    };
  }

  routes.page("/new-provider", "admin", (visit) => showNew(visit));

  routes.action("/new-provider", "admin", async (visit, form) => {
    const read = readDocument(form);
    const text = form.get("document") ?? "";
    if ("problem" in read) return showNew(visit, { text, problem: documentError(read.problem) });
    let created: ProviderDetails | undefined;
    const problem = await refusalOf(async () => {
      created = await visit.api.send<ProviderDetails>("POST", "/platform/v1/providers", read.document);
    });
    return problem
      ? showNew(visit, { text, problem })
      : new Redirect(`/providers/${created!.id}?done=provider-created`);
  });

  /** For the script of the editor. */
  routes.action("/check-provider", "admin", async (_, form) => {
    const read = readDocument(form);
    const problems = "problem" in read ? [read.problem] : await checkDocument(read.document);
    return new Data({ problems: problems.map(({ path, message }) => ({ field: path.join("."), message })) });
  });

  async function confirmDelete(visit: PageVisit, problem?: ApiError): Promise<DashboardPage> {
    const { id, name } = await read(visit);
    return {
      title: `Delete ${name}?`,
      section: "integrations",
      ...(problem ? { status: problem.status, hasProblem: true } : {}),
      content: html`${head({
        title: `Delete ${name}?`,
        trail: [
          ["/providers", "Own providers"],
          [`/providers/${id}`, name],
        ],
      })}
<section class="card in stack">${problem && html`<div class="notice bad" role="alert">${problem.message.replace(/^Conflict: /, "")}</div>`}
<p>It can only be deleted if no integration uses it.</p>
${visit.form(
  `/providers/${id}/delete`,
  html`<button class="danger">Delete the provider</button><a class="button" href="${BASE}/providers/${id}">Keep it</a>`,
  { className: "row" },
)}</section>`,
    };
  }

  routes.page("/providers/:id/delete", "admin", (visit) => confirmDelete(visit));

  routes.action("/providers/:id/delete", "admin", async (visit) => {
    const problem = await refusalOf(() => visit.api.send("DELETE", pathOf(visit)));
    return problem ? confirmDelete(visit, problem) : new Redirect("/providers?done=provider-deleted");
  });
}
