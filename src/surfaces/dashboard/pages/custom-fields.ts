import { customFieldTypes } from "../../../contracts/custom-fields.ts";
import type { BoundOperation } from "../../../contracts/operation.ts";
import { type Html, html } from "../../../runtime/html.ts";
import type { ConnectionRecord } from "../../shared/platform-records/connection.ts";
import type { CustomFieldRecord } from "../../shared/platform-records/custom-field.ts";
import { type Api, type ApiError, problemsOf, withQuery } from "../api.ts";
import { BASE } from "../base.ts";
import { field, problemOf } from "../components/fields.ts";
import type { DashboardPage } from "../components/layout.ts";
import { breakable, empty, facts, head, hiddenText, mono, type TableColumn, table } from "../components/ui.ts";
import { chooseOperation, type OperationChoice } from "../operation-choice.ts";
import { type PageVisit, Redirect, type Routes } from "../routes.ts";
import { callOperation, errorText, needsInput } from "../unified-call.ts";

interface Offered {
  path: string;
  label: string;
  type: string;
  custom: boolean;
  example: unknown;
}

const SCOPES = [
  ["workspace", "Every connection of the workspace"],
  ["integration", "Connections of the same integration"],
  ["connection", "Only this connection"],
] as const;

const scopeText = ({ integration_id, connection_id }: CustomFieldRecord): Html | string =>
  connection_id || integration_id ? mono((connection_id ?? integration_id)!) : "All connections";

const columns: TableColumn<CustomFieldRecord>[] = [
  { label: "Name", cell: ({ id, name }) => html`${breakable(name)}<span class="quiet mono">${id}</span>` },
  { label: "Record", cell: ({ record }) => record },
  { label: "Type", cell: ({ type }) => type },
  {
    label: "Where",
    cell: ({ paths }) =>
      html`${Object.entries(paths).map(([provider, path]) => html`<div>${provider} <span class="mono anywhere">${path}</span></div>`)}`,
  },
  { label: "For", cell: scopeText },
];

/** A name for a field, from its label. */
const nameFor = (label: string) =>
  label
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^[^a-z]+|_+$/g, "")
    .slice(0, 63) || "field";

const exampleText = (example: unknown): string => (example === null ? "No value found" : JSON.stringify(example));

const notice = (text: string): Html => html`<div class="notice bad" role="alert">${text}</div>`;

interface CustomFieldPageOptions {
  operations: readonly BoundOperation[];
  headerPrefix: string;
}

