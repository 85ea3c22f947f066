import type { BoundOperation } from "../../../contracts/operation.ts";
import { type Html, html } from "../../../runtime/html.ts";
import type { ConnectionRecord } from "../../shared/platform-records/connection.ts";
import type { ProviderRecord } from "../../shared/platform-records/provider.ts";
import type { Api, ApiAnswer } from "../api.ts";
import { ApiError, withQuery } from "../api.ts";
import { BASE } from "../base.ts";
import { callResult } from "../components/call-result.ts";
import { field } from "../components/fields.ts";
import type { DashboardPage } from "../components/layout.ts";
import { readProviders } from "../components/lists.ts";
import { initialForm, inputName, operationFields, readValues } from "../components/operation-form.ts";
import { curlCommand, type SnippetOptions, sdkCode } from "../components/snippets.ts";
import { codeBlock, empty, head, prettyJson, statusTag, tag } from "../components/ui.ts";
import type { PageVisit, Routes } from "../routes.ts";
import { callOperation, isProvidersAnswer, testOperation } from "../unified-call.ts";
import { connectionTitle, invalidNotice } from "./connection.ts";

export interface ExplorerOptions extends SnippetOptions {
  operations: readonly BoundOperation[];
}

/** More would not be chosen from a list. */
const MAX_LISTED = 100;

interface Chosen {
  connection: ConnectionRecord;
  provider: ProviderRecord;
  operation: BoundOperation;
}

interface ExplorerPageState {
  values?: URLSearchParams;
  /** What is wrong with the values, by the name of the input. */
  problems?: ReadonlyMap<string, string>;
  answer?: ApiAnswer;
  isDryRun?: boolean;
}

export function explorerRoutes(routes: Routes, options: ExplorerOptions): void {
  const { operations, headerPrefix } = options;

  /** The connections to choose from, and the chosen one, which may not be among the first. */
  async function readConnections(api: Api, wanted: string | undefined) {
    const listed = await api.get<ConnectionRecord[]>("/platform/v1/connections", { limit: MAX_LISTED });
    if (!wanted) return { listed, chosen: listed[0] };
    const found = listed.find(({ id }) => id === wanted);
    if (found) return { listed, chosen: found };
    const chosen = await api.get<ConnectionRecord>(`/platform/v1/connections/${encodeURIComponent(wanted)}`);
    return { listed: [chosen, ...listed], chosen };
  }

  async function show(
    visit: PageVisit,
    given: { connection?: string; operation?: string },
    shown: ExplorerPageState = {},
  ): Promise<DashboardPage> {
    const [{ listed, chosen }, providers] = await Promise.all([
      readConnections(visit.api, given.connection),
      readProviders(visit.api),
    ]);
    const page = { title: "Explorer", section: "explorer" } as const;
    const top = head({
      title: "Explorer",
      lead: "Call an operation over a connection, and see what the provider gets and answers.",
    });
    if (!chosen)
      return {
        ...page,
        content: html`${top}<section class="card">${empty("No connections yet", html`<a href="${BASE}/connect">Connect an account</a> first.`)}</section>`,
      };
    const provider = providers.find(({ id }) => id === chosen.integration_identifier);
    const possible = operations.filter(({ id }) => provider?.operations.includes(id));
    const operation =
      possible.find(({ id }) => id === given.operation) ??
      testOperation(operations, provider?.operations ?? []) ??
      possible[0];
    const names = new Map(providers.map(({ id, name }) => [id, name]));
    const choice = html`<section class="card"><form method="get" action="${BASE}/explorer" class="filters" data-auto>
${field({
  name: "connection",
  label: "Connection",
  value: chosen.id,
  options: listed.map((one) => [
    one.id,
    `${names.get(one.integration_identifier) ?? one.integration_identifier} · ${connectionTitle(one)}`,
  ]),
  className: "grow",
})}
${field({
  name: "operation",
  label: "Operation",
  value: operation?.id ?? "",
  options: possible.map(({ id, category, summary }) => [id, `${category} · ${summary}`]),
  className: "grow",
})}
<button>Choose</button>
</form></section>`;
    if (!operation || !provider)
      return {
        ...page,
        content: html`${top}${choice}<section class="card">${empty("No operations", "The Proxy reaches this provider's own API.")}</section>`,
      };
    return {
      ...page,
      ...(shown.problems?.size ? { status: 400, hasProblem: true } : {}),
      content: html`${top}${choice}${reconnectNotice(chosen)}${callPanel(visit, { connection: chosen, provider, operation }, shown)}`,
    };
  }

  function callPanel(visit: PageVisit, { connection, operation }: Chosen, shown: ExplorerPageState): Html {
    const { values, problems = new Map(), answer, isDryRun = false } = shown;
    const form = values ?? initialForm(operation, visit.query);
    const call = { operation, connectionId: connection.id, ...readValues(operation, form) };
    const isFile = operation.kind === "upload" || operation.kind === "download";
    return html`${answer && (isDryRun && answer.status < 400 ? plannedRequests(answer) : callResult(answer, operation.id, headerPrefix))}
<div class="halves">
<section class="card"><div class="card-head"><h2>${operation.summary}</h2>${tag(operation.kind)}</div><div class="in stack">
<p><span class="mono">${operation.method} ${operation.route}</span></p>
${operation.description && html`<p class="quiet">${operation.description}</p>`}
${visit.form(
  "/explorer",
  html`<input type="hidden" name="connection" value="${connection.id}"><input type="hidden" name="operation" value="${operation.id}">
${operationFields({
  operation,
  values: form,
  problems,
  sourceLink: (id) => withQuery(`${BASE}/explorer`, { connection: connection.id, operation: id }),
})}
<div class="row">${!isFile && html`<button class="primary" name="do" value="send">Send</button>`}<button name="do" value="dry-run">Dry run</button></div>
<p class="hint">${isFile ? "Files are not shown here: use the command or the code." : "A dry run shows what the provider would get, and sends nothing."}</p>`,
  { className: "stack" },
)}
</div></section>
<section class="card"><div class="card-head"><h2>The same call as code</h2></div><div class="in stack wide">
${codeBlock("curl", "curl", curlCommand(call, options), true)}
${codeBlock("sdk", "TypeScript SDK", sdkCode(call, options), true)}
</div></section>
</div>`;
  }

  routes.page("/explorer", (visit) => show(visit, visit.query));

  routes.action("/explorer", async (visit, form) => {
    const given = { connection: form.get("connection") ?? "", operation: form.get("operation") ?? "" };
    const operation = operations.find(({ id }) => id === given.operation);
    if (!operation) throw new ApiError({ status: 404, headers: {}, body: {} });
    const isDryRun = form.get("do") !== "send";
    const { params, query, body } = readValues(operation, form);
    const missing = operation.parameters.filter(({ name }) => !params[name]);
    if (missing.length > 0)
      return show(visit, given, {
        values: form,
        problems: new Map(missing.map(({ name }) => [inputName("params", name), "is required"])),
      });
    const extra: Record<string, string> = isDryRun ? { dry_run: "true" } : { include_raw: "true" };
    const answer = await callOperation(
      visit.api,
      { operation, connectionId: given.connection, params, query: { ...query, ...extra }, body },
      headerPrefix,
    );
    return show(visit, given, { values: form, problems: inputProblems(answer, headerPrefix), answer, isDryRun });
  });
}

