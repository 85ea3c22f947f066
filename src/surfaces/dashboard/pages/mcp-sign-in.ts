import type { Store } from "../../../contracts/store.ts";
import { html } from "../../../runtime/html.ts";
import { type McpSignIns, type ProvenSignIn, personOf } from "../../shared/mcp-sign-ins.ts";
import { head } from "../components/ui.ts";
import { Elsewhere, type Routes } from "../routes.ts";

interface McpSignInOptions {
  store: Pick<Store, "mcpGrants">;
  signIns: Pick<McpSignIns, "consentUrl">;
}

/**
 * Somebody with a session proves who they are, for an MCP client. It continues only in the browser that began it, and
 * there they decide: so opening this address does no harm.
 */
export function mcpSignInRoutes(routes: Routes, { store, signIns }: McpSignInOptions): void {
  routes.page("/mcp-sign-ins/:request", "developer", async ({ caller, workspace, params }) => {
    // An application that signs its users in does so for everybody.
    const proven =
      workspace.mcp_sign_in_url === null
        ? await store.mcpGrants.proveSignIn(workspace.id, params.request!, personOf(caller))
        : undefined;
    if (proven) return new Elsewhere(signIns.consentUrl(proven as ProvenSignIn));
    return {
      title: "This sign-in cannot be completed",
      section: "mcp",
      status: 404,
      content: html`${head({ title: "This sign-in cannot be completed" })}
<section class="card in"><p>It is for another workspace than <strong class="anywhere">${workspace.name}</strong>, was completed already, or took longer than ten minutes. Start again in the program that you want to use.</p></section>`,
    };
  });
}
