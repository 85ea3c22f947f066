type Headers = Record<string, string | string[] | undefined>;

/** Headers of one connection, and not of the message: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */
const HOP_BY_HOP = new Set([
  "connection",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** What a client tells this service and no provider, or what no provider may be told by a client. */
const CLIENTS_OWN = new Set([
  "authorization",
  "cookie",
  "cookie2",
  "expect",
  "forwarded",
  "host",
  "x-real-ip",
  // Some servers take these for the address that was really asked for.
  "x-host",
  "x-http-host-override",
  "x-original-host",
  "x-original-url",
  "x-rewrite-url",
]);

function namedByConnection({ connection }: Headers): string[] {
  if (connection === undefined || connection === "keep-alive" || connection === "close") return [];
  return [connection].flat().flatMap((value) => value.split(",").map((name) => name.trim().toLowerCase()));
}

function select(headers: Headers, keep: (name: string) => boolean): Record<string, string | string[]> {
  const named = namedByConnection(headers);
  const kept: Record<string, string | string[]> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !HOP_BY_HOP.has(name) && !named.includes(name) && keep(name)) kept[name] = value;
  }
  return kept;
}

/** Those of a client's headers that go on to the provider. `ownPrefix` is in lower case, as all names are. */
export const requestHeaders = (headers: Headers, ownPrefix: string): Record<string, string | string[]> =>
  select(headers, (name) => !CLIENTS_OWN.has(name) && !name.startsWith("x-forwarded-") && !name.startsWith(ownPrefix));

/** Those of a provider's headers that go back to the client: all that are not about the connection. */
export const responseHeaders = (headers: Headers): Record<string, string | string[]> => select(headers, () => true);
