import type { FastifyRequest } from "fastify";
import { splitUrl } from "../shared/split-url.ts";
import type { AuthOptions } from "./parts.ts";

const REDIRECTED = "&redirected=true";

/** The same page at the public address. Once only, since a reverse proxy may change the host of every request. */
export function publicAddress(
  { headers, url: requested }: FastifyRequest,
  path: string,
  { url, isOtherHost }: Pick<AuthOptions, "url" | "isOtherHost">,
): string | undefined {
  const query = splitUrl(requested)[1] ?? "";
  if (!headers.host || !isOtherHost(headers.host) || query.endsWith(REDIRECTED)) return undefined;
  return `${url}${path}?${query}${REDIRECTED}`;
}
