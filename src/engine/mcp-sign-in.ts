import type { SignIn } from "../contracts/authentication.ts";
import type { Integration } from "../contracts/entities.ts";
import { Fault } from "../contracts/fault.ts";
import { type Address, exactAddress } from "./connection/address.ts";
import type { ConnectionContext } from "./connection/connection-context.ts";
import { NotConnected } from "./connection/not-connected.ts";
import { providerReason } from "./connection/safe-provider-message.ts";
import { Cancellation } from "./http/cancellation.ts";
import { discard } from "./http/stream-response.ts";
import type { Transport, TransportRequest } from "./http/transport.ts";
import {
  type Challenge,
  notUsable,
  type ResourceMetadata,
  readChallenge,
  readRegistration,
  readResourceMetadata,
  readServerMetadata,
  resourceMetadataUrls,
  type ServerMetadata,
  serverMetadataUrls,
  validScopes,
} from "./mcp-metadata.ts";

/** Metadata is small. */
export const MAX_METADATA_BYTES = 64 * 1024;
export const MAX_METADATA_VALUES = 10_000;
/** Somebody looks at an empty page meanwhile. For everything that is asked together. */
const MAX_MS = 10_000;

const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "plugboard", version: "1" } },
});
const MCP_HEADERS = {
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
  "user-agent": "plugboard",
};

/** Where a user signs in, and what the consent is for. */
export interface FoundSignIn {
  authorizationUrl: string;
  parameters: Record<string, string>;
  signIn: SignIn;
}

/** What the integration says about the client. */
type OwnClient = Pick<Integration, "client_id" | "client_secret" | "scopes">;

interface McpSignInOptions {
  /** Checks every address, follows no redirect, and reads no more than `MAX_METADATA_BYTES`. */
  transport: Pick<Transport, "buffer" | "stream">;
  callbackUrl: string;
}

