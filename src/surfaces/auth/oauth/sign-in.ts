import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../../../contracts/caller.ts";
import type { Workspace } from "../../../contracts/entities.ts";
import { Fault } from "../../../contracts/fault.ts";
import type { McpSignIn } from "../../../contracts/mcp-grants.ts";
import { isSessionToken } from "../../../contracts/session-token.ts";
import { assertAllowed } from "../../../engine/index.ts";
import { UNIFIED_MCP_ACCESS } from "../../shared/forwarding.ts";
import { type ProvenSignIn, personOf } from "../../shared/mcp-sign-ins.ts";
import { countAttempt } from "../attempt-limits.ts";
import { brandOf, withLogo } from "../brand.ts";
import { MAX_FORM_BYTES } from "../connect-page.ts";
import { ErrorPage } from "../errors.ts";
import type { AuthParts } from "../parts.ts";
import { searchPolicy } from "../security-headers.ts";
import { signInPage } from "./sign-in-page.ts";
import { createVisits } from "./visit.ts";

const MAX_KEY_LENGTH = 200;
const PER_ADDRESS = { points: 20, seconds: 60 };

/** The page on which somebody proves who they are, if the workspace has no sign-in of its own. */
export function signInRoutes(app: FastifyInstance, parts: AuthParts): void {
  const { store, engine, coordination, signer, assets, dashboardUrl, signIns } = parts;
  const visit = createVisits(parts);

  async function visitHere(request: FastifyRequest) {
    const found = await visit(request, (id) => store.mcpGrants.signIn(id));
    // Whoever signs in at the application must not become somebody else here.
    if (found.workspace.mcp_sign_in_url !== null)
      throw new ErrorPage("This cannot be completed here", `People sign in at ${found.workspace.name} itself.`);
    return found;
  }

  const ticketOf = ({ id, browser }: McpSignIn) => signer.signText("mcp sign-in", id, browser);

  function send(reply: FastifyReply, signIn: McpSignIn, workspace: Workspace, problem?: string) {
    const brand = brandOf(workspace, assets);
    const dashboard = dashboardUrl === undefined ? undefined : `${dashboardUrl}/mcp-sign-ins/${signIn.id}`;
    return reply
      .code(problem === undefined ? 200 : 400)
      .type("text/html; charset=utf-8")
      .header("content-security-policy", withLogo(searchPolicy, brand))
      .send(signInPage({ signIn, workspace, brand, dashboard, ticket: ticketOf(signIn), problem }, assets));
  }

  /** Whose key it is, or why it is of no use here. */
  async function readKey(key: string, workspace: Workspace): Promise<Caller | string> {
    if (key === "") return "This field is required";
    if (key.length > MAX_KEY_LENGTH || isSessionToken(key)) return "This key is unknown";
    try {
      const caller = await engine.authenticate(key);
      if (caller.workspace.id !== workspace.id) return "This key is of another workspace";
      assertAllowed(caller, UNIFIED_MCP_ACCESS);
      return caller;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      if (error.kind === "unauthorized") return "This key is unknown or has expired";
      if (error.kind === "insufficient_scope") return `This key is of no use here: ${error.message}`;
      throw error;
    }
  }

  app.get("/oauth/sign-in", async (request, reply) => {
    const { signIn, workspace } = await visitHere(request);
    return send(reply, signIn, workspace);
  });

  app.post("/oauth/sign-in", { bodyLimit: MAX_FORM_BYTES }, async (request, reply) => {
    const { signIn, workspace } = await visitHere(request);
    const body = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    if (!signer.verifyText(body.get("ticket") ?? "", "mcp sign-in", signIn.id, signIn.browser))
      throw new ErrorPage("This page has expired", "Please go back and try again.");
    const waitSeconds = await countAttempt(coordination, `mcp-sign-in:${workspace.id}`, request, [PER_ADDRESS]);
    if (waitSeconds !== undefined)
      throw new ErrorPage("Too many attempts", `Please try again in ${waitSeconds} seconds.`, { status: 429 });
    const caller = await readKey((body.get("api_key") ?? "").trim(), workspace);
    if (typeof caller === "string") return send(reply, signIn, workspace, caller);
    const proven = await store.mcpGrants.proveSignIn(workspace.id, signIn.id, personOf(caller));
    if (!proven) throw new ErrorPage("This cannot be completed", "Somebody else has signed in here already.");
    return reply.redirect(signIns.consentUrl(proven as ProvenSignIn), 303);
  });
}
