import type { AuthType } from "../../contracts/authentication.ts";
import type { Integration } from "../../contracts/entities.ts";
import { addressTemplate, authTypes, hooksOf, issuedTokens, type Manifest } from "../../contracts/manifest.ts";
import type { Provider } from "../../contracts/provider.ts";
import { type Engine, integrationSettings, SANDBOX } from "../../engine/index.ts";
import { settingProblem } from "./credentials.ts";
import type { ChangedIntegration } from "./integration-inputs.ts";
import type { PlatformOptions } from "./options.ts";
import type { Problems } from "./validation.ts";

/** Fields that an integration needs or takes, depending on its type. */
export type TypedField = "client_id" | "client_secret" | "private_key" | "scopes" | "hook_secret";

/** What an integration of a type needs, and what it may have besides. */
export function fieldsOf(manifest: Manifest, type: AuthType): { needs: TypedField[]; takes: TypedField[] } {
  const client: TypedField[] = ["client_id", "client_secret"];
  const hooks = hooksOf(manifest, type);
  const ofHooks: TypedField[] = hooks && hooks.per !== "none" && hooks.secret === "hook_secret" ? ["hook_secret"] : [];
  if (type === "oauth2")
    return manifest.auth.oauth2?.discovered
      ? { needs: [], takes: [...client, "scopes", ...ofHooks] }
      : { needs: client, takes: ["scopes", ...ofHooks] };
  const issued = issuedTokens(manifest, type);
  return {
    needs: [...(issued?.needs ?? [])],
    takes: [...(issued?.asClient ? [...client, "scopes" as const] : []), ...ofHooks],
  };
}

type CheckedIntegration = Pick<Integration, "identifier" | "type"> & Partial<Integration>;

/** Checks what the type of an integration needs, as it would be after a change. */
function checkTypedFields(
  problems: Problems,
  engine: Pick<Engine, "connect">,
  manifest: Manifest,
  integration: CheckedIntegration,
): void {
  const { type, client_id, client_secret, private_key } = integration;
  const { needs, takes } = fieldsOf(manifest, type);
  for (const name of needs)
    if (problems.valid(name) && !integration[name])
      problems.add(
        name !== "client_id" && integration.unreadable
          ? `The stored ${name.replace("_", " ")} cannot be decrypted: set it again`
          : `Required for type ${type}`,
        name,
      );
  if (
    type !== "oauth2" &&
    takes.includes("client_id") &&
    Boolean(client_id) !== Boolean(client_secret ?? integration.unreadable)
  )
    problems.add(
      "Must be given together with the other: without both, each user gives their own",
      client_id ? "client_secret" : "client_id",
    );
  if (!private_key || !needs.includes("private_key") || !problems.valid("private_key")) return;
  const whole = { ...integration, client_id: client_id ?? "", scopes: null, settings: {} } as Integration;
  const { unreadable: _, ...readable } = whole;
  const problem = engine.connect.keyProblem(manifest, readable, {}, {});
  if (problem) problems.add(problem, "private_key");
}

/** The settings of an integration are checked like those of a connection, and where they lead like `base_url`. */
async function checkSettings(
  problems: Problems,
  engine: Pick<Engine, "refuseAddress">,
  manifest: Manifest,
  { type, settings }: CheckedIntegration,
): Promise<void> {
  if (!problems.valid("settings")) return;
  const given = settings ?? {};
  const own = integrationSettings(manifest, type);
  for (const [name, setting] of own) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    const problem = settingProblem(setting, value);
    if (problem) problems.add(problem, "settings", name);
  }
  const known = own.map(([name]) => name);
  for (const name of Object.keys(given).filter((name) => !known.includes(name)))
    problems.add(`Not a setting of the integration; those are: ${known.join(", ") || "none"}`, "settings", name);
  if (!problems.valid("settings")) return;
  for (const name of Object.keys(manifest.addresses)) {
    const template = addressTemplate(manifest, name, type)!;
    const inHost = settingsIn(/^[^/]*\/\/[^/]*/.exec(template)?.[0] ?? template);
    // A host that a connection completes is checked when it is called.
    if (inHost.length === 0 || !inHost.every((setting) => given[setting] !== undefined)) continue;
    const filled = template.replace(/\{(\w+)\}/g, (_, setting: string) => given[setting] ?? "x");
    const problem = await engine.refuseAddress(filled);
    if (problem) problems.add(problem, "settings", inHost[0]!);
  }
}

const settingsIn = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** Checks the integration as it would be after the change. */
export async function checkIntegration(
  problems: Problems,
  engine: Pick<Engine, "connect" | "refuseAddress">,
  { manifest }: Provider,
  changed: ChangedIntegration,
): Promise<void> {
  const types = authTypes(manifest);
  if (problems.valid("type") && !types.includes(changed.type!))
    problems.add(`${manifest.name} supports ${types.join(", ")}`, "type");
  checkMcpServer(problems, manifest, changed);
  if (problems.valid("type")) {
    const integration = { ...changed, identifier: manifest.id, type: changed.type! };
    checkTypedFields(problems, engine, manifest, integration);
    await checkSettings(problems, engine, manifest, integration);
  }
  if (manifest.selfHostedOnly && problems.valid("base_url") && !changed.base_url)
    problems.add(`Required: ${manifest.name} is self-hosted`, "base_url");
}

export async function checkAddresses(
  problems: Problems,
  { engine, sandbox }: Pick<PlatformOptions, "engine" | "sandbox">,
  change: ChangedIntegration,
  provider: Provider | undefined,
): Promise<void> {
  const https = provider?.manifest.mcpOnly ?? false;
  for (const name of ["base_url", "mcp_url"] as const) {
    const address = problems.valid(name) && change[name];
    if (!address) continue;
    const isSandbox = name === "base_url" && address === SANDBOX;
    const problem = isSandbox ? sandboxProblem(provider, sandbox) : await engine.refuseAddress(address, { https });
    if (problem) problems.add(problem, name);
  }
}

function sandboxProblem(provider: Provider | undefined, sandbox: PlatformOptions["sandbox"]): string | undefined {
  if (!sandbox) return "The sandbox is off: start with SANDBOX=on, or give an address";
  // Workspaces may have different providers of one id, and the sandbox is for all of them.
  return provider?.origin === "workspace" ? "The sandbox does not emulate a workspace's own provider" : undefined;
}

/** A provider that is nothing but an MCP server: the integration says which one, and may have a client there. */
function checkMcpServer(problems: Problems, { mcpOnly, auth }: Manifest, changed: ChangedIntegration): void {
  const { type, base_url, mcp_url, client_id, client_secret, unreadable } = changed;
  if (type === "oauth2" && auth.oauth2?.discovered && problems.valid("client_secret")) {
    if (unreadable && !client_secret)
      problems.add("The stored client secret cannot be decrypted: set it again", "client_secret");
    if (client_secret && !client_id) problems.add("Not used without a client_id", "client_secret");
  }
  if (!mcpOnly) return;
  if (base_url === SANDBOX && mcp_url) problems.add("Not used with the sandbox", "mcp_url");
  if (base_url && base_url !== SANDBOX && problems.valid("base_url"))
    problems.add("Not used: give the server's address as mcp_url", "base_url");
  if (!base_url && !mcp_url && problems.valid("mcp_url"))
    problems.add("Required: the address of the MCP server", "mcp_url");
}
