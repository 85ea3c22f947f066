import type { BoundOperation } from "../../contracts/operation.ts";
import { type Html, html } from "../../runtime/html.ts";
import type { ConnectionRecord } from "../shared/platform-records/connection.ts";
import type { Api } from "./api.ts";
import { BASE } from "./base.ts";
import { field } from "./components/fields.ts";
import { readProviders } from "./components/lists.ts";
import { empty } from "./components/ui.ts";
import { connectionTitle } from "./pages/connection.ts";
import { testOperation } from "./unified-call.ts";

/** More would not be chosen from a list. */
const MAX_LISTED = 100;

export interface GivenChoice {
  connection?: string | undefined;
  operation?: string | undefined;
}

/** The forms for a choice, and the chosen ones unless there is nothing to choose from. */
export interface OperationChoice {
  form: Html;
  chosen?: { connection: ConnectionRecord; operation: BoundOperation };
}

/** The connections to choose from, and the chosen one, which may not be among the first. */
async function readConnections(api: Api, wanted: string | undefined) {
  const listed = await api.get<ConnectionRecord[]>("/platform/v1/connections", { order: "newest", limit: MAX_LISTED });
  if (!wanted) return { listed, connection: listed[0] };
  const found = listed.find(({ id }) => id === wanted);
  if (found) return { listed, connection: found };
  const connection = await api.get<ConnectionRecord>(`/platform/v1/connections/${encodeURIComponent(wanted)}`);
  return { listed: [connection, ...listed], connection };
}

/** A connection and one of these operations that its provider has, chosen at the top of a page. */
export async function chooseOperation(
  api: Api,
  path: string,
  operations: readonly BoundOperation[],
  given: GivenChoice,
): Promise<OperationChoice> {
  const [{ listed, connection }, providers] = await Promise.all([
    readConnections(api, given.connection),
    readProviders(api),
  ]);
  const card = (content: Html) => html`<section class="card">${content}</section>`;
  if (!connection)
    return { form: card(empty("No connections yet", html`<a href="${BASE}/connect">Connect an account</a> first.`)) };
  const names = new Map(providers.map(({ id, name }) => [id, name]));
  const supported = providers.find(({ id }) => id === connection.integration_identifier)?.operations ?? [];
  const possible = operations.filter(({ id }) => supported.includes(id));
  const operation =
    possible.find(({ id }) => id === given.operation) ?? testOperation(possible, supported) ?? possible[0];
  const form = card(html`<form method="get" action="${BASE}${path}" class="filters" data-choice autocomplete="off">
${field({
  name: "connection",
  label: "Connection",
  value: connection.id,
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
<p class="hint" role="status" data-changed hidden>Select Choose first: the form below is for the previous choice.</p>
</form>`);
  if (operation) return { form, chosen: { connection, operation } };
  const none = empty("No operations", "The Proxy reaches this provider's own API.");
  return { form: html`${form}${card(none)}` };
}
