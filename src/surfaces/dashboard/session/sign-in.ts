import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { missingScopes, roleScopes } from "../../../contracts/access.ts";
import type { NewAuditEntry } from "../../../contracts/audit.ts";
import type { Actor } from "../../../contracts/caller.ts";
import type { Coordination } from "../../../contracts/coordination.ts";
import type { ApiKey } from "../../../contracts/entities.ts";
import type { Store } from "../../../contracts/store.ts";
import { LINK_ACTOR, type OpenIdConnect } from "../../../engine/index.ts";
import { newSessionToken } from "../../../runtime/ids.ts";
import { auditEntry } from "../../shared/audit.ts";
import { BASE } from "../base.ts";
import { plainPage } from "../components/layout.ts";
import { Redirect, type Routes, refusedForm, sendHtml } from "../routes.ts";
import { isSameOrigin } from "./same-origin.ts";
import { hashToken, SESSION_TTL_MS, type SessionCookie } from "./session.ts";
import {
  linkExpired,
  linkForm,
  peopleOnly,
  type Refusal,
  refusalContent,
  type SignInPage,
  type SignInWays,
  signedOutHere,
  signInForm,
} from "./sign-in-pages.ts";

export interface SignInOptions {
  store: Store;
  coordination: Coordination;
  cookie: SessionCookie;
  dashboardUrl: string;
  openIdConnect: OpenIdConnect | undefined;
  /** Whether links and API keys do not sign in. */
  peopleOnly: boolean;
}

/** A page of the dashboard to continue with. Anything else would let a link lead away from it. */
export function safeNext(next: string | null | undefined): string {
  const origin = "http://dashboard.invalid";
  const url = next ? URL.parse(next, origin) : null;
  const isOwn = url?.origin === origin && (url.pathname === BASE || url.pathname.startsWith(`${BASE}/`));
  return isOwn ? url.pathname + url.search : BASE;
}

/** What the audit log says about a sign-in. */
export const signInEntry = (workspaceId: string, actor: Actor, request: FastifyRequest): NewAuditEntry =>
  auditEntry(workspaceId, actor, { action: "dashboard.sign_in", id: null }, request);

/** How every sign-in ends, in whatever way it was made. */
export function createSignIns({ store, coordination, cookie, dashboardUrl, openIdConnect, ...rest }: SignInOptions) {
  const ways: SignInWays = {
    oidc: openIdConnect && {
      startUrl: `${dashboardUrl}/oidc/start`,
      host: new URL(openIdConnect.settings.issuer).host,
    },
    linksAndKeys: !rest.peopleOnly,
  };

  /** Ends the session that the browser has, if it has one. */
  async function close(request: FastifyRequest): Promise<void> {
    const token = cookie.read(request);
    if (!token) return;
    const hash = hashToken(token);
    await store.dashboard.closeSession(hash);
    await coordination.invalidate("key", hash);
  }

  const sendForm = (reply: FastifyReply, page: SignInPage) =>
    sendHtml(
      reply,
      plainPage({ title: "Sign in", content: signInForm(page, ways), hasProblem: (page.status ?? 200) >= 400 }),
      page.status,
    );

  return {
    sendForm,
    async end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      await close(request);
      cookie.clear(request, reply);
    },
    expiry: () => new Date(Date.now() + SESSION_TTL_MS).toISOString(),

    /** Somebody was signed in: their session is open. An earlier session of the same browser ends. */
    async succeed(request: FastifyRequest, reply: FastifyReply, token: string, next: string) {
      await close(request);
      cookie.set(request, reply, token);
      return reply.redirect(next, 303);
    },

    /** Nobody was signed in. The answer is the sign-in page with what is wrong, or a page that says why. */
    refuse(request: FastifyRequest, reply: FastifyReply, why: SignInPage | Refusal) {
      if (!("title" in why)) return sendForm(reply, why);
      // Messages with markup name the person.
      const details = typeof why.message === "string" ? { details: why.message } : {};
      request.log.warn({ request_id: request.id, reason: why.title, ...details }, "a sign-in was refused");
      const content = refusalContent(why, ways.oidc!, request.id);
      return sendHtml(reply, plainPage({ title: why.title, content, hasProblem: true }), why.status);
    },
  };
}

