// The form for a new API key: what it may do, for whom, and until when.
import { missingScopes, type Scope, TOOL_PACK_SCOPES } from "../../../contracts/access.ts";
import type { Caller } from "../../../contracts/caller.ts";
import { type Html, html } from "../../../runtime/html.ts";
import { keyPresets, scopeGroups } from "../../shared/key-presets.ts";
import type { ToolPackRecord } from "../../shared/platform-records/tool-pack.ts";
import { ApiError } from "../api.ts";
import { checkbox, field, problemOf, radio } from "./fields.ts";

const DAY_MS = 86_400_000;
const days = [30, 90, 365];
const CHOOSE = "choose";
const PACK = "pack";

export const keyLabels = {
  name: "Name",
  scopes: "Scopes",
  tool_pack_id: "Tool pack",
  external_id: "Only for the user",
  expires: "Expires",
  expires_at: "Expiry date",
};

interface KeyForm {
  caller: Pick<Caller, "scopes" | "keyExpiresAt">;
  packs?: readonly Pick<ToolPackRecord, "id" | "name">[];
  sent?: URLSearchParams | undefined;
  problem?: ApiError | undefined;
}

/** A key can be given what its creator has, so nothing else is offered. */
export function keyFields({ caller, packs = [], sent = new URLSearchParams(), problem }: KeyForm): Html {
  const isOffered = (scopes: readonly Scope[]) => missingScopes(caller.scopes, scopes).length === 0;
  const presets = keyPresets.filter(({ scopes }) => isOffered(scopes));
  const offersPacks = packs.length > 0 && isOffered(TOOL_PACK_SCOPES);
  const chosen = sent.get("preset") ?? presets[0]?.id ?? CHOOSE;
  const problems = problem?.fields ?? {};
  const option = (value: string, label: string, hint: string) =>
    radio({ name: "preset", value, label, hint, checked: value === chosen });
  return html`${field({ name: "name", label: keyLabels.name, value: sent.get("name") ?? "", hint: "What the key is for; may be empty", problem: problemOf(problems, "name") })}
<fieldset class="stack"><legend>What it may do</legend>
${presets.map(({ id, title, text }) => option(id, title, text))}
${offersPacks && option(PACK, "Agent with a tool pack", "Uses only the tools of the pack, over Unified MCP, and nothing else.")}
${option(CHOOSE, "Choose scopes", "One by one, for anything else.")}
</fieldset>
${offersPacks && field({ name: "tool_pack_id", label: keyLabels.tool_pack_id, value: sent.get("tool_pack_id") ?? "", options: packs.map(({ id, name }) => [id, name]), problem: problemOf(problems, "tool_pack_id"), className: "when-pack" })}
${scopeBoxes(isOffered, sent.getAll("scopes"), problemOf(problems, "scopes"))}
${field({ name: "external_id", label: keyLabels.external_id, value: sent.get("external_id") ?? "", hint: "An external id: the key sees and uses only connections of this user. Empty for all", problem: problemOf(problems, "external_id") })}
${expiryFields(caller, sent, problems)}`;
}

/** The style sheet shows them when they are asked for. */
function scopeBoxes(
  isOffered: (scopes: readonly Scope[]) => boolean,
  chosen: readonly string[],
  problem: string | undefined,
): Html {
  const groups = scopeGroups
    .map(([title, scopes]) => [title, scopes.filter(([scope]) => isOffered([scope]))] as const)
    .filter(([, scopes]) => scopes.length > 0);
  return html`<fieldset class="stack when-chosen" id="scopes" tabindex="-1"${problem !== undefined && html` aria-describedby="scopes-problem"`}><legend>${keyLabels.scopes}</legend>
${problem !== undefined && html`<p class="wrong" id="scopes-problem">${problem}</p>`}
<div class="boxes groups">${groups.map(
    ([title, scopes]) =>
      html`<fieldset class="stack"><legend class="quiet">${title}</legend>${scopes.map(([scope, text]) =>
        checkbox({
          name: "scopes",
          value: scope,
          label: html`<span><code>${scope}</code> ${text}</span>`,
          checked: chosen.includes(scope),
        }),
      )}</fieldset>`,
  )}</div>
</fieldset>`;
}

function expiryFields({ keyExpiresAt }: KeyForm["caller"], sent: URLSearchParams, problems: ApiError["fields"]): Html {
  const latest = keyExpiresAt ?? Number.POSITIVE_INFINITY;
  const options = [
    latest === Number.POSITIVE_INFINITY
      ? (["", "Never"] as const)
      : (["own", "When the key that you signed in with does"] as const),
    ...days
      .filter((count) => Date.now() + count * DAY_MS <= latest)
      .map((count) => [String(count), `In ${count} days`] as const),
    ["date", "On a date"] as const,
  ];
  return html`${field({ name: "expires", label: keyLabels.expires, value: sent.get("expires") ?? "", options, problem: problemOf(problems, "expires") })}
${field({ name: "expires_at", label: keyLabels.expires_at, input: "date", value: sent.get("expires_at") ?? "", hint: "The first day on which the key is refused, from 0:00 UTC", problem: problemOf(problems, "expires_at"), className: "when-date" })}`;
}

/** What the API gets. Problems that it cannot see are thrown, all of them together with their fields. */
export function readKeyForm(form: URLSearchParams, { keyExpiresAt }: KeyForm["caller"]): Record<string, unknown> {
  const errors: Record<string, string[]> = {};
  const preset = form.get("preset") ?? keyPresets[0]!.id;
  const tool_pack_id = preset === PACK ? (form.get("tool_pack_id") ?? "") : null;
  if (tool_pack_id === "") errors.tool_pack_id = ["Choose a tool pack"];
  const scopes =
    preset === PACK
      ? TOOL_PACK_SCOPES
      : preset === CHOOSE
        ? form.getAll("scopes")
        : keyPresets.find(({ id }) => id === preset)?.scopes;
  if (!scopes?.length) errors.scopes = ["Choose at least one scope"];
  const expires = form.get("expires") ?? "";
  const expires_at = expires === "date" ? (form.get("expires_at") ?? "") : endOf(expires, keyExpiresAt);
  if (expires_at === undefined) errors.expires = ["Choose one of these"];
  if (expires_at === "") errors.expires_at = ["Choose a date"];
  if (Object.keys(errors).length > 0)
    throw new ApiError({ status: 400, headers: {}, body: { message: "Invalid request", errors } });
  return {
    name: form.get("name")?.trim() || null,
    scopes,
    tool_pack_id,
    external_id: form.get("external_id")?.trim() || null,
    expires_at,
  };
}

/** Null for never; undefined if it is none of the choices. */
function endOf(expires: string, keyExpiresAt: number | undefined): string | null | undefined {
  if (expires === "") return null;
  if (expires === "own" && keyExpiresAt !== undefined) return new Date(keyExpiresAt).toISOString();
  const count = days.find((known) => String(known) === expires);
  return count === undefined ? undefined : new Date(Date.now() + count * DAY_MS).toISOString();
}
