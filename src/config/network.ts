import type { AllowedPrivate, ProxySettings } from "../contracts/network.ts";
import { isAddressRange } from "../runtime/address-list.ts";
import { address, oneOf, variable } from "./define.ts";

function allowedPrivate(text: string): AllowedPrivate | undefined {
  if (text === "true" || text === "false") return text === "true";
  const ranges = text.split(",").map((range) => range.trim());
  return ranges.every(isAddressRange) ? ranges : undefined;
}

/** As in other programs, an address without a scheme is one of an http proxy. */
function proxyAddress(text: string): string | undefined {
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  return address("http:", "https:")(full);
}

const A_PROXY = "the address of a proxy, such as http://proxy.example.com:3128";

export const networkVariables = {
  ALLOW_PRIVATE_UPSTREAMS: variable(
    "false",
    "true, false, or address ranges separated by commas, such as 10.0.0.0/8,fd00::/8",
    allowedPrivate,
  ),
  HTTPS_PROXY: variable("", A_PROXY, proxyAddress, { secret: true }),
  HTTP_PROXY: variable("", A_PROXY, proxyAddress, { secret: true }),
  NO_PROXY: variable("", "names, addresses and ranges separated by commas", (text) =>
    text
      .split(/[\s,]+/)
      .map((entry) => entry.trim())
      .filter(Boolean),
  ),
  PROXY_TARGET: variable("name", "name, address or unresolved", oneOf("name", "address", "unresolved")),
};

type Variables = typeof networkVariables;
type NetworkValues = { [name in keyof Variables]?: ReturnType<Variables[name]["read"]> };

/** `ownUrl` is where this machine reaches the service, which includes the sandbox. */
export function readProxy(
  { HTTP_PROXY: http, HTTPS_PROXY: https, NO_PROXY = [], PROXY_TARGET }: NetworkValues,
  ownUrl: string,
): ProxySettings | undefined {
  if (!http && !https) return undefined;
  return { http, https, exceptions: [...NO_PROXY, new URL(ownUrl).hostname], target: PROXY_TARGET! };
}
