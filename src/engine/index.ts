import type { KeyObject } from "node:crypto";
import type { Coordination } from "../contracts/coordination.ts";
import type { Integration } from "../contracts/entities.ts";
import type { AllowedPrivate, ProxySettings } from "../contracts/network.ts";
import type { BoundOperation } from "../contracts/operation.ts";
import type { Provider } from "../contracts/provider.ts";
import type { Store } from "../contracts/store.ts";
import type { Telemetry } from "../contracts/telemetry.ts";
import { createAuthorizer } from "./authorize.ts";
import { createClientDocuments } from "./client-document.ts";
import { createConnector } from "./connect.ts";
import { createAccountReader } from "./connected-account.ts";
import { proxyBaseUrl } from "./connection/address.ts";
import { createIdentities, type PeopleOptions } from "./connection/identify.ts";
import { createTokenIssuer } from "./connection/issue-token.ts";
import { createProviders, type ProvidersOptions } from "./connection/providers.ts";
import { createRevoker } from "./connection/revoke.ts";
import { createTokenKeeper } from "./connection/token-refresh.ts";
import { createTokenRequests } from "./connection/token-request.ts";
import { createDiscoveredConsents } from "./discovered-consent.ts";
import { createForwarder } from "./forward.ts";
import { createHooks } from "./hooks/index.ts";
import { createCallWithRetries } from "./http/attempts.ts";
import { createEventPoster } from "./http/post-event.ts";
import { refuseAddress } from "./http/refuse-address.ts";
import { createTransport } from "./http/transport.ts";
import { createMcpSignIn, MAX_METADATA_BYTES, MAX_METADATA_VALUES } from "./mcp-sign-in.ts";
import { createOpenIdConnect } from "./openid-connect.ts";
import { createCredentialsCheck } from "./operation/credentials-check.ts";
import { createCursors } from "./operation/cursor.ts";
import { createDownloader } from "./operation/download.ts";
import { createFormatGuard } from "./operation/format-guard.ts";
import { createRunner } from "./operation/run.ts";
import { createUploader } from "./operation/upload.ts";
import { createUpstream } from "./operation/upstream.ts";
import { createWriteOnce } from "./operation/write-once.ts";
import { createRefusals } from "./refusals.ts";
import { createSigner } from "./signed.ts";

export { readBasicAuth } from "../runtime/basic-auth.ts";
export { assertAllowed, type Use } from "./authorize.ts";
export { ClientDocumentProblem, isDocumentAddress } from "./client-document.ts";
export type { Grant } from "./connect.ts";
export { SANDBOX } from "./connection/address.ts";
export { type AskedCredential, askedCredentials } from "./connection/asked-credentials.ts";
export type { ConnectionContext } from "./connection/connection-context.ts";
export { hideSecrets, secretsOf } from "./connection/hide-secrets.ts";
export { LINK_ACTOR, personActor } from "./connection/identify.ts";
export { NotConnected } from "./connection/not-connected.ts";
export type { RequestTarget } from "./connection/request-target.ts";
export { integrationSettings, isInAddress, isValidSetting, missingSetting } from "./connection/settings.ts";
export type { Forwarded } from "./forward.ts";
export { readHook } from "./hooks/read-request.ts";
export { Cancellation, CancelledError } from "./http/cancellation.ts";
export { confine } from "./http/confined-path.ts";
export { type HeaderList, responseHeaders } from "./http/forwarded-headers.ts";
export { describeCall, httpMethod } from "./http/http-span.ts";
export type { EventAnswer } from "./http/post-event.ts";
export { retry, sleep } from "./http/retry.ts";
export { discard } from "./http/stream-response.ts";
export { type OpenIdConnect, SignInFailure, type SignInSecrets } from "./openid-connect.ts";
export { DOWNLOAD_REQUEST_HEADERS } from "./operation/download.ts";
export type { OperationRequest } from "./operation/request.ts";
export type { OperationResult } from "./operation/result.ts";
export { ReplayedFailure } from "./operation/write-once.ts";
export { createSigner, type Signer } from "./signed.ts";

