import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { GrantAccess } from "../../../contracts/access.ts";
import type { Workspace } from "../../../contracts/entities.ts";
import type { Store } from "../../../contracts/store.ts";
import type { ToolPack } from "../../../contracts/tool-packs.ts";
import { newId, newMcpCode } from "../../../runtime/ids.ts";
import { auditEntry } from "../../shared/audit.ts";
import { grantExpiry, type ProvenSignIn } from "../../shared/mcp-sign-ins.ts";
import { addConnectSession, newConnectSession } from "../../shared/new-connect-session.ts";
import { visibleConnections } from "../../shared/visible-connections.ts";
import { brandOf, withLogo } from "../brand.ts";
import { MAX_FORM_BYTES } from "../connect-page.ts";
import { ErrorPage, FlowError } from "../errors.ts";
import type { AuthParts } from "../parts.ts";
import { returnUrl } from "../return-url.ts";
import { formPolicy } from "../security-headers.ts";
import { type AccountChoice, consentPage } from "./consent-page.ts";
import { redirectHost } from "./redirects.ts";
import { createUsableAccounts } from "./usable-accounts.ts";
import { createVisits } from "./visit.ts";

/** More than anybody would read through. */
const MAX_ACCOUNTS = 200;
const CODE_TTL_MS = 60_000;
const CONNECT_SECONDS = 10 * 60;

/** What the client is allowed to do. */
interface Allowed {
  access: GrantAccess;
  callApi: boolean;
}

interface Decision extends Partial<Allowed> {
  /** What was chosen before; by default what the person has connected. */
  chosen?: readonly string[];
  problem?: string;
}

