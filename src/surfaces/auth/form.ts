import type { Credentials, Setting } from "../../contracts/manifest.ts";
import { isValidSetting } from "../../engine/index.ts";
import { html } from "../../runtime/html.ts";
import type { ConnectFlow } from "./flow.ts";
import type { Field } from "./pages.ts";

const MAX_SECRET_LENGTH = 10_000;
const MAX_NAME_LENGTH = 500;

const helpLink = (address: string, provider: string) =>
  html`<a href="${address}" target="_blank" rel="noopener noreferrer">Find it at ${provider}</a> (opens in a new tab)`;

/** The form's fields: first the settings of the account, then the credentials. */
export function formFields(
  { integration, provider: { manifest } }: ConnectFlow,
  required: readonly [string, Setting][],
): Field[] {
  const settings = required.map(([name, { label, hint, placeholder }]) => ({
    name: settingName(name),
    label,
    hint,
    placeholder,
  }));
  const { api_key, basic } = manifest.auth;
  if (integration.type === "api_key" && api_key)
    return [
      ...settings,
      { name: "key", label: api_key.label, hint: helpLink(api_key.help, manifest.name), secret: true },
    ];
  if (integration.type === "basic" && basic)
    return [
      ...settings,
      { name: "username", label: basic.username },
      { name: "password", label: basic.password, hint: helpLink(basic.help, manifest.name), secret: true },
    ];
  return settings;
}

const settingName = (name: string) => `setting-${name}`;

export interface ReadForm {
  /** The fields with their problems and, except for secrets, the submitted values. */
  fields: Field[];
  valid: boolean;
  settings: Record<string, string>;
  credentials: Credentials;
}

/** Reads a submitted form. Values are trimmed because users paste them from other pages; passwords are not. */
export function readForm(flow: ConnectFlow, required: readonly [string, Setting][], body: URLSearchParams): ReadForm {
  const given = (name: string) => (body.get(name) ?? "").trim();
  const settings = Object.fromEntries(required.map(([name]) => [name, given(settingName(name))]));
  const problems: Record<string, string | undefined> = {};
  for (const [name, setting] of required) problems[settingName(name)] = settingProblem(setting, settings[name]!);
  problems.key = keyProblem(given("key"));
  problems.username = usernameProblem(given("username"));
  const password = body.get("password") ?? "";
  problems.password = secretProblem(password);

  const fields = formFields(flow, required).map((field) => ({
    ...field,
    ...(field.secret ? {} : { value: given(field.name).slice(0, MAX_NAME_LENGTH) }),
    ...(problems[field.name] === undefined ? {} : { problem: problems[field.name] }),
  }));
  const { type } = flow.integration;
  return {
    fields,
    valid: fields.every((field) => problems[field.name] === undefined),
    settings,
    credentials: type === "basic" ? { username: given("username"), password } : { token: given("key") },
  };
}

const REQUIRED = "This field is required";
const TOO_LONG = "This value is too long";

function settingProblem(setting: Setting, value: string): string | undefined {
  if (value === "") return REQUIRED;
  const example = setting.placeholder ? `; expected something like ${setting.placeholder}` : "";
  return isValidSetting(setting, value) ? undefined : `Invalid value${example}`;
}

/** A key is sent in a header unchanged. */
function keyProblem(value: string): string | undefined {
  if (value === "") return REQUIRED;
  if (value.length > MAX_SECRET_LENGTH) return TOO_LONG;
  return /^[ -~]+$/.test(value)
    ? undefined
    : "This contains characters that are not valid in a key: please copy it again";
}

function usernameProblem(value: string): string | undefined {
  if (value === "") return REQUIRED;
  if (value.length > MAX_NAME_LENGTH) return TOO_LONG;
  return /[\p{Cc}:]/u.test(value) ? "This must not contain a colon or control characters" : undefined;
}

function secretProblem(value: string): string | undefined {
  if (value === "") return REQUIRED;
  if (value.length > MAX_SECRET_LENGTH) return TOO_LONG;
  return /\p{Cc}/u.test(value) ? "This must not contain control characters" : undefined;
}
