import type { Access } from "../../contracts/access.ts";
import type { RateLimit } from "../../contracts/coordination.ts";
import type { Engine, Use } from "../../engine/index.ts";
import type { AllowsOrigin } from "./origin.ts";

/** The options of Proxy, MCP and Unified MCP. */
export interface ForwardingOptions {
  engine: Engine;
  headerPrefix: string;
  /** For each connection, counted over Proxy and MCP together. */
  rateLimit: RateLimit;
}

/** What MCP needs of a key. */
export const MCP_ACCESS = { scope: "mcp" } satisfies Access;
/** What Unified MCP needs of a key, which may have a tool pack. */
export const UNIFIED_MCP_ACCESS = { scope: "mcp", appliesToolPack: true } satisfies Access;

export interface McpOptions extends ForwardingOptions {
  /** Whether web pages of this origin may call it. */
  allowsOrigin: AllowsOrigin;
}

/** One limit for Proxy and MCP. By the specification, `Retry-After` is always the whole window. */
export const forwardingLimit = (rateLimit: RateLimit): Use["limit"] => ({
  ...rateLimit,
  group: "proxy",
  retryAfter: rateLimit.seconds,
});
