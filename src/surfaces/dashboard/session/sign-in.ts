import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Coordination } from "../../../contracts/coordination.ts";
import type { Store } from "../../../contracts/store.ts";
import { type Html, html } from "../../../runtime/html.ts";
import { newSessionToken } from "../../../runtime/ids.ts";
import { BASE } from "../base.ts";
import { field } from "../components/fields.ts";
import { plainPage } from "../components/layout.ts";
import { Redirect, type Routes, refusedForm, sendHtml } from "../routes.ts";
import { isSameOrigin } from "./same-origin.ts";
import { hashToken, SESSION_TTL_MS, type SessionCookie } from "./session.ts";

export interface SignInOptions {
  store: Store;
  coordination: Coordination;
  cookie: SessionCookie;
  dashboardUrl: string;
}

/** A page of the dashboard to continue with. Anything else would let a link lead away from it. */
export function safeNext(next: string | null | undefined): string {
  const origin = "http://dashboard.invalid";
  const url = next ? URL.parse(next, origin) : null;
  const isOwn = url?.origin === origin && (url.pathname === BASE || url.pathname.startsWith(`${BASE}/`));
  return isOwn ? url.pathname + url.search : BASE;
}

interface SignInPage {
  next: string;
  problem?: string;
  status?: number;
  isLinkExpired?: boolean;
}

export function signInRoutes(app: FastifyInstance, routes: Routes, options: SignInOptions): void {
  const { store, coordination, cookie, dashboardUrl } = options;

  const expiry = () => new Date(Date.now() + SESSION_TTL_MS).toISOString();

  const sendPage = (reply: FastifyReply, page: SignInPage) =>
    sendHtml(reply, plainPage({ title: "Sign in", content: form(page), hasProblem: page.status === 400 }), page.status);

  app.get("/sign-in", async (request, reply) => {
    const { link, next } = request.query as Record<string, unknown>;
    const target = safeNext(typeof next === "string" ? next : undefined);
    if (typeof link !== "string") return sendPage(reply, { next: target });
    const workspace = await store.dashboard.link(hashToken(link));
    if (!workspace) return sendPage(reply, { next: target, isLinkExpired: true, status: 400 });
    // Programs that look at links before people do must not use it up: that takes the button.
    return sendHtml(reply, plainPage({ title: "Sign in", content: linkForm(workspace.name, link) }));
  });

  app.post("/sign-in", async (request, reply) => {
    if (!isSameOrigin(request, dashboardUrl)) throw refusedForm();
    const body = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const next = safeNext(body.get("next"));
    const link = body.get("link");
    if (link !== null) {
      const { token, hash } = newSessionToken();
      if (!(await store.dashboard.redeemLink(hashToken(link), { hash, expires_at: expiry() })))
        return sendPage(reply, { next, isLinkExpired: true, status: 400 });
      return open(request, reply, token, next);
    }
    const key = (body.get("api_key") ?? "").trim();
    const found = key ? await store.keys.byHash(hashToken(key)) : undefined;
    if (!found)
      return sendPage(reply, { next, problem: key ? "This key is unknown" : "This field is required", status: 400 });
    const { token, hash } = newSessionToken();
    const session = { hash, workspace_id: found.workspace.id, key_id: found.key.id, expires_at: expiry() };
    await store.dashboard.openSession(session);
    return open(request, reply, token, next);
  });

  /** Signs in, and ends an earlier session of the same browser. */
  async function open(request: FastifyRequest, reply: FastifyReply, token: string, next: string) {
    await close(cookie.read(request));
    cookie.set(request, reply, token);
    return reply.redirect(next, 303);
  }

  async function close(token: string | undefined): Promise<void> {
    if (!token) return;
    const hash = hashToken(token);
    await store.dashboard.closeSession(hash);
    await coordination.invalidate("key", hash);
  }

  routes.action("/sign-out", async (_visit, _form, { request, reply, token }) => {
    await close(token);
    cookie.clear(request, reply);
    return new Redirect("/sign-in");
  });
}

const linkForm = (workspace: string, link: string): Html => html`<h1>Sign in</h1>
<p>This link signs you in to the workspace <strong class="anywhere">${workspace}</strong> for 12 hours. It works once.</p>
<form method="post" action="${BASE}/sign-in">
<input type="hidden" name="link" value="${link}">
<button class="primary" autofocus>Continue to the dashboard</button>
</form>`;

const form = ({ next, problem, isLinkExpired }: SignInPage): Html => html`<h1>Sign in</h1>
${
  isLinkExpired &&
  html`<div class="notice bad" role="alert"><strong>This link no longer works.</strong> It was used, or it is older than 15 minutes.</div>`
}
<p>For a link that signs you in, run this where Plugboard runs:</p>
<pre class="wrap">npx plugboard dashboard</pre>
<p>Or use an API key of the workspace:</p>
<form method="post" action="${BASE}/sign-in" class="stack">
<input type="hidden" name="next" value="${next}">
${field({ name: "api_key", label: "API key", input: "password", required: true, placeholder: "sk_…", problem, focused: true })}
<div><button class="primary">Sign in</button></div>
</form>`;
