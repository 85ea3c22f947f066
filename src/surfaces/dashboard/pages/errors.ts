import type { FastifyReply, FastifyRequest } from "fastify";
import { html } from "../../../runtime/html.ts";
import { toFault } from "../../shared/framework-errors.ts";
import { ApiError } from "../api.ts";
import { BASE } from "../base.ts";
import { plainPage } from "../components/layout.ts";
import { sendHtml } from "../routes.ts";
import type { SessionCookie } from "../session/session.ts";

interface ErrorPage {
  status: number;
  title: string;
  message: string;
}

const notFound: ErrorPage = {
  status: 404,
  title: "Not found",
  message: "There is nothing here. It may have been deleted, or it belongs to another workspace.",
};
const refused: ErrorPage = {
  status: 403,
  title: "The form was refused",
  message: "It was not sent by a page of this dashboard, or the page is from an earlier session. Nothing was changed.",
};
const notAllowed = ({ method }: FastifyRequest, reason: string): ErrorPage => ({
  status: 403,
  title: "Not allowed",
  message: `${reason[0]!.toUpperCase()}${reason.slice(1)}.${method === "GET" ? "" : " Nothing was changed."}`,
});
const invalid: ErrorPage = { status: 400, title: "Invalid request", message: "The request could not be read." };
const unavailable: ErrorPage = {
  status: 503,
  title: "Temporarily unavailable",
  message: "A service that Plugboard depends on is unavailable. Nothing was changed. Please try again in a moment.",
};
const internal: ErrorPage = { status: 500, title: "Something went wrong", message: "An internal error occurred." };

const errorPages: Record<number, ErrorPage> = { 400: invalid, 404: notFound, 503: unavailable };

/** What the browser asked for, to continue there after signing in. */
const returnTo = ({ method, url }: FastifyRequest): string =>
  method === "GET" && url !== BASE ? `?next=${encodeURIComponent(url)}` : "";

export function createErrorSender(cookie: SessionCookie) {
  return function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    const { status, title, message } = describe(error, request);
    if (status === 401) {
      if (cookie.read(request)) cookie.clear(request, reply);
      return reply.redirect(`${BASE}/sign-in${returnTo(request)}`, 303);
    }
    return sendHtml(
      reply,
      plainPage({
        title,
        content: html`<h1>${title}</h1><p>${message}</p>
<p class="row"><a class="button" href="${BASE}">To the overview</a></p>
<p class="quiet small">Reference: <span class="mono">${request.id}</span></p>`,
      }),
      status,
    );
  };
}

function describe(error: unknown, request: FastifyRequest): ErrorPage {
  if (error instanceof ApiError) {
    if (error.status === 401) return { ...internal, status: 401 };
    if (error.status === 403) return notAllowed(request, error.message);
    const known = errorPages[error.status];
    return known ?? { status: 502, title: "The call failed", message: error.message };
  }
  const fault = toFault(error);
  if (fault.kind === "unauthorized") return { ...internal, status: 401 };
  if (fault.kind === "origin_refused") return refused;
  if (fault.kind === "insufficient_scope") return notAllowed(request, fault.message);
  if (fault.kind === "not_found") return notFound;
  if (fault.kind === "invalid_input") return invalid;
  if (fault.kind === "store_unavailable") return unavailable;
  request.log.error({ err: fault.cause ?? error, request_id: request.id }, "request failed");
  return internal;
}
