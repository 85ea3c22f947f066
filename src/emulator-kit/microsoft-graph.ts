// What the emulators of providers on Microsoft Graph have in common.
import type { EmulatedReply, EmulatedRequest, Emulator } from "../contracts/emulator.ts";
import { cut, linkTo, makeCursor, readCursor, wholeNumber } from "./collection.ts";
import { awkwardTexts, seeded } from "./data.ts";
import { reply } from "./emulator.ts";

export function graphGuid(seed: number): string {
  const random = seeded(seed);
  return [8, 4, 4, 4, 12].map((length) => random.hex(length)).join("-");
}

/** https://learn.microsoft.com/en-us/graph/errors */
export function graphError(
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
): EmulatedReply {
  const id = graphGuid(Math.floor(performance.now() * 1000));
  const innerError = { date: new Date().toISOString().slice(0, 19), "request-id": id, "client-request-id": id };
  return reply(status, { error: { code, message, innerError } }, headers);
}

type Failures = Record<number, [code: string, message: string]>;

const FAILURES: Failures = {
  400: ["BadRequest", "The request is malformed or incorrect."],
  401: ["InvalidAuthenticationToken", "Lifetime validation failed, the token is expired."],
  403: ["Forbidden", "Missing scope permissions on the request."],
  404: ["NotFound", "The requested resource was not found."],
  429: ["TooManyRequests", "Too many requests."],
  500: ["InternalServerError", "An unexpected error occurred."],
  503: ["ServiceUnavailable", "The service is temporarily unavailable."],
};

/** The error bodies of a service behind Graph: each has some codes of its own. */
export const graphFailures =
  (own: Failures = {}) =>
  (status: number): EmulatedReply => {
    const [code, message] = own[status] ?? FAILURES[status] ?? ["UnknownError", "An error occurred."];
    return graphError(status, code, message, status === 429 ? { "retry-after": "1" } : {});
  };

interface Paging {
  defaultSize: number;
  maxSize: number;
  /** The parameter that says where the next page starts. Default: `$skiptoken`. */
  parameter?: "$skiptoken" | "$skip" | "token";
}

/** A page with the link to the next one, which repeats the whole query. */
export function graphPaginate<Item>(items: Item[], request: EmulatedRequest, paging: Paging) {
  const { defaultSize, maxSize, parameter = "$skiptoken" } = paging;
  const refusal = (message: string) => () => graphError(400, "BadRequest", message);
  const size = wholeNumber(
    request.query.get("$top"),
    { fallback: defaultSize, max: maxSize },
    refusal(`Invalid page size specified. Must be between 1 and ${maxSize} inclusive.`),
  );
  const given = request.query.get(parameter) || (parameter === "$skip" ? "0" : makeCursor(0));
  const start = wholeNumber(
    parameter === "$skip" ? given : (readCursor(given) ?? "invalid"),
    { fallback: 0, min: 0 },
    refusal(`The ${parameter} is not valid.`),
  );
  const { items: value, next } = cut(items, start, size);
  if (next === undefined) return { value };
  return {
    "@odata.nextLink": linkTo(request, { [parameter]: parameter === "$skip" ? next : makeCursor(next) }),
    value,
  };
}

const CONTEXT = "https://graph.microsoft.com/v1.0/$metadata#";

export const graphList = (kind: string, body: object): EmulatedReply =>
  reply(200, { "@odata.context": `${CONTEXT}${kind}`, ...body });

export const graphEntity = (kind: string, body: object, status = 200): EmulatedReply =>
  reply(status, { "@odata.context": `${CONTEXT}${kind}/$entity`, ...body });

/** The fields that `$select` names; all of them without it. */
export function graphSelected<Item extends object>(item: Item, query: URLSearchParams): object {
  const names = query.get("$select")?.split(",");
  return names ? Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name))) : item;
}

export function graphUser(index: number) {
  const awkward = awkwardTexts[(index / 9) % awkwardTexts.length]!;
  const account = `person${index}`;
  return {
    // A guest who never signed in may have no name.
    displayName: index % 40 === 13 ? null : index % 9 === 0 ? awkward : `Person ${index}`,
    givenName: index % 3 === 0 ? null : "Person",
    mail: index % 7 === 3 ? null : `${account}@example.com`,
    surname: index % 3 === 0 ? null : String(index),
    // A guest of another organization.
    userPrincipalName:
      index % 21 === 3 ? `${account}_other.example#EXT#@example.onmicrosoft.com` : `${account}@example.com`,
    id: graphGuid(1000 + index),
  };
}

export type EmulatedGraphUser = ReturnType<typeof graphUser>;

/** The account that is connected. */
export const graphMe = ({ query }: EmulatedRequest): EmulatedReply =>
  graphEntity("users", graphSelected(graphUser(0), query));

/** Headers and token errors. */
export const graphEmulator = {
  headers: () => ({
    "request-id": graphGuid(Math.floor(performance.now() * 1000)),
    "odata-version": "4.0",
    "cache-control": "private",
    "strict-transport-security": "max-age=31536000",
    vary: "Accept-Encoding",
  }),
  // https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow#error-response-1
  tokenFailure: (error, description) =>
    reply(error === "invalid_client" ? 401 : 400, {
      error,
      error_description: `AADSTS70000: ${description}`,
      error_codes: [70000],
      timestamp: `${new Date().toISOString().slice(0, 19).replace("T", " ")}Z`,
      trace_id: graphGuid(1),
      correlation_id: graphGuid(2),
    }),
} satisfies Pick<Emulator, "headers" | "tokenFailure">;