export type SignIns = ReturnType<typeof createSignIns>;

export function signInRoutes(app: FastifyInstance, routes: Routes, signIns: SignIns, options: SignInOptions): void {
  const { store, dashboardUrl, openIdConnect } = options;

  app.get("/sign-in", { config: { access: "public" } }, async (request, reply) => {
    const { link, next, left } = request.query as Record<string, unknown>;
    const target = safeNext(typeof next === "string" ? next : undefined);
    if (typeof link !== "string")
      return signIns.sendForm(reply, { next: target, notice: left === "account" ? signedOutHere : undefined });
    if (options.peopleOnly) return signIns.refuse(request, reply, { next: target, notice: peopleOnly, status: 403 });
    const workspace = await store.dashboard.link(hashToken(link));
    if (!workspace) return signIns.refuse(request, reply, { next: target, notice: linkExpired, status: 400 });
    // Programs that look at links before people do must not use it up: that takes the button.
    return sendHtml(reply, plainPage({ title: "Sign in", content: linkForm(workspace.name, link) }));
  });

  app.post("/sign-in", { config: { access: "public" } }, async (request, reply) => {
    if (!isSameOrigin(request, dashboardUrl)) throw refusedForm();
    const body = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const next = safeNext(body.get("next"));
    if (options.peopleOnly) return signIns.refuse(request, reply, { next, notice: peopleOnly, status: 403 });
    const { token, hash } = newSessionToken();
    const expires_at = signIns.expiry();
    const link = body.get("link");
    if (link !== null) {
      const linkHash = hashToken(link);
      const workspace = await store.dashboard.link(linkHash);
      const isRedeemed =
        workspace &&
        (await store.change(
          workspace.id,
          ({ dashboard }) => dashboard.redeemLink(linkHash, { hash, expires_at }),
          signInEntry(workspace.id, LINK_ACTOR, request),
        ));
      if (isRedeemed) return signIns.succeed(request, reply, token, next);
      return signIns.refuse(request, reply, { next, notice: linkExpired, status: 400 });
    }
    const key = (body.get("api_key") ?? "").trim();
    const found = key ? await store.keys.byHash(hashToken(key)) : undefined;
    if (!found) {
      const problem = key ? "This key is unknown" : "This field is required";
      return signIns.refuse(request, reply, { next, problem, status: 400 });
    }
    const { workspace, key: used } = found;
    const unfit = unfitFor(used);
    if (unfit) return signIns.refuse(request, reply, { next, problem: unfit, status: 400 });
    await store.change(
      workspace.id,
      async ({ dashboard, keys }) => {
        await dashboard.openSession({ hash, workspace_id: workspace.id, key_id: used.id, expires_at });
        await keys.used([{ id: used.id, at: new Date().toISOString() }]);
        return hash;
      },
      signInEntry(workspace.id, { kind: "key", id: used.id, name: used.name }, request),
    );
    return signIns.succeed(request, reply, token, next);
  });

  routes.action("/sign-out", "viewer", async (_visit, _form, { request, reply, caller }) => {
    await signIns.end(request, reply);
    const { workspace, actor } = caller;
    await store.audit.append(auditEntry(workspace.id, actor, { action: "dashboard.sign_out", id: null }, request));
    const elsewhere =
      caller.person && (await openIdConnect?.endSessionUrl(`${dashboardUrl}/sign-in`).catch(() => undefined));
    return new Redirect(elsewhere ? "/sign-in?left=account" : "/sign-in");
  });
}

/** Why a key cannot sign in; undefined if it can. Its session may do what the key may do. */
function unfitFor({ scopes, external_id, connection_ids, expires_at }: ApiKey): string | undefined {
  if (expires_at !== null && Date.parse(expires_at) <= Date.now()) return `This key expired ${expires_at}`;
  const missing = missingScopes(scopes, roleScopes.viewer);
  if (missing.length > 0) return `This key does not allow to see the dashboard: it lacks ${missing.join(", ")}`;
  if (external_id !== null) return `This key is for the user ${external_id} only, and the dashboard shows all`;
  if (connection_ids !== null) return "This key is for some connections only, and the dashboard shows all";
  return undefined;
}
