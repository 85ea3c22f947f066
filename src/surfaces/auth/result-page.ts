import type { FastifyReply } from "fastify";
import type { Workspace } from "../../contracts/entities.ts";
import { html } from "../../runtime/html.ts";
import type { Assets } from "./assets.ts";
import { brandOf, withLogo } from "./brand.ts";
import { shell } from "./pages.ts";
import { resultPolicy } from "./security-headers.ts";

/** How a connect session ended, as the window that opened it is told. */
export type ConnectResult =
  | { status: "connected"; connection_id: string; integration_id: string; integration_identifier: string }
  | { status: "failed"; error: string; error_description: string };

interface ResultPage {
  title: string;
  message: string;
  /** Where the user can try again. */
  retryUrl?: string;
  /** Where the user goes on without it. */
  continueUrl?: string | undefined;
  result: ConnectResult;
  workspace: Workspace;
}

/** The web origins of the workspace's redirect URIs: the only ones that may learn the result. */
export function webOrigins(redirectUris: readonly string[]): string[] {
  const urls = redirectUris.map((uri) => new URL(uri)).filter(({ protocol }) => /^https?:$/.test(protocol));
  return [...new Set(urls.map(({ origin }) => origin))];
}

/** The last page of a session without a redirect. Its script tells the page that opened the window, if there is one. */
export function sendResultPage(reply: FastifyReply, assets: Assets, page: ResultPage): FastifyReply {
  const { title, message, retryUrl, continueUrl, result, workspace } = page;
  const origins = JSON.stringify(webOrigins(workspace.redirect_uris));
  const brand = brandOf(workspace, assets);
  const markup = shell({
    title,
    assets,
    brand,
    content: html`<h1>${title}</h1>
<p>${message}</p>
${retryUrl && html`<p class="actions"><a class="button primary" href="${retryUrl}">Try again</a></p>`}
${continueUrl && html`<p class="actions"><a class="button" href="${continueUrl}">Continue without it</a></p>`}
<script src="${assets.resultScript}" data-result="${JSON.stringify(result)}" data-origins="${origins}" defer></script>`,
  });
  return reply
    .type("text/html; charset=utf-8")
    .header("content-security-policy", withLogo(resultPolicy, brand))
    .send(markup);
}