const reconnectNotice = (connection: ConnectionRecord) =>
  invalidNotice(
    connection,
    html`Calls over it are refused until then: <a href="${BASE}/connections/${connection.id}">make a reconnect link</a>.`,
  );

/** What our own validation found, by the name of the input. */
function inputProblems(answer: ApiAnswer, headerPrefix: string): Map<string, string> {
  const problems = new Map<string, string>();
  if (answer.status !== 400 || isProvidersAnswer(answer, headerPrefix)) return problems;
  const { errors = [] } = (answer.body ?? {}) as { errors?: { path?: string[]; detail?: string; message: string }[] };
  for (const { path: [part = "", key = "", ...inner] = [], detail, message } of errors) {
    const name = inputName(part, key);
    const text = [inner.join("."), detail ?? message].filter(Boolean).join(": ");
    problems.set(name, problems.has(name) ? `${problems.get(name)}. ${text}` : text);
  }
  return problems;
}

interface Planned {
  response: {
    data: {
      requests: { method: string; url: string; headers: Record<string, string>; body: unknown }[];
      complete: boolean;
    };
  };
}

/** What the provider would get. */
function plannedRequests({ body, status }: ApiAnswer): Html {
  const { requests, complete } = (body as Planned).response.data;
  return html`<section class="card" aria-label="Result"><div class="card-head"><h2 id="result">The provider would get</h2><span class="row">${tag("Nothing was sent")}${statusTag(status)}</span></div><div class="in stack">
${requests.map(({ method, url, headers, body: content }, index) =>
  codeBlock(
    `planned-${index}`,
    `Request ${index + 1}`,
    [
      `${method} ${url}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...(content === null ? [] : ["", prettyJson(content)]),
    ].join("\n"),
    true,
  ),
)}
${!complete && html`<p class="quiet">Further requests follow, which depend on the answer to this one.</p>`}
</div></section>`;
}
