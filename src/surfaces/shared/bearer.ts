const BEARER = ["bearer"];

/** The token of an `Authorization: Bearer …` header. The scheme's name counts in any case. */
export function bearer(authorization: string | undefined, schemes: readonly string[] = BEARER): string | undefined {
  if (!authorization) return undefined;
  const space = authorization.indexOf(" ");
  if (space < 0 || !schemes.includes(authorization.slice(0, space).toLowerCase())) return undefined;
  return authorization.slice(space + 1).trim() || undefined;
}
