import type { FastifyReply, FastifyRequest } from "fastify";
import type { FaultKind } from "../../contracts/fault.ts";
import { NotConnected } from "../../engine/index.ts";
import { setChallenge, withScope } from "../shared/challenge.ts";
import { fieldErrors } from "../shared/field-errors.ts";
import { toFault } from "../shared/framework-errors.ts";
import { splitUrl } from "../shared/split-url.ts";
import { traceFailure } from "../shared/trace.ts";
import type { Assets } from "./assets.ts";
import type { Ending } from "./flow.ts";
import { messagePage } from "./pages.ts";
import { sendResultPage } from "./result-page.ts";
import { returnUrl } from "./return-url.ts";

/** Ends the flow with an error page, because there is no address to which the browser may be redirected. */
export class ErrorPage extends Error {
  readonly title: string;
  readonly status: number;
  /** Whether opening the same address again may help. */
  readonly startAgain: boolean;

  constructor(title: string, message: string, options: { status?: number; startAgain?: boolean } = {}) {
    super(message);
    this.name = "ErrorPage";
    this.title = title;
    this.status = options.status ?? 400;
    this.startAgain = options.startAgain ?? false;
  }
}

/** Ends the flow with an OAuth error code (RFC 6749, 4.1.2.1). */
export class FlowError extends Error {
  readonly ending: Ending;
  readonly error: string;

  constructor(ending: Ending, error: string, description: string) {
    super(description);
    this.name = "FlowError";
    this.ending = ending;
    this.error = error;
  }
}

interface Rendering {
  status: number;
  /** For API clients. */
  message: string;
  /** For the user, on an error page. */
  pageText: string;
}

const missing: Rendering = { status: 404, message: "Not found", pageText: "This page does not exist." };
const unavailable: Rendering = {
  status: 503,
  message: "Service unavailable",
  pageText: "A service we depend on is temporarily unavailable. Please try again in a moment.",
};
const conflict: Rendering = {
  status: 409,
  message: "Conflict",
  pageText: "This was requested before. Please start again.",
};
const badGateway: Rendering = {
  status: 502,
  message: "The provider did not return a valid response",
  pageText: "The provider did not return a valid response. Please try again in a moment.",
};

const renderings: Record<FaultKind, Rendering> = {
  unauthorized: { status: 401, message: "Not authorized", pageText: "This page requires an API key." },
  insufficient_scope: { status: 403, message: "Insufficient scope", pageText: "This page requires another API key." },
  origin_refused: { status: 403, message: "Origin not allowed", pageText: "This page cannot be opened from here." },
  invalid_input: { status: 400, message: "Invalid request", pageText: "The request is invalid." },
  too_large: { status: 413, message: "Body too large", pageText: "The request is too large." },
  conflict,
  not_found: missing,
  record_missing: missing,
  connection_missing: missing,
  integration_missing: missing,
  operation_unsupported: missing,
  mcp_unsupported: missing,
  credentials_unreadable: missing,
  refresh_failed: badGateway,
  refresh_unavailable: unavailable,
  rate_limited: { status: 429, message: "Too many requests", pageText: "Too many requests. Please wait a moment." },
  upstream_timeout: badGateway,
  upstream_unreachable: badGateway,
  upstream_forbidden: badGateway,
  upstream_malformed: badGateway,
  idempotency_key_reused: conflict,
  request_in_progress: conflict,
  outcome_unknown: conflict,
  overloaded: unavailable,
  store_unavailable: unavailable,
  internal: { status: 500, message: "Internal error", pageText: "An internal error occurred. Please try again." },
};

const RETRY_AFTER_SECONDS = 5;

/** Users open these in a browser; everything else is for API clients. */
const isBrowserStep = (path: string) =>
  /^\/auth\/(?:authorize|callback|connect|oauth\/(?:authorize|sign-in|consent))\/?$/.test(path);

export function createErrorSender(assets: Assets) {
  return function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
    if (error instanceof FlowError) {
      request.trace.outcome = error.error;
      const { ending, message: error_description } = error;
      if (ending.redirectUri !== null) {
        const { redirectUri, state, iss = null } = ending;
        return reply.redirect(returnUrl(redirectUri, { error: error.error, error_description, state, iss }));
      }
      return sendResultPage(reply, assets, {
        title: "The account was not connected",
        message: error_description,
        retryUrl: ending.session.url,
        continueUrl: ending.session.continueUrl,
        result: { status: "failed", error: error.error, error_description },
        workspace: ending.workspace,
      });
    }
    const [path, query = ""] = splitUrl(request.url);
    const sendPage = (status: number, title: string, message: string, startAgain?: string) =>
      reply
        .code(status)
        .type("text/html; charset=utf-8")
        .send(messagePage({ title, message, startAgain, requestId: request.id }, assets));

    if (error instanceof ErrorPage) {
      request.trace.outcome = "halted";
      return sendPage(error.status, error.title, error.message, error.startAgain ? `?${query}` : undefined);
    }
    if (error instanceof NotConnected) {
      request.trace.outcome = error.error;
      return sendPage(502, "The account was not connected", error.message);
    }
    const fault = toFault(error);
    traceFailure(request.trace, fault);
    if (fault.kind === "internal") request.log.error({ err: error, request_id: request.id }, "request failed");
    const { status, message, pageText } = renderings[fault.kind];
    setChallenge(reply, status, fault);
    if (status === 429 || status === 503) reply.header("retry-after", fault.retryAfter ?? RETRY_AFTER_SECONDS);
    if (isBrowserStep(path)) return sendPage(status, "Something went wrong", pageText);
    const errors = fault.kind === "invalid_input" ? { errors: fieldErrors(fault.problems) } : {};
    return reply.code(status).send({ success: false, message: withScope(message, fault), ...errors });
  };
}
