/** The parts of a JSON Web Token that a server can check without the key. */
export interface ReadJwt {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
}

const parsePart = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, "base64url").toString());

/** A JSON Web Token's header and claims; undefined if it has not the shape of one. Its signature is not verified. */
export function readJwt(text: string): ReadJwt | undefined {
  const parts = text.split(".");
  if (parts.length !== 3 || !parts.every((part) => /^[\w-]+$/.test(part))) return undefined;
  try {
    return { header: parsePart(parts[0]!), claims: parsePart(parts[1]!) };
  } catch {
    return undefined;
  }
}

/** What is wrong with the time of a JSON Web Token; undefined if it is valid now, and for no longer than `maxSeconds`. */
export function jwtTimeProblem({ claims: { iat, exp } }: ReadJwt, maxSeconds: number): string | undefined {
  const now = Date.now() / 1000;
  if (typeof iat !== "number" || typeof exp !== "number") return "The claims iat and exp must be numbers.";
  if (iat > now) return "The claim iat is in the future.";
  if (exp <= now) return "The token has expired.";
  return exp - iat > maxSeconds ? `The token must not be valid for more than ${maxSeconds} seconds.` : undefined;
}
