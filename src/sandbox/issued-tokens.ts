import type { IssuedTokens, IssueRequest } from "../contracts/authentication.ts";
import type { EmulatedReply, EmulatedRequest, Emulator } from "../contracts/emulator.ts";
import { addressTemplate, authTypes, issuedTokens, type Manifest } from "../contracts/manifest.ts";
import { reply } from "../emulator-kit/emulator.ts";
import { jwtTimeProblem, readJwt } from "../emulator-kit/jwt.ts";
import { readBasicAuth } from "../runtime/basic-auth.ts";
import { expectedIssue, MARK } from "./expected-issue.ts";
import { bodyType, decodeForm, isWrongSecret, Refusal, tokenRefusal, withRefusal } from "./refusal.ts";
import { addressRoute, type Route } from "./routes.ts";
import type { Tokens } from "./tokens.ts";

const DEFAULT_LIFETIME_S = 3_600;
const MAX_JWT_SECONDS = 86_400;

interface IssuedTokensOptions {
  manifest: Manifest;
  emulator: Emulator;
  tokens: Tokens;
  /** Routes of the OAuth server, which may be at the same addresses. */
  others: Readonly<Record<string, Route>>;
  /** In place of the manifest's, in seconds. */
  lifetime(): number | undefined;
}

const refuseRequest = (description: string) => new Refusal("invalid_request", description);

/** What is wrong with a signed token, compared with one that the manifest makes. */
export function jwtProblem(text: string, expected: string): string | undefined {
  const jwt = readJwt(text);
  const { header, claims } = readJwt(expected)!;
  if (!jwt) return "The token is not a JWT.";
  const problem = differenceOf(header, jwt.header, "header") ?? differenceOf(claims, jwt.claims, "claim");
  if (problem) return problem;
  if (Object.values(jwt.claims).some(isWrongSecret)) return "A claim is wrong.";
  return jwtTimeProblem(jwt, MAX_JWT_SECONDS);
}

/** How an object that was sent differs from the expected one; undefined if it does not. */
function differenceOf(expected: object, sent: unknown, kind: string, path = ""): string | undefined {
  const given = (sent ?? {}) as Record<string, unknown>;
  for (const [name, value] of Object.entries(expected)) {
    const found = given[name];
    const where = `${kind} ${path}${name}`;
    // The integration may have its own scopes, and a JWT has its own time.
    if (name === "scope" || name === "iat" || name === "exp") continue;
    if (typeof value === "object" && value !== null) {
      const problem = differenceOf(value, found, kind, `${path}${name}.`);
      if (problem) return problem;
    } else if (typeof value === "string" && value.startsWith("eyJ")) {
      const problem = jwtProblem(String(found), value);
      if (problem) throw new Refusal("invalid_grant", `The ${where}: ${problem}`);
    } else if (typeof value === "string" && MARK.test(value)) {
      const isSecret = /~(?:username|password|secret)~/.test(value);
      if (isSecret && !found) return `The ${where} is missing.`;
    } else if (found !== value) return `The ${where} must be ${JSON.stringify(value)}.`;
  }
  const unexpected = Object.keys(given).find((name) => !Object.hasOwn(expected, name) && name !== "scope");
  return unexpected && `The ${kind} ${path}${unexpected} is not expected.`;
}

/** Texts that were sent where the manifest has a credential. */
function credentialsIn(expected: unknown, sent: unknown): string[] {
  if (typeof expected === "string") return /~(?:username|password|secret)~/.test(expected) ? [String(sent)] : [];
  if (typeof expected !== "object" || expected === null) return [];
  const given = (sent ?? {}) as Record<string, unknown>;
  return Object.entries(expected).flatMap(([name, value]) => credentialsIn(value, given[name]));
}

/** The token endpoints of the types whose tokens are issued without the user: as strict as the manifest is exact. */
export function createIssuedTokens({ manifest, emulator, tokens, others, lifetime }: IssuedTokensOptions) {
  function checkClient(request: EmulatedRequest, expected: Record<string, string> = {}): void {
    const sent = readBasicAuth(request.headers.authorization);
    if (expected.authorization?.startsWith("Basic ")) {
      if (!sent) throw new Refusal("invalid_client", "The client must authenticate with HTTP Basic authentication.");
      const { username, password } = sent;
      if (!username || !password || [username, password].some((part) => isWrongSecret(decodeForm(part))))
        throw new Refusal("invalid_client", "The client is unknown, or its secret is wrong.");
    } else if (sent) throw new Refusal("invalid_client", "The client must authenticate in the body.");
  }

  function issue(request: EmulatedRequest, issued: IssuedTokens, expected: IssueRequest): EmulatedReply {
    const { body, headers } = expected;
    const encoding = body && ("form" in body ? "form" : "json");
    if (bodyType(request) !== encoding) throw refuseRequest(`The body must be sent as ${encoding ?? "nothing"}.`);
    checkClient(request, headers);
    const fields = body && ("form" in body ? body.form : body.json);
    const problem = fields && differenceOf(fields, request.body, "parameter");
    if (problem) throw refuseRequest(problem);
    if (credentialsIn(fields, request.body).some(isWrongSecret))
      throw new Refusal("invalid_client", "The credentials are wrong.");
    const expires_in = lifetime() ?? issued.lifetime ?? DEFAULT_LIFETIME_S;
    const access_token = tokens.issue("access", { lifetime: expires_in });
    const answer = issued.answer?.({ access_token, expires_in }) ?? { access_token, token_type: "Bearer", expires_in };
    return reply(200, answer, { "cache-control": "no-store" });
  }

  const routes: Record<string, Route> = {};
  /** A token as the client makes it itself. */
  let example: string | undefined;
  for (const type of authTypes(manifest)) {
    const issued = issuedTokens(manifest, type);
    if (!issued) continue;
    const expected = expectedIssue(manifest, issued);
    if ("token" in expected) {
      example = expected.token.access_token;
      continue;
    }
    const { method, to, path, body } = expected.request;
    const address = addressRoute(addressTemplate(manifest, to, type) ?? "");
    const key = `${method} ${(address === "/" ? "" : address) + path.replace(/~(\w+)~/g, ":$1") || "/"}`;
    const handle = withRefusal((request) => issue(request, issued, expected.request), tokenRefusal(emulator));
    // One address may issue tokens of several kinds: the grant type tells them apart.
    const other = routes[key] ?? others[key];
    const grantType = body && "form" in body ? body.form.grant_type : body?.json.grant_type;
    const isMeant = ({ body: sent }: EmulatedRequest) => !other || sent?.grant_type === grantType;
    routes[key] = {
      open: true,
      handle: (request, ...rest) => (isMeant(request) ? handle(request) : other!.handle(request, ...rest)),
    };
  }

  return {
    routes,
    /** What is wrong with a token that the client made itself; undefined if nothing is, null if it makes none. */
    problemOf: (text: string): string | undefined | null => (example === undefined ? null : jwtProblem(text, example)),
  };
}
