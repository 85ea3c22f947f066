import type { Workspace } from "../../../contracts/entities.ts";
import type { McpSignIn } from "../../../contracts/mcp-grants.ts";
import { html } from "../../../runtime/html.ts";
import type { Assets } from "../assets.ts";
import type { Brand } from "../brand.ts";
import { fieldMarkup, problemSummary, shell } from "../pages.ts";

interface SignInPage {
  signIn: McpSignIn;
  workspace: Workspace;
  brand: Brand;
  /** Where people sign in with their dashboard session. */
  dashboard: string | undefined;
  ticket: string;
  problem: string | undefined;
}

const keyField = (problem: string | undefined) => ({
  name: "api_key",
  label: "API key",
  hint: "Of this workspace, with the scope mcp. What you allow ends with the key.",
  placeholder: "sk_…",
  secret: true,
  problem,
});

/** Where people prove who they are. */
export function signInPage({ signIn, workspace, brand, dashboard, ticket, problem }: SignInPage, assets: Assets) {
  const field = keyField(problem);
  return shell({
    title: problem === undefined ? "Sign in" : "Error: Sign in",
    assets,
    brand,
    content: html`<h1>Sign in</h1>
<p><strong>${signIn.client_name}</strong> wants to use accounts of <strong>${workspace.name}</strong>. First, say who you are.</p>
${problem !== undefined && problemSummary([field], undefined)}
${dashboard && html`<p class="actions"><a class="button primary" href="${dashboard}">Continue with the dashboard</a></p>`}
${dashboard && html`<p>Or with a key:</p>`}
<form method="post">
<input type="hidden" name="ticket" value="${ticket}">
${fieldMarkup(field, problem !== undefined || !dashboard)}
<div class="actions"><button${!dashboard && html` class="primary"`}>Continue with the key</button></div>
</form>`,
    footer: html`Afterwards you decide which accounts it may use.`,
  });
}
