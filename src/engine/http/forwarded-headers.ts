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

/** Names and values in turn, as `writeHead` and undici take them: an object would have to be built and read again. */
export type HeaderList = (string | string[])[];

/** Whether a client's header may be sent to a provider, by its name alone. */
const isForwarded = (name: string, ownPrefix: string) =>
  !HOP_BY_HOP.has(name) && !NOT_FORWARDED.has(name) && !name.startsWith("x-forwarded-") && !name.startsWith(ownPrefix);

/**
 * A client's headers that are forwarded to the provider, with `defaults` for those that it does not send, and the
 * credentials in place of its own, which may be in the `dropped` headers. Names are in lower case, `ownPrefix` too.
 */
export function requestHeaders(
  headers: Headers,
  ownPrefix: string,
  defaults: Readonly<Record<string, string>>,
  credentials: Readonly<Record<string, string>>,
  dropped: readonly string[] = NONE,
): HeaderList {
  const list: HeaderList = [];
  const named = namedByConnection(headers);
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || credentials[name] !== undefined || dropped.includes(name)) continue;
    if (isForwarded(name, ownPrefix) && !named.includes(name)) list.push(name, value);
  }
  for (const name in defaults)
    if (headers[name] === undefined && credentials[name] === undefined) list.push(name, defaults[name]!);
  for (const name in credentials) list.push(name, credentials[name]!);
  return list;
}

/** A provider's headers that are returned to the client: all but those about the connection. */
export function responseHeaders(headers: Headers): HeaderList {
  const list: HeaderList = [];
  const named = namedByConnection(headers);
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !HOP_BY_HOP.has(name) && !named.includes(name)) list.push(name, value);
  }
  return list;
}
