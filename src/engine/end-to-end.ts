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

const NONE: readonly string[] = [];

function namedByConnection({ connection }: Headers): readonly string[] {
  if (connection === undefined || connection === "keep-alive" || connection === "close") return NONE;
  return [connection].flat().flatMap((value) => value.split(",").map((name) => name.trim().toLowerCase()));
}

/** Those of a client's headers that go on to the provider, added to `to`. `ownPrefix` is in lower case, as all names are. */
export function addRequestHeaders(to: Record<string, string | string[]>, headers: Headers, ownPrefix: string): void {
  const named = namedByConnection(headers);
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || HOP_BY_HOP.has(name) || CLIENTS_OWN.has(name) || named.includes(name)) continue;
    if (!name.startsWith("x-forwarded-") && !name.startsWith(ownPrefix)) to[name] = value;
  }
}

/** Those of a provider's headers that go back to the client: all that are not about the connection. */
export function responseHeaders(headers: Headers): Record<string, string | string[]> {
  const named = namedByConnection(headers);
  const kept: Record<string, string | string[]> = {};
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !HOP_BY_HOP.has(name) && !named.includes(name)) kept[name] = value;
  }
  return kept;
}
