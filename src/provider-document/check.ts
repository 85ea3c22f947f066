import type { Problem } from "../contracts/fault.ts";
import { pathProblem } from "../contracts/path-problem.ts";
import { confinedSetting, hostOf, isWholeHost, settingsIn } from "./confined-settings.ts";
import { patternProblem } from "./pattern-problem.ts";
import type { ProviderDocument } from "./schema.ts";

/** Headers that the HTTP client or the transport decides about, or that would let a request pass for another. */
const FORBIDDEN_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|cookie|forwarded|x-forwarded-.*)$/i;
const CONFINED = "letters, digits, `-` and `.` in a host name, no `/`, `?`, `#`, `%` or `\\` in a path";
const HEADER_NAME = /^[A-Za-z][\w-]*$/;
/** Names that every object has: a provider or a setting of that name would be found everywhere. */
const INHERITED = ["constructor", "prototype"];
/** What `{name}` stands for in the body of a two-step request, besides settings. */
const CREDENTIALS = { username: "username", password: "password", token: "key" } as const;

/** Kinds with which a secret of the integration is sent to these addresses. */
const SECRET_GOES_TO = {
  oauth2: ["authorize", "token", "refresh", "revoke"],
  client_credentials: ["token", "revoke"],
} as const;

/** What is wrong with a document that matches the schema. */
export function documentProblems(document: ProviderDocument): Problem[] {
  const problems: Problem[] = [];
  const add = (path: (string | number)[], message: string) => problems.push({ path: path.map(String), message });
  const settings = document.settings ?? {};

  function checkTexts(path: string[], text: string, also: readonly string[] = []): void {
    for (const name of settingsIn(text))
      if (!Object.hasOwn(settings, name) && !also.includes(name))
        add(path, `\`{${name}}\` is not a setting; settings: ${Object.keys(settings).join(", ") || "none"}`);
  }
  const checkAll = (path: string[], texts: Record<string, string> = {}) => {
    for (const [name, text] of Object.entries(texts)) checkTexts([...path, name], text);
  };

  if (INHERITED.includes(document.id)) add(["id"], "must not be a word that JavaScript uses");
  for (const [name, setting] of Object.entries(settings)) {
    const path = ["settings", name];
    if (INHERITED.includes(name)) add(path, "must not be a word that JavaScript uses");
    if ((setting.pattern === undefined) === (setting.choices === undefined))
      add(path, "must have either a pattern or choices");
    const problem = setting.pattern === undefined ? undefined : patternProblem(setting.pattern);
    if (problem) add([...path, "pattern"], problem);
    for (const [index, choice] of setting.choices?.entries() ?? [])
      if (!new RegExp(`^(?:${confinedSetting(document, name).pattern})$`).test(choice))
        add([...path, "choices", index], `must be printable ASCII that fits its place: ${CONFINED}`);
  }

  for (const [name, address] of Object.entries(document.addresses)) {
    const path = ["addresses", name];
    checkTexts(path, address);
    checkNeeded(path, address, settings, add);
    const sample = URL.parse(withSamples(address));
    if (hasBrace(address)) add(path, STRAY_BRACE);
    else if (!sample) add(path, "must be an address");
    else if (sample.username || sample.password) add(path, "must not contain a user name or a password");
    else if (sample.search || sample.hash) add(path, "must not have a query or a fragment");
    if (/\{\w+\}:|:[^/]*\{/.test(hostOf(address))) add(path, "must not have a setting next to a port");
  }
  checkWholeHosts(document, add);
  checkAuth(document, add, checkTexts, checkAll);

  for (const name of Object.keys(document.headers ?? {}))
    if (FORBIDDEN_HEADERS.test(name)) add(["headers", name], "must not be set");
  for (const [name, value] of Object.entries(document.headers ?? {})) {
    checkTexts(["headers", name], value);
    if (!/^[ -~]*$/.test(value)) add(["headers", name], "must only have printable ASCII characters");
  }
  if (document.check) checkPath(["check", "get"], document.check.get, add);
  if (document.retry_header !== undefined && !HEADER_NAME.test(document.retry_header))
    add(["retry_header"], "must be the name of a header");
  if (document.discover) checkDiscover(document, add);
  return problems;
}

type Add = (path: (string | number)[], message: string) => void;
type CheckTexts = (path: string[], text: string, also?: readonly string[]) => void;

const STRAY_BRACE = "must not have a brace that does not belong to a `{setting}`";
const withSamples = (text: string) => text.replace(/\{\w+\}/g, "x");
const hasBrace = (text: string) => /[{}]/.test(withSamples(text));

/** A path that is called as it is. Its query is encoded. */
function checkPath(path: string[], text: string, add: Add): void {
  const problem = text.includes("{") ? "must not contain a setting" : pathProblem(text.split("?", 1)[0]!);
  if (problem) add(path, problem);
}

/** What is called cannot leave a setting out. */
function checkNeeded(path: string[], text: string, settings: ProviderDocument["settings"] = {}, add: Add): void {
  for (const name of settingsIn(text))
    if (Object.hasOwn(settings, name) && settings[name]!.optional)
      add(["settings", name, "optional"], `must not be true: ${path.join(".")} contains it`);
}

/** A client secret only goes where the integration says: a user could name a server of their own. */
function checkWholeHosts({ settings = {}, auth, addresses }: ProviderDocument, add: Add): void {
  for (const [kind, names] of Object.entries(SECRET_GOES_TO)) {
    if (!auth[kind as keyof typeof SECRET_GOES_TO]) continue;
    for (const [name, { set_by, choices }] of Object.entries(settings)) {
      const goesTo = names.find((address) => addresses[address] && isWholeHost(addresses[address], name));
      if (goesTo && set_by !== "integration" && !choices)
        add(
          ["settings", name, "set_by"],
          `must be "integration": it decides which server gets the client secret (addresses.${goesTo})`,
        );
    }
  }
}

function checkAuth(
  { auth, addresses, settings }: ProviderDocument,
  add: Add,
  checkTexts: CheckTexts,
  checkAll: (path: string[], texts?: Record<string, string>) => void,
): void {
  const { oauth2, api_key, client_credentials, two_step, jwt } = auth;
  const needs = (kind: string, ...names: (keyof typeof addresses)[]) => {
    for (const name of names) if (!addresses[name]) add(["addresses", name], `is required for ${kind}`);
  };
  for (const [kind, entry] of Object.entries(auth))
    if (entry && "send" in entry && entry.send) checkPlace(["auth", kind, "send"], entry.send, add);
  if (oauth2) {
    needs("oauth2", "authorize", "token");
    checkAll(["auth", "oauth2", "authorize_params"], oauth2.authorize_params);
    checkAll(["auth", "oauth2", "token_params"], oauth2.token_params);
    for (const part of ["redirect_settings", "token_settings"] as const)
      for (const name of Object.keys(oauth2[part] ?? {})) checkTexts(["auth", "oauth2", part, name], `{${name}}`);
  }
  if (api_key) {
    const { in: place, name } = api_key;
    if (place === "path") {
      if (!/^[\w-]*$/.test(api_key.prefix ?? ""))
        add(["auth", "api_key", "prefix"], "must only have letters, digits, _ and - in a path");
    } else if (name === undefined) add(["auth", "api_key", "name"], "is required unless the key is in the path");
    else checkPlace(["auth", "api_key"], { in: place, name, prefix: api_key.prefix }, add);
  }
  if (client_credentials) {
    needs("client_credentials", "token");
    checkAll(["auth", "client_credentials", "token_params"], client_credentials.token_params);
  }
  if (two_step) {
    const at = ["auth", "two_step", "request"];
    const { path = "", body = {}, encoding } = two_step.request;
    checkTexts([...at, "path"], path);
    checkNeeded([...at, "path"], path, settings, add);
    const problem = hasBrace(path) ? STRAY_BRACE : pathProblem(withSamples(path));
    if (problem) add([...at, "path"], problem);
    for (const [name, value] of Object.entries(encoding === "form" ? body : {}))
      if (!["string", "number", "boolean"].includes(typeof value))
        add([...at, "body", name], "must be a text, a number, true or false, because the encoding is form");
    const texts = JSON.stringify(body);
    checkTexts([...at, "body"], texts, Object.keys(CREDENTIALS));
    for (const [placeholder, label] of Object.entries(CREDENTIALS))
      if (texts.includes(`{${placeholder}}`) && two_step[label] === undefined)
        add(["auth", "two_step", label], `is required: the body contains \`{${placeholder}}\``);
  }
  if (jwt) {
    if (jwt.exchange) needs("jwt with an exchange", "token");
    checkAll(["auth", "jwt", "claims"], jwt.claims);
    checkAll(["auth", "jwt", "header"], jwt.header);
    checkAll(["auth", "jwt", "exchange", "params"], jwt.exchange?.params);
  }
}

function checkPlace(path: string[], place: { in: string; name: string; prefix?: string | undefined }, add: Add): void {
  if (place.in === "header" && (!HEADER_NAME.test(place.name) || FORBIDDEN_HEADERS.test(place.name)))
    add([...path, "name"], "must be a header that may be set");
  if (!/^[ -~]*$/.test(place.prefix ?? "")) add([...path, "prefix"], "must only have printable ASCII characters");
}

function checkDiscover({ discover, settings = {}, addresses }: ProviderDocument, add: Add): void {
  const { get, take } = discover!;
  for (const name of Object.keys(take))
    if (!Object.hasOwn(settings, name)) add(["discover", "take", name], "is not a setting");
  if (get.startsWith("/")) {
    checkPath(["discover", "get"], get, add);
    const unknown = settingsIn(addresses.api).filter((name) => Object.hasOwn(take, name));
    if (unknown.length > 0)
      add(["discover", "get"], `must be a whole address: \`{${unknown[0]}}\` of the API's is not known yet`);
    return;
  }
  const hosts = Object.values(addresses).map(hostOf);
  if (get.includes("{") || !hosts.includes(hostOf(get)))
    add(["discover", "get"], "must be on the host of one of the addresses");
  else checkPath(["discover", "get"], URL.parse(get)?.pathname ?? get, add);
}
