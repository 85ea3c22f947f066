import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { hasRole, type Role, roleOf } from "../../contracts/access.ts";
import type { Actor, Caller } from "../../contracts/caller.ts";
import type { Workspace } from "../../contracts/entities.ts";
import { Fault } from "../../contracts/fault.ts";
import type { Engine } from "../../engine/index.ts";
import { type Html, html } from "../../runtime/html.ts";
import { allow } from "../shared/caller.ts";
import { type Api, createApi } from "./api.ts";
import { BASE } from "./base.ts";
import { type DashboardPage, framedPage } from "./components/layout.ts";
import { createDeclaredRoles } from "./declared-roles.ts";
import { isSameOrigin } from "./session/same-origin.ts";
import { policyWithImage, policyWithRequests } from "./session/security-headers.ts";
import { csrfToken, isCsrfToken, type SessionCookie } from "./session/session.ts";

/** What a page is made from: somebody who is signed in, and their request. */
export interface PageVisit {
  api: Api;
  caller: Caller;
  workspace: Workspace;
  params: Record<string, string>;
  query: Record<string, string | undefined>;
  /** Whether there is a page at this path which their role may open. */
  mayOpen(path: string): boolean;
  /** Whether their role may send the form of this path. */
  maySend(path: string): boolean;
  /** A link to a page of the dashboard. Nothing if they may not open it. */
  link(path: string, content: Html | string, className?: string): Html | false;
  /** A form that is sent with POST. Nothing if they may not send it. Only such forms change anything. */
  form(path: string, content: Html, options?: { className?: string }): Html | false;
}

/** Ends an action on another page of the dashboard. */
export class Redirect {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }
}

/** Sends the browser to another address. */
export class Elsewhere {
  readonly url: string;
  constructor(url: string) {
    this.url = url;
  }
}

/** What a script of a page asked for. */
export class Data {
  readonly body: object;
  constructor(body: object) {
    this.body = body;
  }
}

/** What a page says after a form was sent that redirected to it. The address has a word of this list, and no text. */
const doneMessages: Record<string, string> = {
  saved: "Saved.",
  "connection-deleted": "The connection was deleted.",
  "integration-created": "The integration was created.",
  "integration-deleted": "The integration was deleted.",
  "provider-created": "The provider was created. Next, add an integration of it.",
  "provider-deleted": "The provider was deleted.",
  "key-deleted": "The API key was deleted.",
  "custom-field-created": "The custom field was declared. Records have it in custom.",
  "custom-field-deleted": "The custom field was deleted.",
  "tool-pack-created": "The tool pack was created. Next, give it to an API key, or to MCP clients.",
  "tool-pack-deleted": "The tool pack was deleted.",
  "grant-revoked": "The access was revoked.",
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
  engine: Pick<Engine, "authenticate" | "refused">;
  cookie: SessionCookie;
  dashboardUrl: string;
  /** The fields of the form that changes the workspace, for somebody who has several. */
  switchFields(caller: Caller): Promise<Html | undefined>;
}

type Handler = (visit: PageVisit) => Promise<DashboardPage | Redirect | Elsewhere> | DashboardPage;
/** The request behind a form, for what concerns the session itself. */
export interface FormRequest {
  request: FastifyRequest;
  reply: FastifyReply;
  token: string;
  caller: Caller;
}

type Action = (
  visit: PageVisit,
  form: URLSearchParams,
  request: FormRequest,
) => Promise<DashboardPage | Redirect | Data>;

export interface Routes {
  page(path: string, role: Role, handler: Handler): void;
  /** A form's target: it is refused unless the dashboard itself sent it in this session. */
  action(path: string, role: Role, action: Action): void;
}

export const sendHtml = (reply: FastifyReply, text: string, status = 200) =>
  reply.code(status).type("text/html; charset=utf-8").send(text);

/** Query parameters that were given once; the others are ignored. */
const readQuery = (query: unknown): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(query as Record<string, unknown>).filter(([, value]) => typeof value === "string"),
  ) as Record<string, string>;

const describeActor = ({ kind, name }: Actor): string => {
  if (kind === "key") return name === null ? "An API key" : `API key ${name}`;
  return kind === "person" ? name! : "A one-time link";
};

export const refusedForm = () => new Fault("origin_refused", "the form was not sent by the dashboard");

export function createRoutes(app: FastifyInstance, options: RouteOptions): Routes {
  const { engine, cookie, dashboardUrl, switchFields } = options;
  const declared = createDeclaredRoles();

  async function visitOf(request: FastifyRequest): Promise<{ visit: PageVisit; caller: Caller; token: string }> {
    const token = cookie.read(request);
    const caller = await engine.authenticate(token);
    await allow(engine, request, caller, request.routeOptions.config.access!);
    const { workspace } = caller;
    const csrf = csrfToken(token!, workspace.id);
    const may = (method: "GET" | "POST") => (path: string) => {
      const role = declared.find(method, path);
      return role !== undefined && hasRole(caller, role);
    };
    const [mayOpen, maySend] = [may("GET"), may("POST")];
    const visit: PageVisit = {
      api: createApi(app, token!, request),
      caller,
      workspace,
      params: request.params as Record<string, string>,
      query: readQuery(request.query),
      mayOpen,
      maySend,
      link: (path, content, className) =>
        mayOpen(path) && html`<a${className && html` class="${className}"`} href="${BASE}${path}">${content}</a>`,
      form: (path, content, { className = "" } = {}) =>
        maySend(path) &&
        html`<form method="post" action="${BASE}${path}" class="${className}"><input type="hidden" name="csrf" value="${csrf}">${content}</form>`,
    };
    return { visit, caller, token: token! };
  }

  async function send(
    reply: FastifyReply,
    result: DashboardPage | Redirect | Elsewhere | Data,
    visit: PageVisit,
    caller: Caller,
  ) {
    if (result instanceof Data) return reply.send(result.body);
    if (result instanceof Redirect) return reply.redirect(`${BASE}${result.path}`, 303);
    if (result instanceof Elsewhere) return reply.redirect(result.url, 303);
    const fields = await switchFields(caller);
    const frame = {
      workspace: visit.workspace.name,
      switchForm: fields && visit.form("/workspace", fields, { className: "workspace switch" }),
      who: describeActor(caller.actor),
      role: roleOf(caller),
      signOut: visit.form("/sign-out", html`<button class="link">Sign out</button>`),
      done: doneMessage(visit.query.done),
      mayOpen: visit.mayOpen,
    };
    if (result.imageUrl) reply.header("content-security-policy", policyWithImage(result.imageUrl));
    if (result.hasLiveCheck) reply.header("content-security-policy", policyWithRequests);
    return sendHtml(reply, framedPage(result, frame), result.status);
  }

  return {
    page(path, role, handler) {
      declared.add("GET", path, role);
      app.get(path, { config: { access: { role } } }, async (request, reply) => {
        const { visit, caller } = await visitOf(request);
        return send(reply, await handler(visit), visit, caller);
      });
    },

    action(path, role, action) {
      declared.add("POST", path, role);
      app.post(path, { config: { access: { role } } }, async (request, reply) => {
        if (!isSameOrigin(request, dashboardUrl)) throw refusedForm();
        const { visit, caller, token } = await visitOf(request);
        const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
        if (!isCsrfToken(form.get("csrf"), token, visit.workspace.id)) throw refusedForm();
        return send(reply, await action(visit, form, { request, reply, token, caller }), visit, caller);
      });
    },
  };
}
