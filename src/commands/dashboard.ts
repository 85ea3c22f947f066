import { ConfigError, readConfig } from "../config/index.ts";
import type { Store } from "../contracts/store.ts";
import { createSignInLink, defaultWorkspace } from "../dashboard-link.ts";
import { readArgs } from "./usage.ts";
import { findWorkspaces, withStore } from "./with-store.ts";

/** Prints a one-time link that signs in to the dashboard. */
export async function run(args: string[]): Promise<void> {
  const { values } = readArgs({ args, options: { workspace: { type: "string" } } });
  const config = readConfig(process.env);
  if (!config.dashboard) throw new ConfigError(["DASHBOARD: must be on, not off; so must it be for the service"]);
  if (config.dashboardSignIn === "oidc")
    throw new ConfigError(["DASHBOARD_SIGN_IN: must be all, not oidc, for a link; so must it be for the service"]);
  if (config.port === 0 && !process.env.DASHBOARD_URL)
    throw new ConfigError(["PORT: must be the port of the running service, not 0"]);
  await withStore(async ({ store }) => {
    const workspace =
      values.workspace === undefined
        ? await defaultWorkspace(store, config)
        : (await findWorkspaces(store, values.workspace))[0];
    if (!workspace) throw new Error(await describeChoice(store));
    console.log(await createSignInLink(store, config, workspace, "dashboard"));
    console.error(`Signs in to the workspace "${workspace.name}". It works once, within 15 minutes.`);
  });
}

async function describeChoice(store: Store): Promise<string> {
  const names = (await store.workspaces.list()).map(({ name }) => name);
  return names.length === 0
    ? "there is no workspace yet. To create one: plugboard keys create --workspace NAME"
    : `choose a workspace with --workspace NAME: ${names.join(", ")}`;
}
