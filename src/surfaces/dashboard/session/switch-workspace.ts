import type { Caller } from "../../../contracts/caller.ts";
import type { Coordination } from "../../../contracts/coordination.ts";
import { Fault } from "../../../contracts/fault.ts";
import { grantedWorkspaces, type OidcSettings } from "../../../contracts/people.ts";
import type { Store } from "../../../contracts/store.ts";
import { type Html, html } from "../../../runtime/html.ts";
import { Redirect, type Routes } from "../routes.ts";
import { hashToken } from "./session.ts";
import { signInEntry } from "./sign-in.ts";

interface SwitchOptions {
  store: Pick<Store, "change" | "workspaces">;
  coordination: Coordination;
  oidc: OidcSettings | undefined;
}

/** The workspaces that somebody may choose from: those in which they have a role. A link and a key have one workspace. */
export function createWorkspaceSwitch({ store, coordination, oidc }: SwitchOptions) {
  const choices = async ({ person }: Caller) =>
    person ? grantedWorkspaces(oidc, person, await store.workspaces.list()) : [];

  return {
    /** The content of the form, or undefined if there is nothing to choose. */
    async fields(caller: Caller): Promise<Html | undefined> {
      const granted = await choices(caller);
      if (granted.length < 2) return undefined;
      const byName = granted.sort((a, b) => a.workspace.name.localeCompare(b.workspace.name));
      return html`<label class="switch-label" for="switch-workspace">Workspace</label>
<select id="switch-workspace" name="workspace">${byName.map(
        ({ workspace: { id, name }, role }) =>
          html`<option value="${id}"${id === caller.workspace.id && html` selected`}>${name} (${role})</option>`,
      )}</select>
<button>Switch</button>`;
    },

    routes(routes: Routes): void {
      routes.action("/workspace", "viewer", async (_visit, form, { request, caller, token }) => {
        const wanted = form.get("workspace");
        const found = (await choices(caller)).find(({ workspace }) => workspace.id === wanted);
        if (!found) throw new Fault("insufficient_scope", "you have no role in that workspace");
        const hash = hashToken(token);
        await store.change(
          found.workspace.id,
          async ({ dashboard }) => {
            await dashboard.moveSession(hash, found.workspace.id);
            return hash;
          },
          signInEntry(found.workspace.id, caller.actor, request),
        );
        await coordination.invalidate("key", hash);
        return new Redirect("");
      });
    },
  };
}
