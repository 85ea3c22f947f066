import type { FastifyRequest } from "fastify";

/**
 * Whether a form was sent by a page of the dashboard itself. Browsers set these headers, and no page can change them.
 * A request that has neither is refused: every browser sends at least one of them with a form.
 */
export function isSameOrigin({ headers }: Pick<FastifyRequest, "headers">, dashboardUrl: string): boolean {
  const { origin, host, "sec-fetch-site": site } = headers;
  if (site !== undefined && site !== "same-origin") return false;
  if (origin === undefined) return site !== undefined;
  const url = URL.parse(origin);
  // Behind a reverse proxy, the scheme is not known here, and the host may be another.
  return url !== null && url.origin === origin && (url.host === host || origin === new URL(dashboardUrl).origin);
}
