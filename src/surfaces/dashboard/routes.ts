import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Workspace } from "../../contracts/entities.ts";
import { Fault } from "../../contracts/fault.ts";
import type { Engine } from "../../engine/index.ts";
import { type Html, html } from "../../runtime/html.ts";
import { type Api, createApi } from "./api.ts";
import { BASE } from "./base.ts";
import { type DashboardPage, framedPage } from "./components/layout.ts";
import { isSameOrigin } from "./session/same-origin.ts";
import { policyWithImage } from "./session/security-headers.ts";
import { csrfToken, isCsrfToken, type SessionCookie } from "./session/session.ts";

/** What a page is made from: somebody who is signed in, and their request. */
export interface PageVisit {
  api: Api;
  workspace: Workspace;
  params: Record<string, string>;
  query: Record<string, string | undefined>;
  /** A form that is sent with POST. Only such forms change anything. */
  form(path: string, content: Html, options?: { className?: string }): Html;
}

/** Ends an action on another page of the dashboard. */
export class Redirect {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }
}

/** What a page says after a form was sent that redirected to it. The address has a word of this list, and no text. */
const doneMessages: Record<string, string> = {
  saved: "Saved.",
  "connection-deleted": "The connection was deleted.",
  "integration-created": "The integration was created.",
  "integration-deleted": "The integration was deleted.",
  "key-deleted": "The API key was deleted.",
  "webhook-deleted": "The webhook was deleted.",
  subscribed: "The subscription was created: its first run notes which records there are.",
  "subscription-deleted": "The subscription was deleted.",
  started: "It runs as soon as there is time for it, usually within a second.",
  sent: "Sending has started.",
  "fault-made": "Done: the provider will fail.",
  changed: "The records were changed.",
  cleared: "Cleared.",
};

const doneMessage = (word: string | undefined) =>
  word !== undefined && Object.hasOwn(doneMessages, word) ? doneMessages[word] : undefined;

export interface RouteOptions {
  engine: Pick<Engine, "authenticate">;
  cookie: SessionCookie;
  dashboardUrl: string;
  sandbox: boolean;
}

type Handler = (visit: PageVisit) => Promise<DashboardPage | Redirect> | DashboardPage;
/** The request behind a form, for what concerns the session itself. */
export interface FormRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  token: string;
}

type Action = (visit: PageVisit, form: URLSearchParams, request: FormRequest) => Promise<DashboardPage | Redirect>;

export interface Routes {
  page(path: string, handler: Handler): void;
  /** A form's target: it is refused unless the dashboard itself sent it in this session. */
  action(path: string, action: Action): void;
}

export const sendHtml = (reply: FastifyReply, text: string, status = 200) =>
  reply.code(status).type("text/html; charset=utf-8").send(text);

/** Query parameters that were given once; the others are ignored. */
const readQuery = (query: unknown): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(query as Record<string, unknown>).filter(([, value]) => typeof value === "string"),
  ) as Record<string, string>;

export const refusedForm = () => new Fault("origin_refused", "the form was not sent by the dashboard");

export function createRoutes(app: FastifyInstance, options: RouteOptions): Routes {
  const { engine, cookie, dashboardUrl, sandbox } = options;

  async function visitOf(request: FastifyRequest): Promise<{ visit: PageVisit; token: string }> {
    const token = cookie.read(request);
    const workspace = await engine.authenticate(token);
    const csrf = csrfToken(token!);
    const visit: PageVisit = {
      api: createApi(app, token!),
      workspace,
      params: request.params as Record<string, string>,
      query: readQuery(request.query),
      form: (path, content, { className = "" } = {}) =>
        html`<form method="post" action="${BASE}${path}" class="${className}"><input type="hidden" name="csrf" value="${csrf}">${content}</form>`,
    };
    return { visit, token: token! };
  }

  function send(reply: FastifyReply, result: DashboardPage | Redirect, visit: PageVisit) {
    if (result instanceof Redirect) return reply.redirect(`${BASE}${result.path}`, 303);
    const frame = {
      workspace: visit.workspace.name,
      signOut: visit.form("/sign-out", html`<button class="link">Sign out</button>`),
      done: doneMessage(visit.query.done),
      sandbox,
    };
    if (result.imageUrl) reply.header("content-security-policy", policyWithImage(result.imageUrl));
    return sendHtml(reply, framedPage(result, frame), result.status);
  }

  return {
    page(path, handler) {
      app.get(path, async (request, reply) => {
        const { visit } = await visitOf(request);
        return send(reply, await handler(visit), visit);
      });
    },

    action(path, action) {
      app.post(path, async (request, reply) => {
        if (!isSameOrigin(request, dashboardUrl)) throw refusedForm();
        const { visit, token } = await visitOf(request);
        const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
        if (!isCsrfToken(form.get("csrf"), token)) throw refusedForm();
        return send(reply, await action(visit, form, { request, reply, token }), visit);
      });
    },
  };
}
