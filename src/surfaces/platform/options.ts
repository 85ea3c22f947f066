import type { IncomingMessage, ServerResponse } from "node:http";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from "fastify";
import type { Coordination } from "../../contracts/coordination.ts";
import type { Workspace } from "../../contracts/entities.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import type { Store } from "../../contracts/store.ts";
import type { Engine } from "../../engine/index.ts";
import type { ConnectUrls } from "../shared/connect-urls.ts";
import type { McpSignIns } from "../shared/mcp-sign-ins.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The caller's. */
    readonly workspace: Workspace;
  }
}

export interface PlatformOptions {
  store: Store;
  coordination: Coordination;
  engine: Pick<
    Engine,
    | "hooks"
    | "authenticate"
    | "refused"
    | "revoke"
    | "refuseAddress"
    | "sharedProviders"
    | "providerOf"
    | "providersOf"
    | "connect"
    | "proxyBaseUrl"
    | "callbackUrl"
    | "eventPoster"
    | "inspect"
    | "supports"
  >;
  /** The table of operations: types of events are made from it, and its lists can be subscribed to. */
  operations: readonly BoundOperation[];
  connectUrls: Pick<ConnectUrls, "of">;
  signIns: Pick<McpSignIns, "consentUrl">;
  /** Runs the subscriptions that are due without waiting for the next poll. */
  wakeSubscriptions(): void;
  /** Whether an integration may use the emulated providers. */
  sandbox: boolean;
  headerPrefix: string;
  /** Where the surface is, for its OpenAPI document: its public address, or a path on the same host. */
  serverUrl: string;
}

export type PlatformApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;
