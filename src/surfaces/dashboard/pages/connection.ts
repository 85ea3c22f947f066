import type { BoundOperation } from "../../../contracts/operation.ts";
import { type Html, html } from "../../../runtime/html.ts";
import type { ConnectSessionRecord } from "../../shared/platform-records/connect-session.ts";
import type { ConnectionRecord } from "../../shared/platform-records/connection.ts";
import { type ApiError, fieldError, problemsOf } from "../api.ts";
import { BASE } from "../base.ts";
import { callResult } from "../components/call-result.ts";
import { activityCards, isFailing, readActivity } from "../components/connection-activity.ts";
import { field, problemOf, problemSummary } from "../components/fields.ts";
import type { DashboardPage } from "../components/layout.ts";
import { lifetimeField, readLifetime } from "../components/link-lifetime.ts";
import { readProviders } from "../components/lists.ts";
import { card, copyable, dotTag, exactTime, facts, head, mono, prettyJson } from "../components/ui.ts";
import { type PageVisit, Redirect, type Routes } from "../routes.ts";
import { callOperation, testOperation } from "../unified-call.ts";

export interface ConnectionPageOptions {
  operations: readonly BoundOperation[];
  headerPrefix: string;
}

/** Above everything that is done with a connection which does not work. */
export const invalidNotice = ({ is_valid, invalid_reason }: ConnectionRecord, whatToDo: Html | false) =>
  !is_valid &&
  html`<div class="notice bad" role="status"><strong>The account has to be connected again.</strong> ${invalid_reason} ${whatToDo}</div>`;

/** `isFailing` says that the latest requests failed, although the credentials are valid. */
export const health = ({ is_valid }: Pick<ConnectionRecord, "is_valid">, isFailing = false): Html =>
  !is_valid ? dotTag("Needs attention", "bad") : isFailing ? dotTag("Failing", "bad") : dotTag("Works", "good");

export const connectionTitle = ({ external_id, id }: ConnectionRecord): string => external_id ?? id;

/** What the page showed, so that only what somebody has changed is saved. */
const shownName = (name: string) => `shown_${name}`;

const labels = { external_id: "External id", metadata: "Metadata" };

interface ConnectionPageState {
  /** The result of something that was just done. */
  result?: Html;
  form?: URLSearchParams;
  problem?: ApiError;
}

