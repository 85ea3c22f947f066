import type { Config } from "../config/index.ts";
import { createSignInLink, defaultWorkspace } from "../dashboard-link.ts";
import { providers } from "../providers/registry.gen.ts";
import { VERSION } from "../runtime/version.ts";
import { exampleCall } from "../sandbox-workspace.ts";
import { readyLine, type Started } from "./started.ts";

/** For a person at a terminal. */
export async function banner(started: Started): Promise<string> {
  const { config, url, store, sandbox } = started;
  const lines = [readyLine(started), ""];
  if (config.dashboard) lines.push(...(await dashboardLines(config, store)));
  if (sandbox) {
    const call = exampleCall(sandbox.content, providers, config.headerPrefix);
    lines.push(
      "The sandbox is on: every provider is emulated with made-up data. To turn it off, set SANDBOX=off.",
      `  API key    ${sandbox.content.api_key}`,
      ...(call ? [`  Try        ${call}`] : []),
      `  All IDs    ${sandbox.path}`,
    );
  } else lines.push("  API key    npx plugboard keys create --workspace NAME");
  lines.push(`  Reference  ${url}/docs`, `  Version    ${VERSION}`, "");
  return lines.join("\n");
}

async function dashboardLines(config: Config, openStore: Started["store"]): Promise<string[]> {
  const address = `  Dashboard  ${config.dashboardUrl}`;
  if (config.dashboardSignIn === "oidc") return [address];
  const store = await openStore();
  const workspace = await defaultWorkspace(store, config);
  if (!workspace) return [address];
  return [
    `  Dashboard  ${await createSignInLink(store, config, workspace, "start")}`,
    "             (works once, within 15 minutes; for another link: npx plugboard dashboard)",
  ];
}
