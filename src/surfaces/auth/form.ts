import type { Credentials, Setting } from "../../contracts/manifest.ts";
import { fits } from "../../engine/index.ts";
import { html } from "../../runtime/html.ts";
import type { Flow } from "./flow.ts";
import type { Field } from "./pages.ts";

const MAX_SECRET_LENGTH = 10_000;
const MAX_NAME_LENGTH = 500;

const helpLink = (address: string, provider: string) =>
  html`<a href="${address}" target="_blank" rel="noopener noreferrer">Find it at ${provider}</a> (opens in a new tab)`;

/** What a user is asked for: per-account values first, then what proves who they are. */
export function fieldsOf({ integration, provider: { manifest } }: Flow, asks: readonly [string, Setting][]): Field[] {
  const settings = asks.map(([name, { label, hint, placeholder }]) => ({
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
  /** The fields again, with what was wrong and what may be shown of what was given. */
  fields: Field[];
  sound: boolean;
  settings: Record<string, string>;
  credentials: Credentials;
}

/** Reads a form that was sent in. Values are trimmed, since they are copied from other pages; not so a password. */
export function readForm(flow: Flow, asks: readonly [string, Setting][], body: URLSearchParams): ReadForm {
  const given = (name: string) => (body.get(name) ?? "").trim();
  const settings = Object.fromEntries(asks.map(([name]) => [name, given(settingName(name))]));
  const problems: Record<string, string | undefined> = {};
  for (const [name, setting] of asks) problems[settingName(name)] = settingProblem(setting, settings[name]!);
  problems.key = keyProblem(given("key"));
  problems.username = usernameProblem(given("username"));
  const password = body.get("password") ?? "";
  problems.password = secretProblem(password);

  const fields = fieldsOf(flow, asks).map((field) => ({
    ...field,
    ...(field.secret ? {} : { value: given(field.name).slice(0, MAX_NAME_LENGTH) }),
    ...(problems[field.name] === undefined ? {} : { problem: problems[field.name] }),
  }));
  const { type } = flow.integration;
  return {
    fields,
    sound: fields.every((field) => problems[field.name] === undefined),
    settings,
    credentials: type === "basic" ? { username: given("username"), password } : { token: given("key") },
  };
}

function settingProblem(setting: Setting, value: string): string | undefined {
  if (value === "") return "Please fill this in";
  const example = setting.placeholder ? `: it should look like ${setting.placeholder}` : "";
  return fits(setting, value) ? undefined : `This is not right${example}`;
}

/** A key goes into a header as it is. */
function keyProblem(value: string): string | undefined {
  if (value === "") return "Please fill this in";
  if (value.length > MAX_SECRET_LENGTH) return "This is too long";
  return /^[ -~]+$/.test(value) ? undefined : "This has characters that no key has: please copy it again";
}

function usernameProblem(value: string): string | undefined {
  if (value === "") return "Please fill this in";
  if (value.length > MAX_NAME_LENGTH) return "This is too long";
  return /[\p{Cc}:]/u.test(value) ? "This must not hold a colon or control characters" : undefined;
}

function secretProblem(value: string): string | undefined {
  if (value === "") return "Please fill this in";
  if (value.length > MAX_SECRET_LENGTH) return "This is too long";
  return /\p{Cc}/u.test(value) ? "This must not hold control characters" : undefined;
}
