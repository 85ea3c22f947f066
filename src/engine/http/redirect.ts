import { Fault } from "../../contracts/fault.ts";
import type { TransportRequest } from "./transport.ts";

/** The absolute URL of a `Location` header, which may be relative to the request. */
export function parseLocation(location: string, { origin, path }: TransportRequest): URL {
  const target = URL.parse(location, origin + path);
  if (!target) throw new Fault("upstream_malformed", "the provider redirected to an address that cannot be read");
  return target;
}
