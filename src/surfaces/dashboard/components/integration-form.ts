import { type Html, html } from "../../../runtime/html.ts";
import type { IntegrationRecord } from "../../shared/platform-records/integration.ts";
import type { ProviderRecord } from "../../shared/platform-records/provider.ts";
import type { ApiError } from "../api.ts";
import { field, problemOf, problemSummary } from "./fields.ts";

const labels: Record<string, string> = {
  name: "Name",
  client_id: "Client ID",
  client_secret: "Client secret",
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
  const kept = current ? "Leave it empty to keep the stored one" : undefined;
  return html`${problem && problemSummary(fields, labels, problem.message)}
${field({ ...common("name"), value: given("name", current?.name), hint: "Tells several integrations of this provider apart; may be empty" })}
${
  type === "oauth2" &&
  html`${field({ ...common("client_id"), value: given("client_id", current?.client_id), required: true })}
${field({ ...common("client_secret"), input: "password", required: !current, hint: kept })}
${field({
  ...common("scopes"),
  value: given("scopes", current?.scopes?.join(" ")),
  hint: "Separated by spaces; empty for the provider's default",
  placeholder: provider.setup[type]?.scopes.join(" "),
})}`
}
${field({
  ...common("base_url"),
  value: given("base_url", current?.base_url),
  required: provider.self_hosted_only,
  hint: provider.self_hosted_only
    ? `The address of your ${provider.name} server`
    : "The address of your own server; empty for the provider's",
  placeholder: "https://",
})}
${field({ ...common("mcp_url"), value: given("mcp_url", current?.mcp_url), hint: "Only if the provider's MCP server is not at its usual address" })}`;
}

/** Null where a field is empty. */
export function readIntegrationForm(form: URLSearchParams): Record<string, unknown> {
  const text = (name: string) => form.get(name)?.trim() || null;
  const scopes = text("scopes")?.split(/[\s,]+/) ?? null;
  return {
    name: text("name"),
    base_url: text("base_url"),
    mcp_url: text("mcp_url"),
    ...(form.get("type") === "oauth2"
      ? { client_id: text("client_id"), client_secret: text("client_secret"), scopes }
      : {}),
  };
}
