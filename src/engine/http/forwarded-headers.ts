type Headers = Record<string, string | string[] | undefined>;

/** Headers about one connection rather than the message: https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1 */
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

/** Headers meant for this service, and headers that a client must not send to a provider. */
export const NOT_FORWARDED = new Set([
  "authorization",
  "cookie",
  "cookie2",
  "expect",
  "forwarded",
  "host",
  "x-real-ip",
  // Some servers read these as the requested address.
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

type ForwardedHeaders = Record<string, string | string[]>;

/** Copies the wanted headers to `target`, without those about the connection. Names are in lower case. */
function copyHeaders(
  headers: Headers,
  target: ForwardedHeaders,
  isWanted: (name: string) => boolean,
): ForwardedHeaders {
  const named = namedByConnection(headers);
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !HOP_BY_HOP.has(name) && !named.includes(name) && isWanted(name)) target[name] = value;
  }
  return target;
}

/** A client's headers that are forwarded to the provider, on top of `defaults`. `ownPrefix` is in lower case. */
export const requestHeaders = (
  headers: Headers,
  ownPrefix: string,
  defaults: Readonly<ForwardedHeaders>,
): ForwardedHeaders =>
  copyHeaders(
    headers,
    { ...defaults },
    (name) => !NOT_FORWARDED.has(name) && !name.startsWith("x-forwarded-") && !name.startsWith(ownPrefix),
  );

const everyHeader = () => true;

/** A provider's headers that are returned to the client: all but those about the connection. */
export const responseHeaders = (headers: Headers): ForwardedHeaders => copyHeaders(headers, {}, everyHeader);
