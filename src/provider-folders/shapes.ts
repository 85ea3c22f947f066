// What the default exports of a provider's files look like.
import type { IssuedTokens, OAuth2, Setting } from "../contracts/authentication.ts";
import type { Manifest } from "../contracts/manifest.ts";
import type { OperationKind } from "../contracts/operation.ts";
import {
  address,
  anyText,
  anything,
  closed,
  flag,
  fn,
  listOf,
  named,
  notEmpty,
  object,
  oneOf,
  regularExpression,
  type Shape,
  text,
  wholeNumber,
  withFields,
} from "./shape.ts";

const texts = listOf(text);
const seconds = wholeNumber(1);

const request = withFields({
  method: text,
  to: text,
  path: anyText,
  query: object,
  locked: object,
  paramsIn: oneOf("query", "body", "variables"),
});

/** A shape for each field, so that a new one cannot be forgotten here. */
type Fields<Described, Required extends keyof Described> = { [Field in Exclude<keyof Described, Required>]-?: Shape };

const oauth2Options: Fields<OAuth2, "authorize" | "token" | "scopes"> = {
  app: closed({ url: address, steps: texts }),
  login: text,
  discovered: flag,
  refresh: text,
  scopeDelimiter: anyText,
  scopeParameter: text,
  tokenRequestAuth: oneOf("basic", "body"),
  tokenRequestBody: oneOf("form", "json"),
  pkce: flag,
  authorizeParameters: named(anyText),
  tokenParameters: named(anyText),
  refreshWithRedirectUri: flag,
  readRedirect: fn,
  readToken: fn,
  refreshAhead: wholeNumber(0),
  lifetime: seconds,
  rotates: flag,
  voidGrantCodes: texts,
  revoke: anything,
};

const issuedOptions: Fields<IssuedTokens, "asks" | "help" | "issue"> = {
  steps: texts,
  isLong: flag,
  asClient: flag,
  needs: listOf(oneOf("client_id", "client_secret", "private_key")),
  installation: closed({ page: text, prove: fn }),
  readToken: fn,
  lifetime: seconds,
  refusedBy: listOf(wholeNumber(100)),
  tokenRequestAuth: oneOf("basic", "body"),
  revoke: anything,
  answer: fn,
};
const asks = closed({}, { username: text, password: text, secret: text });
const issued = closed({ asks, help: address, issue: fn }, issuedOptions);

const auth: Record<keyof Manifest["auth"], Shape> = {
  oauth2: closed({ authorize: text, token: text, scopes: texts }, oauth2Options),
  api_key: closed({ label: text, help: address }, { steps: texts }),
  basic: closed({ username: text, help: address }, { password: text }),
  none: object,
  client_credentials: issued,
  two_step: issued,
  jwt: issued,
  github_app: issued,
};

const authTypes = Object.keys(auth);
const byAuthType = (schema: Shape) => closed({}, Object.fromEntries(authTypes.map((type) => [type, schema])));

const settingOptions: Fields<Setting, "label" | "pattern"> = {
  hint: text,
  placeholder: text,
  rule: text,
  choices: notEmpty(texts),
  ofIntegration: flag,
  optional: flag,
  askedWith: listOf(oneOf(...authTypes)),
};

const hooks = withFields({ per: oneOf("connection", "application", "none") });

const required = {
  id: text,
  name: text,
  docs: address,
  addresses: named(address, ["api"]),
  auth: notEmpty(closed({}, auth)),
};
const optional: Fields<Manifest, keyof typeof required> = {
  notes: texts,
  subjects: texts,
  firstCall: flag,
  addressesWith: byAuthType(named(address)),
  selfHosted: named(anyText),
  selfHostedOnly: flag,
  getMayWrite: flag,
  mcpOnly: flag,
  settings: named(closed({ label: text, pattern: text }, settingOptions)),
  authorization: fn,
  alsoAuthorizedBy: closed({}, { headers: texts, query: texts }),
  headers: named(anyText),
  linkedAs: named(texts),
  webPages: texts,
  publicLinks: regularExpression,
  fileContent: regularExpression,
  check: request,
  checkWith: byAuthType(request),
  hooks,
  hooksWith: byAuthType(hooks),
  sandbox: fn,
  discover: fn,
  failed: fn,
  refusesWithSuccess: flag,
  retryAfter: fn,
};
export const manifest = closed(required, optional);

export const implementation = withFields({ category: text, operations: notEmpty(object) });

const one = withFields({ record: fn }, { request: fn, load: fn, requires: texts, isUser: fn });

/** The implementation of an operation, by its kind. */
export const operation: Record<OperationKind, Shape> = {
  list: withFields(
    { maxPageSize: wholeNumber(1), items: fn, next: fn, request: fn, record: fn },
    { places: fn, keep: fn, filters: texts, ignoresPageSize: flag },
  ),
  one,
  create: one,
  update: one,
  send: withFields({ request: fn }),
  download: withFields({ source: fn }),
  upload: withFields({ target: fn, record: fn }, { maxSize: wholeNumber(1) }),
};

export const emulator = withFields(
  { state: fn, routes: notEmpty(named(fn)), failure: fn },
  { changes: named(withFields({ impossible: object, change: fn })), settings: named(anyText) },
);

export const evidence = withFields({ descriptions: listOf(object) });
