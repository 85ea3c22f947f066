/** The value of an `Authorization` header for Basic authentication. */
export const basicAuth = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;

/** The user name and password of an `Authorization: Basic …` header, or undefined. */
export function readBasicAuth(authorization: string | undefined): { username: string; password: string } | undefined {
  const encoded = authorization?.match(/^Basic\s+(\S+)\s*$/i)?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString();
  const colon = text.indexOf(":");
  return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
