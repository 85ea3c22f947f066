import type { KeyObject } from "node:crypto";
import type { Coordination } from "../../contracts/coordination.ts";
import type { Hint } from "../../contracts/hooks.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import type { Store } from "../../contracts/store.ts";
import type { Engine, Signer } from "../../engine/index.ts";
import type { ConnectUrls } from "../shared/connect-urls.ts";
import type { McpAddresses } from "../shared/mcp-addresses.ts";
import type { McpSignIns } from "../shared/mcp-sign-ins.ts";
import type { Assets } from "./assets.ts";
import type { BrowserCookie } from "./browser-cookie.ts";
import type { FinishFlow } from "./finish.ts";

export interface AuthOptions {
  store: Store;
  coordination: Coordination;
  engine: Pick<
    Engine,
    | "authenticate"
    | "refused"
    | "providerOf"
    | "providersOf"
    | "connect"
    | "refuseAddress"
    | "readMcpClient"
    | "inspect"
    | "supports"
    | "hooks"
  >;
  /** Stores what the webhooks of providers say. */
  hint(hints: readonly Hint[]): Promise<void>;
  /** The table of operations: it decides which accounts a tool pack leaves something to do with. */
  operations: readonly BoundOperation[];
  /** The surface's public address. */
  url: string;
  headerPrefix: string;
  /** The same for its OpenAPI document, or a path on the same host. */
  serverUrl: string;
  /** Whether a browser that uses this host has to go to the public address instead. */
  isOtherHost(host: string): boolean;
  /** Keys that sign values sent through the browser, the current one first. */
  signingKeys: () => readonly KeyObject[];
  connectUrls: ConnectUrls;
  /** Where MCP clients sign people in. */
  addresses: McpAddresses;
  signIns: McpSignIns;
  /** Undefined if there is no dashboard. */
  dashboardUrl: string | undefined;
}

/** What the routes share. */
export interface AuthParts extends AuthOptions {
  signer: Signer;
  browserCookie: BrowserCookie;
  finish: FinishFlow;
  assets: Assets;
}
