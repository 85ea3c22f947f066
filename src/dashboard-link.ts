import { commandEntry } from "./command-entry.ts";
import type { Config } from "./config/index.ts";
import type { Workspace } from "./contracts/entities.ts";
import type { Store } from "./contracts/store.ts";
import { newLinkToken } from "./runtime/ids.ts";
import { SANDBOX_WORKSPACE } from "./sandbox-workspace.ts";

const LINK_TTL_MS = 15 * 60_000;

/** A one-time address that signs in to the dashboard of a workspace. */
export async function createSignInLink(
  store: Store,
  { dashboardUrl }: Pick<Config, "dashboardUrl">,
  workspace: Workspace,
  /** The command that makes it. */
  command: string,
): Promise<string> {
  const { token, hash } = newLinkToken();
  const expires_at = new Date(Date.now() + LINK_TTL_MS).toISOString();
  await store.change(
    workspace.id,
    async ({ dashboard }) => {
      await dashboard.createLink({ hash, workspace_id: workspace.id, expires_at });
      return hash;
    },
    commandEntry(command, workspace.id, { action: "dashboard.create_link", id: null }),
  );
  return `${dashboardUrl}/sign-in?link=${token}`;
}

/** The workspace that a link is for if none is named: the sandbox's, or the only one. Undefined if that is unclear. */
export async function defaultWorkspace(
  store: Store,
  { sandbox }: Pick<Config, "sandbox">,
): Promise<Workspace | undefined> {
  const emulated = sandbox ? await store.workspaces.byName(SANDBOX_WORKSPACE) : undefined;
  if (emulated) return emulated;
  const all = await store.workspaces.list();
  return all.length === 1 ? all[0] : undefined;
}
