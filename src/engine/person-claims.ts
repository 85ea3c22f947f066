import type { OidcSettings, Person } from "../contracts/people.ts";

/** What an issuer says about somebody: the content of an ID token, or the answer of its userinfo endpoint. */
export type Claims = Readonly<Record<string, unknown>>;

const MAX_TEXT = 200;

const isObject = (value: unknown): value is Claims => typeof value === "object" && value !== null;
const own = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** A claim by its name, which may contain dots itself, or by a path such as `realm_access.roles`. */
export const readClaim = (claims: Claims, path: string): unknown =>
  own(claims, path) ?? path.split(".").reduce(own, claims as unknown);

/** One group may be a text of its own. */
const toGroups = (value: unknown): string[] =>
  [value].flat().filter((group): group is string => typeof group === "string" && group !== "");

const toText = (value: unknown): string | null =>
  typeof value === "string" && value.trim() ? value.trim().slice(0, MAX_TEXT) : null;

/** The domain of an address, for comparison. An address with more than one `@` has none. */
const domainOf = (email: unknown): string | null =>
  (typeof email === "string" && /^[^\s@]+@([^\s@]+)$/.exec(email)?.[1]?.toLowerCase()) || null;

/** Whether the userinfo endpoint has to be asked: what decides about the role is not in the ID token. */
export const isIncomplete = (idToken: Claims, { groupsClaim, allowedDomains }: OidcSettings): boolean =>
  readClaim(idToken, groupsClaim) === undefined || (allowedDomains !== undefined && idToken.email === undefined);

/** Who somebody is by the claims of their ID token, completed by those of the userinfo endpoint. */
export function toPerson(
  { issuer, groupsClaim }: Pick<OidcSettings, "issuer" | "groupsClaim">,
  subject: string,
  idToken: Claims,
  userinfo: Claims,
): Person {
  // Whether an address is verified is said next to the address.
  const { email, email_verified } = idToken.email === undefined ? userinfo : idToken;
  const name = [idToken.name, userinfo.name, idToken.preferred_username, userinfo.preferred_username].map(toText);
  return {
    issuer,
    subject,
    name: name.find((text) => text !== null) ?? null,
    email: toText(email),
    verified_domain: email_verified === true ? domainOf(email) : null,
    groups: toGroups(readClaim(idToken, groupsClaim) ?? readClaim(userinfo, groupsClaim)),
  };
}
