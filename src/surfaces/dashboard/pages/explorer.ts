import type { BoundOperation, OperationKind } from "../../../contracts/operation.ts";
import { type Html, html } from "../../../runtime/html.ts";
import type { ConnectionRecord } from "../../shared/platform-records/connection.ts";
import { type ApiAnswer, ApiError, withQuery } from "../api.ts";
import { BASE } from "../base.ts";
import { callResult } from "../components/call-result.ts";
import type { DashboardPage } from "../components/layout.ts";
import { inlineMarkdown } from "../components/markdown.ts";
import { initialForm, inputName, operationFields, readValues } from "../components/operation-form.ts";
import { curlCommand, type SnippetOptions, sdkCode } from "../components/snippets.ts";
import { codeBlock, head, prettyJson, statusTag, tag } from "../components/ui.ts";
import { chooseOperation, type GivenChoice, type OperationChoice } from "../operation-choice.ts";
import type { PageVisit, Routes } from "../routes.ts";
import { callOperation, isProvidersAnswer } from "../unified-call.ts";
import { invalidNotice } from "./connection.ts";

const kinds: Record<OperationKind, string> = {
  list: "Reads a list",
  one: "Reads one record",
  create: "Creates a record",
  update: "Changes a record",
  send: "Sends something",
  download: "Downloads a file",
  upload: "Uploads a file",
};

export interface ExplorerOptions extends SnippetOptions {
  operations: readonly BoundOperation[];
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

  async function show(visit: PageVisit, given: GivenChoice, shown: ExplorerPageState = {}): Promise<DashboardPage> {
    const { form, chosen } = await chooseOperation(visit.api, "/explorer", operations, given);
    return {
      title: "Explorer",
      section: "explorer",
      ...(shown.problems?.size ? { status: 400, hasProblem: true } : {}),
      content: html`${head({
        title: "Explorer",
        lead: "Call an operation over a connection, and see what the provider gets and answers.",
      })}
${form}
${chosen && html`${reconnectNotice(chosen.connection)}${callPanel(visit, chosen, shown)}`}`,
    };
  }

  function callPanel(
    visit: PageVisit,
    { connection, operation }: NonNullable<OperationChoice["chosen"]>,
    shown: ExplorerPageState,
  ): Html {
    const { values, problems = new Map(), answer, isDryRun = false } = shown;
    const form = values ?? initialForm(operation, visit.query);
    const call = { operation, connectionId: connection.id, ...readValues(operation, form) };
    const isFile = operation.kind === "upload" || operation.kind === "download";
    return html`${answer && (isDryRun && answer.status < 400 ? plannedRequests(answer) : callResult(answer, operation.id, headerPrefix))}
<div class="halves">
<section class="card"><div class="card-head"><h2>${operation.summary}</h2>${tag(kinds[operation.kind])}</div><div class="in stack">
<p><span class="mono">${operation.method} ${operation.route}</span></p>
${operation.description && html`<p class="quiet">${inlineMarkdown(operation.description)}</p>`}
${visit.form(
  "/explorer",
  html`<input type="hidden" name="connection" value="${connection.id}"><input type="hidden" name="operation" value="${operation.id}">
${operationFields({
  operation,
  values: form,
  problems,
  sourceLink: (id) => withQuery(`${BASE}/explorer`, { connection: connection.id, operation: id }),
})}
<div class="row" data-chosen>${!isFile && html`<button class="primary" name="do" value="send">Send</button>`}<button name="do" value="dry-run">Dry run</button></div>
<p class="hint">${isFile ? "Files are not shown here: use the command or the code." : "A dry run shows what the provider would get, and sends nothing."}</p>`,
  { className: "stack" },
)}
</div></section>
<section class="card"><div class="card-head"><h2>The same call as code</h2></div><div class="in stack wide">
${codeBlock("curl", "curl", curlCommand(call, options))}
${codeBlock("sdk", "TypeScript SDK", sdkCode(call, options))}
</div></section>
</div>`;
  }

  routes.page("/explorer", "developer", (visit) => show(visit, visit.query));

  routes.action("/explorer", "developer", async (visit, form) => {
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
