import type { RateLimit } from "../../contracts/coordination.ts";
import type { Engine, Use } from "../../engine/index.ts";

/** What Proxy, MCP and Unified MCP are made with. */
export interface ForwardingOptions {
  engine: Engine;
  headerPrefix: string;
  /** Of one connection, over Proxy and MCP together. */
  rateLimit: RateLimit;
}

/** One limit for Proxy and MCP. The specification names the whole window to wait for, however much of it is left. */
export const forwardingLimit = (rateLimit: RateLimit): Use["limit"] => ({
  ...rateLimit,
  group: "proxy",
  retryAfter: rateLimit.seconds,
});
