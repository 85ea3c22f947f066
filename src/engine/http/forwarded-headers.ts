type Headers = Record<string, string | string[] | undefined>;

/** Headers of one connection, and not of the message: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */
export const HOP_BY_HOP = new Set([
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
export const CLIENTS_OWN = new Set([
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

type Sent = Record<string, string | string[]>;

/** Adds to `to` what is about the message and wanted. Names are in lower case. */
function select(headers: Headers, to: Sent, isWanted: (name: string) => boolean): Sent {
  const named = namedByConnection(headers);
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !HOP_BY_HOP.has(name) && !named.includes(name) && isWanted(name)) to[name] = value;
  }
  return to;
}

/** Those of a client's headers that go on to the provider, on top of `defaults`. `ownPrefix` is in lower case. */
export const requestHeaders = (headers: Headers, ownPrefix: string, defaults: Readonly<Sent>): Sent =>
  select(
    headers,
    { ...defaults },
    (name) => !CLIENTS_OWN.has(name) && !name.startsWith("x-forwarded-") && !name.startsWith(ownPrefix),
  );

const any = () => true;

/** Those of a provider's headers that go back to the client: all that are not about the connection. */
export const responseHeaders = (headers: Headers): Sent => select(headers, {}, any);