export interface EngineOptions extends PeopleOptions {
  store: Store;
  coordination: Coordination;
  /** Those of every workspace. */
  providers: readonly Provider[];
  /** Makes a provider from the document of a workspace. */
  readDocument: ProvidersOptions["readDocument"];
  /** The operation that returns whose account a connection belongs to, if the table has one. */
  accountOperation?: BoundOperation | undefined;
  telemetry: Telemetry;
  upstreamTimeoutMs: number;
  upstreamRetryTimeoutMs: number;
  /** Limits of a response that Unified reads: see `BufferLimits`. */
  upstreamMaxBodyBytes: number;
  upstreamMaxValues: number;
  allowPrivateUpstreams: AllowedPrivate;
  /** The proxy that outgoing calls take, if there is one. */
  proxy?: ProxySettings | undefined;
  /** Where this process's emulated providers are, without a trailing slash; undefined if the sandbox is off. */
  sandboxUrl: string | undefined;
  /** The sandbox's address for browsers. */
  publicSandboxUrl: string | undefined;
  /** Where a provider's consent page redirects to. */
  callbackUrl: string;
  /** Where providers send their webhooks to, and where the emulated ones do. */
  hooksUrl: string;
  localHooksUrl: string;
  /** Keys that the addresses of hooks are signed with, the current one first. */
  hookKeys: () => readonly KeyObject[];
  /** Where the identity provider redirects to. */
  signInCallbackUrl?: string;
  /** Keys that cursors are signed with, the current one first. */
  sealingKeys: () => readonly KeyObject[];
  /** Makes V8 collect young objects; called after many bytes were streamed. */
  collectYoungObjects?: (() => void) | undefined;
}

/** Other calls wait while a token is refreshed. */
const MAX_TOKEN_REQUEST_MS = 30_000;
/** Somebody looks at an empty page while the identity provider is called. */
const MAX_SIGN_IN_REQUEST_MS = 10_000;

