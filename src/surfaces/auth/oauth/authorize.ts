import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Workspace } from "../../../contracts/entities.ts";
import type { McpClient } from "../../../contracts/mcp-grants.ts";
import { newId } from "../../../runtime/ids.ts";
import { splitUrl } from "../../shared/split-url.ts";
import { countAttempt } from "../attempt-limits.ts";
import { ErrorPage, FlowError } from "../errors.ts";
import type { AuthParts } from "../parts.ts";
import { publicAddress } from "../public-address.ts";
import { returnUrl } from "../return-url.ts";
import { findClient, shownName } from "./clients.ts";
import { isRegistered } from "./redirects.ts";

/** How long somebody may take to sign in and to decide. */
const SIGN_IN_TTL_MS = 10 * 60_000;
const MAX_STATE_LENGTH = 2_000;
const PER_ADDRESS = { points: 60, seconds: 60 };

interface AuthorizationRequest {
  client: McpClient;
  redirectUri: string;
  state: string | null;
  codeChallenge: string;
  resource: string;
  workspace: Workspace;
}

/** The beginning of a sign-in (OAuth 2.1, 4.1.1): who asks, for which address, and where the person returns to. */
export function authorizeRoute(app: FastifyInstance, parts: AuthParts): void {
  const { store, coordination, browserCookie, addresses, url } = parts;

  /** Until the redirect URI is known to belong to the client, errors are shown on a page. */
  async function readRecipient(parameters: URLSearchParams) {
    const one = (name: string) => {
      const given = parameters.getAll(name);
      if (given.length !== 1 || !given[0])
        throw new ErrorPage("This link does not work", `It must have exactly one ${name}.`);
      return given[0];
    };
    const client = await findClient(parts, one("client_id"));
    const redirectUri = one("redirect_uri");
    if (!isRegistered(client.redirect_uris, redirectUri))
      throw new ErrorPage(
        "This link does not work",
        "The address to return to is not one that this program has registered.",
      );
    return { client, redirectUri };
  }

  async function readRequest(parameters: URLSearchParams): Promise<AuthorizationRequest> {
    const { client, redirectUri } = await readRecipient(parameters);
    const states = parameters.getAll("state");
    const state = states.length === 1 && states[0]!.length <= MAX_STATE_LENGTH ? states[0]! : null;
    const refuse = (error: string, description: string) =>
      new FlowError({ redirectUri, state, iss: addresses.issuer }, error, description);
    if (states.length > 0 && state === null) throw refuse("invalid_request", "state is too long, or given twice");
    const optional = (name: string) => {
      const given = parameters.getAll(name);
      if (given.length > 1) throw refuse("invalid_request", `${name} is given more than once`);
      return given[0] || undefined;
    };
    if (parameters.has("request") || parameters.has("request_uri"))
      throw refuse("request_not_supported", "request objects are not supported");
    if (optional("response_type") !== "code") throw refuse("unsupported_response_type", "response_type must be code");
    if ((optional("response_mode") ?? "query") !== "query")
      throw refuse("invalid_request", "response_mode must be query");
    const codeChallenge = optional("code_challenge") ?? "";
    if (optional("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(codeChallenge))
      throw refuse("invalid_request", "code_challenge with code_challenge_method=S256 is required");
    const resource = addresses.read(optional("resource") ?? addresses.of());
    const workspace = resource && (await addresses.workspace(resource));
    if (!workspace)
      throw refuse("invalid_target", "resource must be the address of a workspace: its metadata has the exact one");
    return { client, redirectUri, state, codeChallenge, resource, workspace };
  }

  /** The application's own page, or ours. */
  const signInPage = ({ mcp_sign_in_url }: Workspace, request: string) =>
    mcp_sign_in_url === null ? `${url}/oauth/sign-in?request=${request}` : returnUrl(mcp_sign_in_url, { request });

  async function assertNotTooMany(request: FastifyRequest): Promise<void> {
    const waitSeconds = await countAttempt(coordination, "mcp-authorize", request, [PER_ADDRESS]);
    if (waitSeconds === undefined) return;
    throw new ErrorPage("Too many attempts", `Please try again in ${waitSeconds} seconds.`, { status: 429 });
  }

  app.get("/oauth/authorize", async (request, reply) => {
    const elsewhere = publicAddress(request, "/oauth/authorize", parts);
    if (elsewhere) return reply.redirect(elsewhere);
    await assertNotTooMany(request);
    const asked = await readRequest(new URLSearchParams(splitUrl(request.url)[1]));
    const { client, redirectUri, state, codeChallenge, resource, workspace } = asked;
    request.trace.workspaceId = workspace.id;
    const id = newId("msi");
    const isBegun = await store.mcpGrants.beginSignIn({
      id,
      workspace_id: workspace.id,
      client_id: client.id,
      client_name: shownName(client.name),
      redirect_uri: redirectUri,
      state,
      code_challenge: codeChallenge,
      resource,
      browser: browserCookie.set(request, reply),
      expires_at: new Date(Date.now() + SIGN_IN_TTL_MS).toISOString(),
    });
    if (!isBegun)
      throw new FlowError(
        { redirectUri, state, iss: addresses.issuer },
        "temporarily_unavailable",
        "Too many people are signing in",
      );
    return reply.redirect(signInPage(workspace, id), 303);
  });
}