/** Signs users in at MCP servers: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization */
export function createMcpSignIn({ transport, callbackUrl }: McpSignInOptions) {
  /** Its address is the ID of the client that it describes. */
  const documentUrl = new URL("clients/mcp.json", callbackUrl).href;
  const isLocal = ["127.0.0.1", "localhost", "[::1]"].includes(new URL(callbackUrl).hostname);
  const clientMetadata = {
    client_name: "Plugboard",
    redirect_uris: [callbackUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    application_type: isLocal ? "native" : "web",
  };

  /** Sends one request. Whatever goes wrong on the way becomes an error that can be shown to the user. */
  async function send<Result>(host: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Fault && error.kind === "upstream_malformed") throw error;
      if (error instanceof Fault && error.kind === "upstream_forbidden")
        throw notUsable(`${host} cannot be used: ${error.message}.`);
      throw new NotConnected("temporarily_unavailable", `${host} cannot be reached. Please try again later.`);
    }
  }

  async function readJson(url: string, deadline: Cancellation, body?: object): Promise<JsonAnswer> {
    const { origin, path } = exactAddress(url);
    const request: TransportRequest = {
      origin,
      path: path || "/",
      method: body ? "POST" : "GET",
      headers: {
        accept: "application/json",
        "user-agent": "plugboard",
        ...(body ? { "content-type": "application/json" } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    };
    const answer = await send(new URL(url).host, () => transport.buffer(request, deadline));
    const { statusCode: status } = answer;
    const parsed = parseObject(answer.bytes);
    answer.release();
    return { status, body: parsed };
  }

  /** The first of these addresses that has a document. */
  async function readFirst(urls: readonly string[], deadline: Cancellation) {
    for (const url of urls) {
      // What is too large is no metadata: some hosts have a page at every address.
      const answer = await readJson(url, deadline).catch(noneIfMalformed);
      if (answer?.status === 200 && answer.body) return answer.body;
    }
    return undefined;
  }

  /** Says hello. Only the status and the headers of the answer are of interest. */
  async function sayHello({ origin, path }: Address, headers: Record<string, string>, deadline: Cancellation) {
    const { host } = new URL(origin);
    const answer = await send(host, () =>
      transport.stream(
        { origin, path: path || "/", method: "POST", headers: { ...MCP_HEADERS, ...headers }, body: INITIALIZE },
        deadline,
      ),
    );
    discard(answer);
    if (answer.statusCode >= 500)
      throw new NotConnected("temporarily_unavailable", `${host} is temporarily unavailable. Please try again.`);
    return answer;
  }

  async function readResource(address: Address, server: URL, challenge: Challenge, deadline: Cancellation) {
    const body = await readFirst(resourceMetadataUrls(server, challenge), deadline);
    if (body) return readResourceMetadata(body, server, address);
    if (challenge.status < 300)
      throw notUsable(`${server.host} asks nobody to sign in: the integration's type has to be "none".`);
    throw notUsable(`${server.host} does not describe how to sign in: it has no OAuth metadata that can be read.`);
  }

  async function findClient(
    server: ServerMetadata,
    { client_id, client_secret }: OwnClient,
    deadline: Cancellation,
  ): Promise<Pick<SignIn, "client" | "client_auth">> {
    const { host } = server.tokenEndpoint;
    const takes = (method: string) => server.clientAuthMethods?.includes(method);
    if (client_id) {
      // Without a list, the standard's default is Basic.
      const auth = !server.clientAuthMethods || takes("client_secret_basic") ? "basic" : "body";
      if (client_secret && auth === "body" && !takes("client_secret_post"))
        throw notUsable(`${host} cannot be used: it does not take a client secret.`);
      return { client: null, client_auth: auth };
    }
    if (server.takesClientDocuments && documentUrl.startsWith("https:"))
      return { client: { id: documentUrl, secret: null, how: "document" }, client_auth: "body" };
    if (!server.registrationEndpoint)
      throw notUsable(`${host} registers no clients by itself: the integration needs a client ID from there.`);
    const method = ["none", "client_secret_post", "client_secret_basic"].find(takes) ?? "none";
    const answer = await readJson(server.registrationEndpoint.href, deadline, {
      ...clientMetadata,
      token_endpoint_auth_method: method,
    }).catch(noneIfMalformed);
    if (!answer?.body || (answer.status !== 200 && answer.status !== 201)) {
      const reason = providerReason(answer?.body, []) ?? (answer ? `it answered ${answer.status}` : "no reason given");
      throw notUsable(`${host} did not register a client: ${reason}`);
    }
    const { id, secret, auth } = readRegistration(answer.body, callbackUrl, host);
    return { client: { id, secret, how: "registered" }, client_auth: auth };
  }

  /** The integration's scopes; otherwise those that the server asks for, and one for a refresh token if there is it. */
  function chooseScopes(integration: OwnClient, challenge: Challenge, resource: ResourceMetadata, all: string[]) {
    if (integration.scopes) return integration.scopes;
    const wanted = challenge.scope === undefined ? resource.scopes : validScopes(challenge.scope.split(" "));
    return wanted.length > 0 && all.includes("offline_access") ? [...new Set([...wanted, "offline_access"])] : wanted;
  }

  async function find(address: Address, integration: OwnClient, deadline: Cancellation): Promise<FoundSignIn> {
    const server = new URL(address.origin + address.path);
    const hello = await sayHello(address, {}, deadline);
    const challenge = readChallenge(hello.statusCode, hello.headers["www-authenticate"]);
    const resource = await readResource(address, server, challenge, deadline);
    const body = await readFirst(serverMetadataUrls(resource.issuer), deadline);
    if (!body)
      throw notUsable(
        `${resource.issuer.host} does not describe how to sign in: it has no OAuth metadata that can be read.`,
      );
    const metadata = readServerMetadata(body, resource.issuer, server);
    const scopes = chooseScopes(integration, challenge, resource, metadata.scopes);
    return {
      authorizationUrl: metadata.authorizationEndpoint.href,
      parameters: {
        resource: resource.resource,
        ...(scopes.length > 0 ? { scope: scopes.join(" ") } : {}),
        // OpenID Connect Core, 11: otherwise there may be no refresh token.
        ...(scopes.includes("offline_access") ? { prompt: "consent" } : {}),
      },
      signIn: {
        issuer: metadata.issuer,
        names_issuer: metadata.namesIssuer,
        token_endpoint: metadata.tokenEndpoint.href,
        revocation_endpoint: metadata.revocationEndpoint?.href ?? null,
        resource: resource.resource,
        ...(await findClient(metadata, integration, deadline)),
      },
    };
  }

  return {
    /** Our client metadata document, for authorization servers that read it instead of registering a client. */
    clientDocument: { client_id: documentUrl, ...clientMetadata, token_endpoint_auth_method: "none" },

    /** How users sign in at an MCP server, as it says now. */
    find: (address: Address, integration: OwnClient): Promise<FoundSignIn> =>
      withDeadline((deadline) => find(address, integration, deadline)),

    /** Whether an MCP server takes a connection's credentials. Throws if it refuses them. */
    check: (connection: ConnectionContext): Promise<void> =>
      withDeadline(async (deadline) => {
        const address = connection.address("mcp");
        const { host } = new URL(address.origin);
        const { statusCode: status } = await sayHello(address, connection.authorization.headers ?? {}, deadline);
        if (status === 401 || status === 403)
          throw new NotConnected("access_denied", `${host} refused with status ${status}`);
        // Servers may refuse this message itself with 400: later versions of MCP do not have it.
        if (status >= 300 && status !== 400)
          throw notUsable(`${host} has no MCP server at this address: it answered ${status}.`);
      }),
  };
}

export type McpSignIn = ReturnType<typeof createMcpSignIn>;

interface JsonAnswer {
  status: number;
  /** Undefined if it is not a JSON object. */
  body: Record<string, unknown> | undefined;
}

function noneIfMalformed(error: unknown): undefined {
  if (!(error instanceof Fault)) throw error;
}

function parseObject(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

async function withDeadline<Result>(work: (deadline: Cancellation) => Promise<Result>): Promise<Result> {
  const deadline = new Cancellation();
  const timer = setTimeout(() => deadline.cancel(), MAX_MS);
  try {
    return await work(deadline);
  } finally {
    clearTimeout(timer);
  }
}
