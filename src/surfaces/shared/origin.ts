import type { FastifyRequest } from "fastify";
import { Fault } from "../../contracts/fault.ts";

export type AllowsOrigin = (origin: string) => boolean;

/** Refuses a request that a web page of another origin makes. Clients other than browsers send no `Origin`. */
export function assertOriginAllowed({ headers }: FastifyRequest, allowsOrigin: AllowsOrigin): void {
  const { origin } = headers;
  if (origin !== undefined && !allowsOrigin(origin))
    throw new Fault("origin_refused", "web pages of this origin may not call this address");
}