/** The page on which somebody decides what a client may do. Every client is asked about, every time. */
export function consentRoutes(app: FastifyInstance, parts: AuthParts): void {
  const { store, engine, signer, assets, url, addresses, signIns, connectUrls } = parts;
  const visit = createVisits(parts);
  const usableAccounts = createUsableAccounts(parts);

  /** What somebody allows ends with their key: without it, they decide nothing. */
  async function assertKey({ person, workspace_id }: ProvenSignIn, { keys }: Pick<Store, "keys"> = store) {
    if (person.key_id === null) return;
    const key = await keys.get(workspace_id, person.key_id);
    if (!key || (key.expires_at !== null && Date.parse(key.expires_at) <= Date.now()))
      throw new ErrorPage(
        "The API key no longer works",
        "The key that was used to sign in has expired or was deleted. Nothing was allowed. Please start again in the program that you want to use.",
      );
  }

  async function visitProven(request: FastifyRequest) {
    const found = await visit(request, signIns.read);
    await assertKey(found.signIn);
    return found;
  }

  /** What limits the client. Without its tool pack, nothing is allowed. */
  async function packOf(
    { person, workspace_id }: ProvenSignIn,
    { toolPacks }: Pick<Store, "toolPacks"> = store,
  ): Promise<ToolPack | undefined> {
    if (person.tool_pack_id === null) return undefined;
    const pack = await toolPacks.get(workspace_id, person.tool_pack_id);
    if (!pack)
      throw new ErrorPage(
        "This cannot be completed",
        "The tool pack that limits the program was deleted. Nothing was allowed. Please start again in the program that you want to use.",
      );
    return pack;
  }

  const mayCallApi = ({ person }: ProvenSignIn, pack: ToolPack | undefined) => person.may_call_api && !pack;

  /** The accounts that the person may choose from. */
  async function accountsOf(signIn: ProvenSignIn, pack: ToolPack | undefined): Promise<AccountChoice[]> {
    const { person, workspace_id, created_at } = signIn;
    const { external_id } = person;
    const filter = visibleConnections(person, {});
    const page = { offset: 0, limit: MAX_ACCOUNTS + 1, newestFirst: true };
    const listed = filter ? await store.connections.list(workspace_id, page, filter) : [];
    const found = pack ? await usableAccounts(signIn, listed, pack) : listed;
    const providers = await engine.providersOf(workspace_id);
    return found.flatMap(({ id, integration_identifier, account, is_valid, ...connection }) => {
      const manifest = providers.get(integration_identifier)?.manifest;
      // Its tools are at /mcp, which is not for these clients.
      if (!manifest || manifest.mcpOnly) return [];
      const whose =
        account?.email ?? account?.name ?? account?.id ?? (external_id === null ? connection.external_id : null);
      // A user's own accounts, and whatever was connected for this.
      const isChosen = external_id !== null || connection.created_at >= created_at;
      return [{ id, name: manifest.name, account: whose, isValid: is_valid, isChosen }];
    });
  }

  const ticketParts = ({ id, browser, client_id, person }: ProvenSignIn) =>
    ["mcp decision", id, browser, client_id, JSON.stringify(person)] as const;

  async function show(reply: FastifyReply, signIn: ProvenSignIn, workspace: Workspace, decision: Decision = {}) {
    const { chosen, access = "read", callApi = false, problem } = decision;
    const pack = await packOf(signIn);
    const accounts = await accountsOf(signIn, pack);
    const brand = brandOf(workspace, assets);
    const markup = consentPage(
      {
        signIn,
        workspace,
        brand,
        accounts: accounts
          .slice(0, MAX_ACCOUNTS)
          .sort((a, b) => a.name.localeCompare(b.name))
          .map((account) => ({ ...account, isChosen: chosen?.includes(account.id) ?? account.isChosen })),
        isCut: accounts.length > MAX_ACCOUNTS,
        mayConnect: await mayConnect(signIn),
        access,
        callApi: mayCallApi(signIn, pack) ? callApi : undefined,
        pack,
        ticket: signer.signText(...ticketParts(signIn)),
        problem,
      },
      assets,
    );
    return reply
      .code(problem === undefined ? 200 : 400)
      .type("text/html; charset=utf-8")
      .header("content-security-policy", withLogo(formPolicy(url, signIn.redirect_uri), brand))
      .send(markup);
  }

  async function mayConnect({ person, workspace_id }: ProvenSignIn): Promise<boolean> {
    if (!person.may_connect) return false;
    return (await store.integrations.list(workspace_id, { offset: 0, limit: 1 })).length > 0;
  }

  /** Lets the person connect an account, and return here. Whoever else opens the link would give them an account. */
  async function connect(
    request: FastifyRequest,
    { id, workspace_id, person, browser }: ProvenSignIn,
  ): Promise<string> {
    const { external_id, actor } = person;
    const session = newConnectSession({ workspace_id, external_id, mcp_sign_in_id: id, browser }, CONNECT_SECONDS);
    await addConnectSession(store, actor, session, request);
    return connectUrls.of(session.id);
  }

  async function grant(request: FastifyRequest, signIn: ProvenSignIn, chosen: string[], allowed: Allowed) {
    const { workspace_id, client_id, client_name, redirect_uri, state, resource, person } = signIn;
    const { token: code, hash } = newMcpCode();
    const id = newId("grant");
    const granted = await store.change(
      workspace_id,
      async ({ mcpGrants, toolPacks, keys }) => {
        // Either may have been deleted since the page was shown; from here on, they cannot be.
        await assertKey(signIn, { keys });
        const pack = await packOf(signIn, { toolPacks });
        return mcpGrants.grant(
          signIn,
          {
            id,
            workspace_id,
            client_id,
            client_name,
            redirect_host: redirectHost(redirect_uri),
            external_id: person.external_id,
            actor: person.actor,
            connection_ids: chosen,
            access: pack?.access === "read" ? "read" : allowed.access,
            call_api: allowed.callApi && mayCallApi(signIn, pack),
            tool_pack_id: person.tool_pack_id,
            may_add_accounts: person.may_add_accounts,
            browser: signIn.browser,
            resource,
            key_id: person.key_id,
            expires_at: grantExpiry(person),
          },
          { hash, expires_at: new Date(Date.now() + CODE_TTL_MS).toISOString() },
        );
      },
      auditEntry(
        workspace_id,
        person.actor,
        {
          action: "mcp_grant.create",
          id,
          changes: ["client_id", "connection_ids", "access", "call_api", "tool_pack_id"],
        },
        request,
      ),
    );
    if (!granted) throw usedUp();
    return returnUrl(redirect_uri, { code, state, iss: addresses.issuer });
  }

  app.get("/oauth/consent", async (request, reply) => {
    const { signIn, workspace } = await visitProven(request);
    return show(reply, signIn, workspace);
  });

  app.post("/oauth/consent", { bodyLimit: MAX_FORM_BYTES }, async (request, reply) => {
    const { signIn, workspace } = await visitProven(request);
    const body = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    if (!signer.verifyText(body.get("ticket") ?? "", ...ticketParts(signIn)))
      throw new ErrorPage("This page has expired", "Nothing was allowed. Please go back and try again.");
    const decision = body.get("decision");
    if (decision === "connect" && (await mayConnect(signIn)))
      return reply.redirect(await connect(request, signIn), 303);
    if (decision !== "allow") {
      if (!(await store.mcpGrants.endSignIn(signIn.id))) throw usedUp();
      const { redirect_uri: redirectUri, state } = signIn;
      throw new FlowError({ redirectUri, state, iss: addresses.issuer }, "access_denied", "The person refused");
    }
    const wanted = new Set(body.getAll("connection"));
    const allowed: Allowed = {
      access: body.get("access") === "write" ? "write" : "read",
      callApi: body.get("call_api") === "yes",
    };
    const accounts = await accountsOf(signIn, await packOf(signIn));
    const chosen = accounts.map(({ id }) => id).filter((id) => wanted.has(id));
    if (chosen.length === 0)
      return show(reply, signIn, workspace, { ...allowed, chosen, problem: "Choose at least one account" });
    return reply.redirect(await grant(request, signIn, chosen, allowed), 303);
  });
}

const usedUp = () =>
  new ErrorPage("This sign-in was completed already", "Please go back to the program that you want to use.");