export function connectionRoutes(routes: Routes, { operations, headerPrefix }: ConnectionPageOptions): void {
  const read = ({ api, params }: PageVisit) =>
    api.get<ConnectionRecord>(`/platform/v1/connections/${encodeURIComponent(params.id!)}`);

  async function show(visit: PageVisit, { result, form, problem }: ConnectionPageState = {}): Promise<DashboardPage> {
    const [connection, providers, activity] = await Promise.all([
      read(visit),
      readProviders(visit.api),
      readActivity(visit.api, visit.params.id!),
    ]);
    const { id, integration_id, integration_identifier, settings, metadata, account } = connection;
    const provider = providers.find((one) => one.id === integration_identifier);
    const path = `/connections/${id}`;
    const title = connectionTitle(connection);
    const maySave = visit.maySend(path);
    const shown = { external_id: connection.external_id ?? "", metadata: metadata ? prettyJson(metadata) : "" };
    const value = (name: string, stored: string) => form?.get(name) ?? stored;
    const kept = Object.entries(shown).map(
      ([name, stored]) =>
        html`<input type="hidden" name="${shownName(name)}" value="${value(shownName(name), stored)}">`,
    );
    return {
      title,
      section: "connections",
      ...(problem ? { status: 400, hasProblem: true } : {}),
      content: html`${head({
        title,
        trail: [["/connections", "Connections"]],
        lead: html`${health(connection, isFailing(activity))} ${provider?.name ?? integration_identifier}${account && html`, connected as <strong>${account.name ?? account.email ?? account.id}</strong>`}`,
        actions: [
          visit.form(`${path}/test`, html`<button class="primary">Test call</button>`),
          visit.form(`${path}/reconnect`, html`${lifetimeField(undefined, true)}<button>Reconnect link</button>`, {
            className: "row",
          }),
          visit.link(`/explorer?connection=${id}`, "Explore", "button"),
          visit.link(`${path}/delete`, "Delete", "button danger"),
        ],
      })}
${invalidNotice(connection, maySave && html`Send the user a reconnect link: the connection keeps its id.`)}
${result}
<div class="halves">
<section class="card"><div class="card-head"><h2>Details</h2></div><div class="in">
${facts([
  ["Connection id", mono(id)],
  ["External id", connection.external_id],
  ["Provider", provider?.name ?? integration_identifier],
  ["Integration", html`<a href="${BASE}/integrations/${integration_id}">${mono(integration_id)}</a>`],
  ["Account", account && [account.name, account.email, account.id].filter(Boolean).join(", ")],
  ["Token expires", connection.is_valid && (connection.expires_at ? exactTime(connection.expires_at) : "Never")],
  ["Token refreshed", connection.refreshed_at && exactTime(connection.refreshed_at)],
  ["Created", exactTime(connection.created_at)],
  ...Object.entries(settings ?? {}).map(([name, value]) => [`Setting ${name}`, value] as const),
  ["Metadata", !maySave && metadata && html`<pre class="wrap">${prettyJson(metadata)}</pre>`],
])}
</div></section>
${card(
  "Your data",
  visit.form(
    path,
    html`${problem && problemSummary(problem.fields, labels, problem.message)}${kept}
${field({ name: "external_id", label: labels.external_id, value: value("external_id", shown.external_id), hint: "Your own id for the connected user", problem: problem && problemOf(problem.fields, "external_id") })}
${field({ name: "metadata", label: labels.metadata, input: "code", value: value("metadata", shown.metadata), hint: "A JSON object, or empty", problem: problem && problemOf(problem.fields, "metadata") })}
<div><button>Save</button></div>`,
    { className: "stack" },
  ),
)}
</div>
${activityCards(visit, activity)}`,
    };
  }

  routes.page("/connections/:id", "viewer", (visit) => show(visit));

  routes.action("/connections/:id", "developer", async (visit, form) => {
    const path = `/connections/${encodeURIComponent(visit.params.id!)}`;
    const problem = await problemsOf(async () => {
      const isChanged = (name: string) => form.get(name) !== form.get(shownName(name));
      await visit.api.send("PATCH", `/platform/v1${path}`, {
        ...(isChanged("external_id") ? { external_id: form.get("external_id")?.trim() || null } : {}),
        ...(isChanged("metadata") ? { metadata: readJson(form.get("metadata") ?? "") } : {}),
      });
    });
    if (problem) return show(visit, { form, problem });
    return new Redirect(`${path}?done=saved`);
  });

  routes.action("/connections/:id/test", "developer", async (visit) => {
    const connection = await read(visit);
    const providers = await readProviders(visit.api);
    const provider = providers.find(({ id }) => id === connection.integration_identifier);
    const operation = testOperation(operations, provider?.operations ?? []);
    if (provider?.mcp_only)
      return show(visit, {
        result: html`<div class="notice warn" role="status">An ${provider.name} has no operations. Its tools are at <code>/mcp</code>, for any MCP client.</div>`,
      });
    if (!operation)
      return show(visit, {
        result: html`<div class="notice warn" role="status">${provider?.name ?? connection.integration_identifier} has no operation that needs no input. <a href="${BASE}/explorer?connection=${connection.id}">Choose one in the explorer.</a></div>`,
      });
    const query: Record<string, string> = { include_raw: "true" };
    if (operation.kind === "list") query.limit = "3";
    const answer = await callOperation(
      visit.api,
      { operation, connectionId: connection.id, params: {}, query },
      headerPrefix,
    );
    return show(visit, { result: callResult(answer, `The test call ${operation.id}`, headerPrefix) });
  });

  routes.action("/connections/:id/reconnect", "developer", async (visit, sent) => {
    const { id } = await read(visit);
    const session = await visit.api.send<ConnectSessionRecord>("POST", "/platform/v1/connect-sessions", {
      connection_id: id,
      ...readLifetime(sent),
    });
    return show(visit, { result: connectLink(session, "Reconnect this account") });
  });

  routes.page("/connections/:id/delete", "developer", async (visit) => {
    const connection = await read(visit);
    const title = `Delete ${connectionTitle(connection)}?`;
    return {
      title,
      section: "connections",
      content: html`${head({
        title,
        trail: [
          ["/connections", "Connections"],
          [`/connections/${connection.id}`, connectionTitle(connection)],
        ],
      })}
<section class="card in stack"><p>The connection ${mono(connection.id)} stops working immediately, and its token is revoked at the provider if that is possible. The user can connect again, which gives a new connection id.</p>
${visit.form(
  `/connections/${connection.id}/delete`,
  html`<button class="danger">Delete the connection</button><a class="button" href="${BASE}/connections/${connection.id}">Keep it</a>`,
  { className: "row" },
)}</section>`,
    };
  });

  routes.action("/connections/:id/delete", "developer", async ({ api, params }) => {
    await api.send("DELETE", `/platform/v1/connections/${encodeURIComponent(params.id!)}`);
    return new Redirect("/connections?done=connection-deleted");
  });
}

/** The address at which a user connects an account: to copy, or to open here. */
export const connectLink = ({ url, expires_at }: ConnectSessionRecord, text: string): Html =>
  html`<section class="card in stack" aria-label="Link"><h2 id="result">A link for the user</h2>
<p>It works once, until ${exactTime(expires_at)}.</p>
${copyable("connect-link", "Link", url)}
<p><a href="${url}" target="_blank" rel="noopener noreferrer">${text}</a> (opens in a new tab)</p></section>`;

/** Null if it is empty. */
function readJson(text: string): unknown {
  if (text.trim() === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    throw fieldError("metadata", "Must be a JSON object");
  }
}
