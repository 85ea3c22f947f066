import { type Html, html } from "../../../runtime/html.ts";
import type { IntegrationRecord } from "../../shared/platform-records/integration.ts";
import type { ProviderRecord } from "../../shared/platform-records/provider.ts";
import type { ApiError } from "../api.ts";
import { field, problemOf, problemSummary } from "./fields.ts";

const labels: Record<string, string> = {
  name: "Name",
  client_id: "Client ID",
  client_secret: "Client secret",
  private_key: "Private key",
  hook_secret: "Signing secret of webhooks",
  scopes: "Scopes",
  base_url: "Base URL",
  mcp_url: "MCP URL",
};

interface IntegrationForm {
  provider: ProviderRecord;
  type: string;
  /** The integration that is changed; absent for a new one. */
  current?: IntegrationRecord;
  /** What was sent, if it has a problem. */
  sent?: URLSearchParams | undefined;
  problem?: ApiError | undefined;
}

/** The fields of an integration, for a new one and for one that is changed. */
export function integrationFields({ provider, type, current, sent, problem }: IntegrationForm): Html {
  const fields = problem?.fields ?? {};
  const given = (name: string, stored: string | null | undefined) => sent?.get(name) ?? stored ?? "";
  const common = (name: string) => ({ name, label: labels[name]!, problem: problemOf(fields, name) });
  const { needs = [], takes = [], scopes = [] } = provider.setup[type] ?? {};
  const has = (name: string) => needs.includes(name) || takes.includes(name);
  const kept = current ? "Leave it empty to keep the stored one" : undefined;
  const hasNoScopes = current?.scopes?.length === 0;
  const whatEmptyMeans = provider.mcp_only ? "for those that the server asks for" : "for the provider's default";
  const ownClient = takes.includes("client_id") ? "Empty if each user has their own client" : undefined;
  const clientHint = provider.mcp_only ? "Only if the server registers no clients by itself" : ownClient;
  return html`${problem && problemSummary(fields, { ...labels, ...settingLabels(provider, type) }, problem.message)}
${field({
  ...common("name"),
  value: given("name", current?.name),
  hint: provider.mcp_only
    ? "What users see when they connect, such as the name of the product; may be empty"
    : "Tells several integrations of this provider apart; may be empty",
})}
${provider.mcp_only && serverField(given, common, current)}
${has("client_id") && field({ ...common("client_id"), value: given("client_id", current?.client_id), required: needs.includes("client_id"), hint: clientHint })}
${has("client_secret") && field({ ...common("client_secret"), input: "password", required: needs.includes("client_secret") && !current?.has_client_secret, hint: kept ?? clientHint })}
${has("private_key") && field({ ...common("private_key"), input: "code", required: !current?.has_private_key, hint: kept ?? "The whole key in PEM format, from -----BEGIN to -----END" })}
${has("hook_secret") && field({ ...common("hook_secret"), input: "password", hint: current?.has_hook_secret ? kept : "The provider's page says where to find it; may be empty, then lists are read at their interval" })}
${ownSettings(provider, type).map((setting) => settingField(setting, given(settingName(setting.name), current?.settings[setting.name]), problem))}
${
  has("scopes") &&
  field({
    ...common("scopes"),
    value: given("scopes", current?.scopes?.join(" ")),
    hint: `Separated by spaces; empty ${hasNoScopes ? "for none, as now" : whatEmptyMeans}`,
    placeholder: scopes.join(" "),
  })
}
${hasNoScopes && html`<input type="hidden" name="empty_scopes" value="none">`}
${
  !provider.mcp_only &&
  html`${field({
    ...common("base_url"),
    value: given("base_url", current?.base_url),
    required: provider.self_hosted_only,
    hint: provider.self_hosted_only
      ? `The address of your ${provider.name} server`
      : "The address of your own server; empty for the provider's",
    placeholder: "https://",
  })}
${field({ ...common("mcp_url"), value: given("mcp_url", current?.mcp_url), hint: "Only if the provider's MCP server is not at its usual address" })}`
}`;
}

/** The address that an MCP server is called at; the emulator's cannot be chosen. */
function serverField(
  given: (name: string, stored: string | null | undefined) => string,
  common: (name: string) => { name: string; label: string; problem: string | undefined },
  current: IntegrationRecord | undefined,
): Html {
  if (current?.base_url === "sandbox") return html`<input type="hidden" name="base_url" value="sandbox">`;
  return field({
    ...common("mcp_url"),
    value: given("mcp_url", current?.mcp_url),
    required: true,
    hint: "The server's address, exactly as its provider gives it",
    placeholder: "https://",
  });
}

const settingName = (name: string) => `setting-${name}`;
const ownSettings = ({ settings }: ProviderRecord, type: string) =>
  settings.filter(({ set_by, auth_types }) => set_by === "integration" && auth_types.includes(type));
const settingLabels = (provider: ProviderRecord, type: string) =>
  Object.fromEntries(ownSettings(provider, type).map(({ name, label }) => [settingName(name), label]));

/** A value that is the same for all connections. The API names it in its message about all settings. */
function settingField(setting: ProviderRecord["settings"][number], value: string, problem: ApiError | undefined): Html {
  const { name, label, hint, placeholder, choices, optional } = setting;
  const problems = (problem?.fields.settings ?? []).filter((message) => message.startsWith(`${name}: `));
  return field({
    name: settingName(name),
    label,
    value,
    required: !optional,
    hint: hint ?? undefined,
    placeholder: placeholder ?? undefined,
    ...(problems.length > 0 ? { problem: problems.map((message) => message.slice(name.length + 2)).join(". ") } : {}),
    ...(choices ? { options: ["", ...choices].map((choice) => [choice, choice || "Choose"] as const) } : {}),
  });
}

/** Null where a field is empty; no scopes if that is what the form says. Settings and fields of a type are only there if the form has them. */
export function readIntegrationForm(form: URLSearchParams): Record<string, unknown> {
  const text = (name: string) => form.get(name)?.trim() || null;
  const scopes = text("scopes")?.split(/[\s,]+/) ?? (form.has("empty_scopes") ? [] : null);
  const isOAuth = form.get("type") === "oauth2";
  const prefix = settingName("");
  const settings = [...form].flatMap(([name, value]) =>
    name.startsWith(prefix) ? [[name.slice(prefix.length), value.trim()] as const] : [],
  );
  return {
    name: text("name"),
    base_url: text("base_url"),
    mcp_url: text("mcp_url"),
    ...Object.fromEntries(
      ["client_id", "client_secret", "private_key", "hook_secret"].flatMap((name) =>
        form.has(name) || (isOAuth && name.startsWith("client_")) ? [[name, text(name)]] : [],
      ),
    ),
    ...(form.has("scopes") || isOAuth ? { scopes } : {}),
    ...(settings.length > 0 ? { settings: Object.fromEntries(settings.filter(([, value]) => value !== "")) } : {}),
  };
}