export function createEngine(options: EngineOptions) {
  const { store, coordination, telemetry, sandboxUrl, publicSandboxUrl, callbackUrl } = options;
  const { allowPrivateUpstreams, proxy } = options;
  const providers = createProviders({ store, shared: options.providers, readDocument: options.readDocument });
  const transport = createTransport({
    allowPrivateUpstreams,
    proxy,
    maxBodyBytes: options.upstreamMaxBodyBytes,
    maxValues: options.upstreamMaxValues,
    trustedOrigin: sandboxUrl && new URL(sandboxUrl).origin,
    collectYoungObjects: options.collectYoungObjects,
  });
  const metadataTransport = createTransport({
    allowPrivateUpstreams,
    proxy,
    maxBodyBytes: MAX_METADATA_BYTES,
    maxValues: MAX_METADATA_VALUES,
    trustedOrigin: sandboxUrl && new URL(sandboxUrl).origin,
  });
  const eventPoster = createEventPoster({ allowPrivateUpstreams, proxy });
  const callWithRetries = createCallWithRetries(
    { firstMs: options.upstreamTimeoutMs, retryMs: options.upstreamRetryTimeoutMs },
    telemetry,
  );
  const { oidc, peopleOnly } = options;
  const identities = createIdentities({ store, coordination, providers, sandboxUrl, telemetry, oidc, peopleOnly });
  const tokenTimeoutMs = Math.min(options.upstreamTimeoutMs, MAX_TOKEN_REQUEST_MS);
  const callTokenEndpoint = createCallWithRetries({ firstMs: tokenTimeoutMs, retryMs: tokenTimeoutMs }, telemetry);
  const requestToken = createTokenRequests(transport, callTokenEndpoint);
  const issueToken = createTokenIssuer(transport, callTokenEndpoint);
  const revoke = createRevoker(transport, providers, sandboxUrl, telemetry);
  const tokens = createTokenKeeper({
    isRefusedByApi: createCredentialsCheck(transport, callWithRetries),
    store,
    coordination,
    identities,
    requestToken,
    issueToken,
    revoke,
    telemetry,
    tokenTimeoutMs,
    callbackUrl,
  });
  const call = createUpstream(transport, callWithRetries, tokens);
  const guardFormat = createFormatGuard(telemetry);
  const runner = createRunner({
    call,
    guardFormat,
    telemetry,
    download: createDownloader(transport, callWithRetries, tokens, guardFormat),
    upload: createUploader(transport, callWithRetries, tokens),
    cursors: createCursors(options.sealingKeys),
    providers: providers.shared,
  });
  const openIdConnect =
    oidc &&
    createOpenIdConnect({
      settings: oidc,
      redirectUri: options.signInCallbackUrl!,
      allowPrivateUpstreams,
      proxy,
      timeoutMs: Math.min(options.upstreamTimeoutMs, MAX_SIGN_IN_REQUEST_MS),
    });
  const readAccount = createAccountReader({ runner, operation: options.accountOperation });
  const { authenticate, authenticateMcpClient, authorize, inspect, withValidToken } = createAuthorizer({
    identities,
    tokens,
    coordination,
    supports: runner.supports,
  });

  return {
    /** Those of every workspace. */
    sharedProviders: providers.shared,
    /** A workspace's provider of this id: its own, or one that every workspace has. */
    providerOf: providers.of,
    /** All providers of a workspace by id. */
    providersOf: providers.all,
    authenticate,
    authenticateMcpClient,
    /** Who an MCP client is, from the metadata document at its ID. */
    readMcpClient: createClientDocuments({
      transport: metadataTransport,
      allowPrivate: allowPrivateUpstreams === true,
    }),
    /** How people sign in; undefined if it is not configured. */
    openIdConnect,
    authorize,
    inspect,
    withValidToken,
    supports: runner.supports,
    requires: runner.requires,
    filtersUpdatedSince: runner.filtersUpdatedSince,
    run: createWriteOnce({ store, run: runner.run, telemetry }),
    dryRun: runner.dryRun,
    offeredFields: runner.offered,
    download: runner.download,
    /** The providers' own webhooks. */
    hooks: createHooks({
      call,
      guardFormat,
      tokens,
      providers,
      signer: createSigner(options.hookKeys),
      url: options.hooksUrl,
      localUrl: options.localHooksUrl,
      sandboxUrl,
      telemetry,
    }),
    /** Forwards a client's own request, streaming in both directions. */
    forward: createForwarder(transport, callWithRetries, tokens),
    revoke,
    /** What the Proxy appends paths to; null if the provider is unknown, or emulated while the sandbox is off. */
    proxyBaseUrl: (provider: Provider | undefined, integration: Pick<Integration, "type" | "base_url" | "mcp_url">) =>
      provider ? proxyBaseUrl(provider.manifest, integration, sandboxUrl) : null,
    /** Where a provider's consent page redirects to. */
    callbackUrl,
    /** For the connect flow: consent, code exchange and key checks. */
    connect: createConnector({
      discovered: createDiscoveredConsents({
        mcpSignIn: createMcpSignIn({ transport: metadataTransport, callbackUrl }),
        requestToken,
        callbackUrl,
        sandboxUrl,
        publicSandboxUrl,
      }),
      providers,
      readAccount,
      requestToken,
      issueToken,
      call,
      guardFormat,
      callbackUrl,
      sandboxUrl,
      publicSandboxUrl,
    }),

    /**
     * Why an address given by a user must not be called; undefined if it may. It is checked again at every connect. With
     * `https` it must be encrypted, except in a network of one's own.
     */
    refuseAddress(address: string, rules: { https?: boolean } = {}): Promise<string | undefined> {
      const { href } = URL.parse(address) ?? {};
      const isSandbox = sandboxUrl !== undefined && `${href}/`.startsWith(`${sandboxUrl}/`);
      const allowPrivate = isSandbox || allowPrivateUpstreams;
      return refuseAddress(address, {
        allowPrivate,
        https: rules.https === true,
        unresolved: proxy?.target === "unresolved",
      });
    },
    /** For webhooks: posts events, and says which addresses they must not be posted to. */
    eventPoster,

    /** Writes an attempt that was refused to the audit log. */
    refused: createRefusals(store, telemetry),

    /** Waits for refreshes in progress, so that tokens which a provider has issued are stored. */
    async close(): Promise<void> {
      await tokens.settle();
      await Promise.all([
        transport.close(),
        metadataTransport.close(),
        eventPoster.close(),
        identities.close(),
        openIdConnect?.close(),
      ]);
    },
  };
}

export type Engine = ReturnType<typeof createEngine>;