export function customFieldRoutes(routes: Routes, { operations, headerPrefix }: CustomFieldPageOptions): void {
  const lists = operations.filter((operation) => operation.kind === "list" && !needsInput(operation));

  async function readOffered(api: Api, { connection, operation }: NonNullable<OperationChoice["chosen"]>) {
    const call = { operation: { ...operation, route: `${operation.route}/fields` }, connectionId: connection.id };
    const answer = await callOperation(api, { ...call, params: {}, query: {} }, headerPrefix);
    if (answer.status !== 200) return { problem: errorText(answer) || `The provider answered ${answer.status}.` };
    const { data, metadata } = (answer.body as { response: { data: Offered[]; metadata: { missing: string[] } } })
      .response;
    return { offered: data, missing: metadata.missing };
  }

  function offeredTable(visit: PageVisit, chosen: NonNullable<OperationChoice["chosen"]>, offered: Offered[]): Html {
    const { connection, operation } = chosen;
    const declareLink = ({ path, label }: Offered) =>
      visit.link(
        withQuery("/custom-fields/new", { connection: connection.id, operation: operation.id, path }),
        html`Declare${hiddenText(` ${label}`)}`,
      );
    return table<Offered>(
      "Fields of this connection",
      [
        { label: "Field", cell: ({ label, path }) => html`${label}<span class="quiet mono anywhere">${path}</span>` },
        { label: "Type", cell: ({ type }) => type },
        { label: "Added by", cell: ({ custom }) => (custom ? "The account" : "The provider") },
        {
          label: "On a real record",
          cell: ({ example }) => html`<span class="anywhere">${exampleText(example)}</span>`,
        },
        { label: "Action", cell: declareLink, kind: "number" },
      ],
      offered,
    );
  }

  async function chosenFields(visit: PageVisit, chosen: OperationChoice["chosen"]): Promise<Html | false> {
    if (!chosen) return false;
    // Without a choice, nobody waits for a provider.
    if (!visit.query.connection) return html`<p class="quiet">Select Choose to see the fields of this connection.</p>`;
    const { offered, missing = [], problem } = await readOffered(visit.api, chosen);
    if (!offered) return notice(problem);
    return html`${missing.length > 0 && html`<div class="notice">Declared, but not there: ${missing.join(", ")}. They are null.</div>`}
<section class="card">${offered.length === 0 ? empty("No fields", "The list has no records to find some in.") : offeredTable(visit, chosen, offered)}</section>`;
  }

  routes.page("/custom-fields", "viewer", async (visit) => {
    const declared = await visit.api.get<CustomFieldRecord[]>("/platform/v1/custom-fields");
    const mayDeclare = visit.mayOpen("/custom-fields/new");
    const { form, chosen } = await chooseOperation(visit.api, "/custom-fields", lists, visit.query);
    const deleteColumn: TableColumn<CustomFieldRecord> = {
      label: "Action",
      cell: ({ id, name }) => visit.link(`/custom-fields/${id}/delete`, html`Delete${hiddenText(` ${name}`)}`),
      kind: "number",
    };
    return {
      title: "Custom fields",
      section: "custom-fields",
      content: html`${head({
        title: "Custom fields",
        lead: html`Fields that accounts have added, under <a href="/docs/guides/custom-fields">one name</a> at every provider: records have them in <code>custom</code>.`,
      })}
<section class="card">${
        declared.length === 0
          ? empty("No custom fields yet", mayDeclare && "Choose a connection below, and declare one of its fields.")
          : table("Custom fields", mayDeclare ? [...columns, deleteColumn] : columns, declared)
      }</section>
${mayDeclare && html`${form}${await chosenFields(visit, chosen)}`}`,
    };
  });

  async function showNew(visit: PageVisit, sent = new URLSearchParams(), problem?: ApiError): Promise<DashboardPage> {
    const of = (name: string) => sent.get(name) ?? visit.query[name] ?? "";
    const path = of("path");
    const { form, chosen } = await chooseOperation(visit.api, "/custom-fields", lists, {
      connection: of("connection") || undefined,
      operation: of("operation"),
    });
    if (!chosen) return { title: "Custom fields", section: "custom-fields", content: form };
    const { connection, operation } = chosen;
    const { offered = [], problem: unread } = await readOffered(visit.api, chosen);
    const found = offered.find((one) => one.path === path);
    const types = found ? customFieldTypes : ["", ...customFieldTypes];
    const value = (name: string, fallback: string) => sent.get(name) ?? fallback;
    const wrong = (name: string) => (problem ? problemOf(problem.fields, name) : undefined);
    const isKnown = Object.keys(problem?.fields ?? {}).some((name) => ["name", "type"].includes(name));
    return {
      title: `Declare ${found?.label ?? path}`,
      section: "custom-fields",
      ...(problem ? { status: 400, hasProblem: true } : {}),
      content: html`${head({ title: `Declare ${found?.label ?? path}`, trail: [["/custom-fields", "Custom fields"]] })}
<section class="card in stack">${unread && notice(unread)}${problem && !isKnown && notice(problem.message)}
${facts([
  ["Record", operation.recordName!],
  ["Provider", connection.integration_identifier],
  ["Path", mono(path)],
  ["On a real record", found && exampleText(found.example)],
])}
${visit.form(
  "/custom-fields",
  html`<input type="hidden" name="connection" value="${connection.id}"><input type="hidden" name="operation" value="${operation.id}"><input type="hidden" name="path" value="${path}">
${field({ name: "name", label: "Name", hint: "What it is called in custom: lower-case letters, digits and _", value: value("name", nameFor(found?.label ?? "")), problem: wrong("name"), required: true })}
${field({ name: "type", label: "Type", value: value("type", found?.type ?? ""), options: types.map((type) => [type, type || "Choose"]), problem: wrong("type"), required: true })}
${field({ name: "scope", label: "For", value: value("scope", "workspace"), options: SCOPES })}
<div><button class="primary">Declare the field</button></div>`,
  { className: "stack" },
)}</section>`,
    };
  }

  routes.page("/custom-fields/new", "admin", (visit) => showNew(visit));

  routes.action("/custom-fields", "admin", async (visit, sent) => {
    const operation = lists.find(({ id }) => id === sent.get("operation")) ?? lists[0]!;
    const connection = await visit.api.get<ConnectionRecord>(
      `/platform/v1/connections/${encodeURIComponent(sent.get("connection") || "none")}`,
    );
    const scope = sent.get("scope");
    const body = {
      record: operation.recordName,
      name: sent.get("name") ?? "",
      type: sent.get("type") ?? "",
      paths: { [connection.integration_identifier]: sent.get("path") ?? "" },
      ...(scope === "integration" && { integration_id: connection.integration_id }),
      ...(scope === "connection" && { connection_id: connection.id }),
    };
    const problem = await problemsOf(() => visit.api.send("POST", "/platform/v1/custom-fields", body), [400, 409]);
    return problem ? showNew(visit, sent, problem) : new Redirect("/custom-fields?done=custom-field-created");
  });

  const pathOf = ({ params }: PageVisit) => `/custom-fields/${encodeURIComponent(params.id!)}`;

  routes.page("/custom-fields/:id/delete", "admin", async (visit) => {
    const { name, record } = await visit.api.get<CustomFieldRecord>(`/platform/v1${pathOf(visit)}`);
    const title = `Delete the custom field ${name}?`;
    return {
      title,
      section: "custom-fields",
      content: html`${head({ title, trail: [["/custom-fields", "Custom fields"]] })}
<section class="card in stack"><p>Records of ${mono(record)} no longer have it. At the provider, nothing changes.</p>
${visit.form(
  `${pathOf(visit)}/delete`,
  html`<button class="danger">Delete the custom field</button><a class="button" href="${BASE}/custom-fields">Keep it</a>`,
  { className: "row" },
)}</section>`,
    };
  });

  routes.action("/custom-fields/:id/delete", "admin", async (visit) => {
    await visit.api.send("DELETE", `/platform/v1${pathOf(visit)}`);
    return new Redirect("/custom-fields?done=custom-field-deleted");
  });
}
