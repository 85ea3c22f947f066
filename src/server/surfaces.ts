import type { KeyObject } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Config, SurfaceName } from "../config/index.ts";
import type { Coordination } from "../contracts/coordination.ts";
import type { BoundOperation } from "../contracts/operation.ts";
import type { Store } from "../contracts/store.ts";
import { createSigner, type Engine } from "../engine/index.ts";
import type { HintWriter } from "../events/hooks/hints.ts";
import { auth, createAuthErrorSender } from "../surfaces/auth/index.ts";
import { mcp } from "../surfaces/mcp/index.ts";
import { sendPlatformError } from "../surfaces/platform/errors.ts";
import { platform } from "../surfaces/platform/index.ts";
import { proxy } from "../surfaces/proxy/index.ts";
import { createConnectUrls } from "../surfaces/shared/connect-urls.ts";
import { sendForwardingError } from "../surfaces/shared/forwarding-errors.ts";
import type { McpAddresses } from "../surfaces/shared/mcp-addresses.ts";
import { resourceMetadataRoutes } from "../surfaces/shared/mcp-metadata.ts";
import type { McpSignIns } from "../surfaces/shared/mcp-sign-ins.ts";
import type { DirectSurface } from "../surfaces/shared/surface-types.ts";
import { sendError as sendUnifiedError } from "../surfaces/unified/errors.ts";
import { unified } from "../surfaces/unified/index.ts";
import { unifiedMcp } from "../surfaces/unified/mcp/index.ts";
import { createHostPolicy, createOriginPolicy } from "./allowed-origins.ts";

/** An API with a path, and perhaps a host, of its own. */
export interface Surface {
  name: SurfaceName;
  /** Returns what serves its requests without Fastify, if that is possible. */
  mount(instance: FastifyInstance): DirectSurface | void | Promise<void>;
  sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): unknown;
}

export interface SurfacesOptions {
  config: Config;
  store: Store;
  coordination: Coordination;
  engine: Engine;
  /** The table of operations. */
  operations: readonly BoundOperation[];
  /** Keys that sign values sent through the browser, the current one first. */
  signingKeys: () => readonly KeyObject[];
  /** Where MCP clients sign people in. */
  addresses: McpAddresses;
  signIns: McpSignIns;
  /** Runs the subscriptions that are due without waiting for the next poll. */
  wakeSubscriptions(): void;
  /** Stores what the webhooks of providers say. */
  hint: HintWriter;
}

/** Where a document says that a surface is: without a public address, at the host that it was loaded from. */
export const documentedUrl = ({ givenUrls, urls }: Config, name: SurfaceName): string =>
  givenUrls.has(name) ? urls[name] : `/${name}`;

export function createSurfaces(options: SurfacesOptions): Surface[] {
  const { config, store, coordination, engine, operations, signingKeys, wakeSubscriptions, hint, addresses, signIns } =
    options;
  const { headerPrefix, rateLimit, unifiedRateLimit, urls } = config;
  const allowsOrigin = createOriginPolicy(config);
  const connectUrls = createConnectUrls(urls.auth, createSigner(signingKeys));
  return [
    {
      name: "unified",
      mount(instance) {
        const direct = unified(instance, { engine, operations, headerPrefix, rateLimit: unifiedRateLimit });
        unifiedMcp(instance, {
          engine,
          operations,
          store,
          connectUrls,
          headerPrefix,
          rateLimit,
          allowsOrigin,
          addresses,
        });
        resourceMetadataRoutes(instance, addresses);
        return direct;
      },
      sendError: sendUnifiedError,
    },
    {
      name: "platform",
      mount: (instance) =>
        platform(instance, {
          store,
          coordination,
          engine,
          operations,
          connectUrls,
          signIns,
          wakeSubscriptions,
          sandbox: config.sandbox,
          headerPrefix,
          serverUrl: documentedUrl(config, "platform"),
        }),
      sendError: sendPlatformError,
    },
    {
      name: "auth",
      mount: (instance) =>
        auth(instance, {
          store,
          coordination,
          engine,
          operations,
          hint,
          url: urls.auth,
          headerPrefix,
          serverUrl: documentedUrl(config, "auth"),
          isOtherHost: createHostPolicy(config),
          signingKeys,
          connectUrls,
          addresses,
          signIns,
          dashboardUrl: config.dashboard ? config.dashboardUrl : undefined,
        }),
      sendError: createAuthErrorSender(urls.auth),
    },
    {
      name: "proxy",
      mount: (instance) => proxy(instance, { engine, headerPrefix, rateLimit, url: urls.proxy }),
      sendError: sendForwardingError,
    },
    {
      name: "mcp",
      mount: (instance) => mcp(instance, { engine, headerPrefix, rateLimit, allowsOrigin }),
      sendError: sendForwardingError,
    },
  ];
}
