import type { Credentials, Setting } from "../../contracts/authentication.ts";
import { type AskedCredential, askedCredentials, isValidSetting } from "../../engine/index.ts";
import { html } from "../../runtime/html.ts";
import type { ConnectFlow } from "./flow.ts";
import type { Field } from "./pages.ts";

const MAX_SECRET_LENGTH = 10_000;
const MAX_NAME_LENGTH = 500;

const helpLink = (address: string, provider: string) =>
  html`<a href="${address}" target="_blank" rel="noopener noreferrer">Find it at ${provider}</a> (opens in a new tab)`;

const settingName = (name: string) => `setting-${name}`;
const credentialName = ({ name }: AskedCredential) => (name === "token" ? "key" : name);

const settingField = (name: string, { label, hint, placeholder, choices, optional }: Setting): Field => ({
  name: settingName(name),
  label: optional ? `${label} (optional)` : label,
  hint,
  placeholder,
  choices,
  optional,
});

/** The form's fields: first the settings of the account, then the credentials. */
export function formFields(
  { integration, provider: { manifest } }: ConnectFlow,
  required: readonly [string, Setting][],
): Field[] {
  const { asked, help } = askedCredentials(manifest, integration);
  const lastSecret = asked.findLast(({ isSecret }) => isSecret);
  return [
    ...required.map(([name, setting]) => settingField(name, setting)),
    ...asked.map((one) => ({
      name: credentialName(one),
      label: one.label,
      ...(one === lastSecret ? { hint: helpLink(help, manifest.name) } : {}),
      ...(one.isSecret ? { secret: true } : {}),
      ...(one.isLong ? { long: true } : {}),
    })),
  ];
}

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
  const { asked } = askedCredentials(flow.provider.manifest, flow.integration);
  const problems: Record<string, string | undefined> = {};
  const settings: Record<string, string> = {};
  for (const [name, setting] of required) {
    const value = given(settingName(name));
    problems[settingName(name)] = settingProblem(setting, value);
    if (value !== "") settings[name] = value;
  }
  const credentials: Credentials = {};
  for (const one of asked) {
    const name = credentialName(one);
    const value = name === "password" ? (body.get(name) ?? "") : given(name);
    credentials[one.name] = value;
    problems[name] =
      credentialProblems[one.isLong ? "privateKey" : (one.name as keyof typeof credentialProblems)](value);
  }
  if (flow.integration.type === "basic") credentials.password ??= "";

  const fields = formFields(flow, required).map((field) => ({
    ...field,
    ...(field.secret ? {} : { value: given(field.name).slice(0, MAX_NAME_LENGTH) }),
    ...(problems[field.name] === undefined ? {} : { problem: problems[field.name] }),
  }));
  return { fields, valid: fields.every((field) => problems[field.name] === undefined), settings, credentials };
}

/** The form with a problem of a setting. */
export const withSettingProblem = (fields: readonly Field[], setting: string, problem: string): Field[] =>
  fields.map((field) => (field.name === settingName(setting) ? { ...field, problem } : field));

/** The form with a problem of the key that it asks for. */
export const withKeyProblem = (fields: readonly Field[], problem: string): Field[] =>
  fields.map((field) => (field.name === "secret" ? { ...field, problem } : field));

const REQUIRED = "This field is required";
const TOO_LONG = "This value is too long";

function settingProblem(setting: Setting, value: string): string | undefined {
  if (value === "") return setting.optional ? undefined : REQUIRED;
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

/** It has lines, with the ends of any system. */
function privateKeyProblem(value: string): string | undefined {
  if (value === "") return REQUIRED;
  if (value.length > MAX_SECRET_LENGTH) return TOO_LONG;
  return /^-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(value)
    ? undefined
    : "This must be the whole key, from -----BEGIN to -----END";
}

const credentialProblems = {
  token: keyProblem,
  username: usernameProblem,
  password: secretProblem,
  secret: secretProblem,
  privateKey: privateKeyProblem,
};
