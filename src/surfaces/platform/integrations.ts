import { isDeepStrictEqual } from "node:util";
import Type from "typebox";
import { Nullable, Shape, Text } from "../../categories/schema.ts";
import { type AuthType, authTypeNames } from "../../contracts/authentication.ts";
import type { Integration, ListedIntegration } from "../../contracts/entities.ts";
import { Fault } from "../../contracts/fault.ts";
import { authTypes, connectsAtProvider, hooksOf, type Manifest } from "../../contracts/manifest.ts";
import type { Provider } from "../../contracts/provider.ts";
import { SANDBOX } from "../../engine/index.ts";
import { newId } from "../../runtime/ids.ts";
import { likelyName } from "../../runtime/likely-name.ts";
import { IntegrationRecord } from "../shared/platform-records/integration.ts";
import { closed, MapOf } from "../shared/platform-records/schema.ts";
import { change } from "./change.ts";
import { checkSettings, checkTypedFields, fieldsOf } from "./integration-checks.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute, IdParameter, notFound, requireFound } from "./route.ts";
import { CursorPaging, DryRun, InputText, Scopes, Success, toPage } from "./schemas.ts";
import { createProblems, type Problems } from "./validation.ts";

const ListIntegrations = Type.Object({
  ...CursorPaging,
  status: Type.Optional(Type.Unknown({ description: "Accepted and ignored" })),
});

const AuthTypes = Type.Unsafe<AuthType>({ type: "string", enum: [...authTypeNames] });

const integrationFields = {
  name: Type.Optional(
    Nullable(InputText(100, "tells integrations of one provider apart; shown to users who choose one")),
  ),
  client_id: Type.Optional(Nullable(InputText(2_000, "the OAuth client ID at the provider"))),
  client_secret: Type.Optional(Nullable(InputText(10_000, "the OAuth client secret; never returned"))),
  private_key: Type.Optional(
    Nullable(InputText(10_000, "the private key of an app that signs its own tokens, in PEM format; never returned")),
  ),
  hook_secret: Type.Optional(
    Nullable(
      InputText(
        2_000,
        "what the provider signs its webhooks with, where it has to be entered; several are separated by spaces; never returned",
      ),
    ),
  ),
  settings: Type.Optional(
    MapOf<string>(
      InputText(500, "a setting"),
      "Values that are the same for all connections: the provider's settings that are set by the integration",
      { maxProperties: 50 },
    ),
  ),
  scopes: Type.Optional(Nullable(Scopes("OAuth scopes to request; null for the provider's default"))),
  base_url: Type.Optional(
    Nullable(
      InputText(
        2_000,
        "the address of your own server; `sandbox` for the provider's emulator, while the sandbox is on; null for the provider itself",
      ),
    ),
  ),
  mcp_url: Type.Optional(
    Nullable(
      InputText(
        2_000,
        "the address of the provider's MCP server, if it is not the default; required for the provider that is any MCP server",
      ),
    ),
  ),
};

export const NewIntegration = Type.Object(
  { identifier: InputText(100, "a provider's id"), type: AuthTypes, ...integrationFields },
  { title: "NewIntegration", ...closed },
);

const IntegrationChange = Type.Object(
  { type: Type.Optional(AuthTypes), ...integrationFields },
  { title: "IntegrationChange", ...closed },
);

type ChangedIntegration = Partial<
  Omit<Integration, "id" | "workspace_id" | "identifier" | "created_at" | "updated_at">
>;

const IntegrationHookSecret = Shape("IntegrationHookSecret", { hook_secret: Text() });

export function integrationRoutes(app: PlatformApp, { store, coordination, engine, sandbox }: PlatformOptions): void {
  const route = describeRoute("Integrations");
  const fields = [
    "name",
    "type",
    "client_id",
    "client_secret",
    "private_key",
    "hook_secret",
    "settings",
    "scopes",
    "base_url",
    "mcp_url",
  ] as const;

  /** What the integration holds, with the addresses that follow from it, and no secret. */
  function toRecord(integration: Integration | ListedIntegration, provider: Provider | undefined) {
    const { type, unreadable = false } = integration;
    const manifest = provider?.manifest;
    const needsKey = manifest !== undefined && fieldsOf(manifest, type).needs.includes("private_key");
    const isListed = "has_client_secret" in integration;
    return {
      ...integration,
      has_client_secret: isListed ? integration.has_client_secret : integration.client_secret !== null || unreadable,
      has_private_key: isListed
        ? integration.has_private_key
        : integration.private_key !== null || (unreadable && needsKey),
      has_hook_secret: isListed ? integration.has_hook_secret : integration.hook_secret !== null,
      hook_url:
        manifest && hooksOf(manifest, type)?.per === "application"
          ? engine.hooks.addressOf(integration, integration.id)
          : null,
      proxy_base_url: engine.proxyBaseUrl(provider, integration),
      callback_url: manifest && connectsAtProvider(manifest, type) ? engine.callbackUrl : null,
    };
  }

  const providerOf = ({ workspace_id, identifier }: Pick<Integration, "workspace_id" | "identifier">) =>
    engine.providerOf(workspace_id, identifier);

  /** Checks the integration as it would be after the change. */
  async function check(problems: Problems, { manifest }: Provider, changed: ChangedIntegration): Promise<void> {
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

  async function checkAddresses(
    problems: Problems,
    change: ChangedIntegration,
    provider: Provider | undefined,
  ): Promise<void> {
    const https = provider?.manifest.mcpOnly ?? false;
    for (const name of ["base_url", "mcp_url"] as const) {
      const address = problems.valid(name) && change[name];
      if (!address) continue;
      const isSandbox = name === "base_url" && address === SANDBOX;
      const problem = isSandbox ? sandboxProblem(provider) : await engine.refuseAddress(address, { https });
      if (problem) problems.add(problem, name);
    }
  }

  function sandboxProblem(provider: Provider | undefined): string | undefined {
    if (!sandbox) return "The sandbox is off: start with SANDBOX=on, or give an address";
    // Workspaces may have different providers of one id, and the sandbox is for all of them.
    return provider?.origin === "workspace" ? "The sandbox does not emulate a workspace's own provider" : undefined;
  }

  app.get(
    "/v1/integrations",
    {
      schema: route("listIntegrations", "integrations:read", "List integrations", {
        querystring: ListIntegrations,
        200: Type.Array(IntegrationRecord),
      }),
    },
    async ({ workspace, query }) => {
      const providers = await engine.providersOf(workspace.id);
      const listed = await store.integrations.list(workspace.id, toPage(query));
      return listed.map((integration) => toRecord(integration, providers.get(integration.identifier)));
    },
  );

  app.post(
    "/v1/integrations",
    {
      attachValidation: true,
      schema: route("createIntegration", "integrations:write", "Create an integration", {
        action: "integration.create",
        wholeWorkspace: true,
        querystring: DryRun,
        body: NewIntegration,
        201: IntegrationRecord,
        description:
          "A workspace may have several integrations of one provider: give each a `name`, and refer to them by id.",
      }),
    },
    async (request, reply) => {
      const problems = createProblems(request);
      const body = request.body;
      const providers = await engine.providersOf(request.workspace.id);
      const provider = problems.valid("identifier") ? providers.get(body.identifier) : undefined;
      await checkAddresses(problems, body, provider);
      if (provider) await check(problems, provider, body);
      else if (problems.valid("identifier")) problems.add(unknownProvider(body.identifier, providers), "identifier");
      problems.throwIfAny();

      const values = {
        id: newId("int"),
        workspace_id: request.workspace.id,
        identifier: body.identifier,
        name: body.name ?? null,
        type: body.type,
        client_id: body.client_id ?? null,
        client_secret: body.client_secret ?? null,
        private_key: body.private_key ?? null,
        hook_secret: body.hook_secret ?? null,
        settings: body.settings ?? {},
        scopes: body.scopes ?? null,
        base_url: body.base_url ?? null,
        mcp_url: body.mcp_url ?? null,
      };
      const created = await change(store, request, async ({ integrations, providers }) => {
        // It may have been deleted since it was found; from here on, it cannot be.
        if (provider!.origin === "workspace" && !(await providers.get(values.workspace_id, values.identifier)))
          throw new Fault("conflict", "the provider was deleted at the same time");
        return integrations.create(values);
      });
      await coordination.invalidate("integration", created.id);
      return reply.code(201).send(toRecord(created, provider));
    },
  );

  app.get(
    "/v1/integrations/:id",
    {
      schema: route("getIntegration", "integrations:read", "Get an integration", {
        params: IdParameter,
        200: IntegrationRecord,
      }),
    },
    async ({ workspace, params }) => {
      const found = requireFound(await store.integrations.get(workspace.id, params.id));
      return toRecord(found, await providerOf(found));
    },
  );

  app.patch(
    "/v1/integrations/:id",
    {
      attachValidation: true,
      schema: route("updateIntegration", "integrations:write", "Change an integration", {
        action: "integration.update",
        wholeWorkspace: true,
        params: IdParameter,
        querystring: DryRun,
        body: IntegrationChange,
        200: IntegrationRecord,
        description: "If it has all given values already, secrets included, nothing changes, not even `updated_at`.",
      }),
    },
    async (request) => {
      const { workspace } = request;
      const { id } = request.params;
      const current = requireFound(await store.integrations.get(workspace.id, id));
      const problems = createProblems(request);
      const given: ChangedIntegration = request.body;
      const provider = await providerOf(current);
      await checkAddresses(problems, given, provider);
      if (provider) await check(problems, provider, { ...current, ...given });
      problems.throwIfAny();

      // A secret that cannot be decrypted looks like none.
      const isSame = (name: (typeof fields)[number]) =>
        !current.unreadable && isDeepStrictEqual(given[name], current[name]);
      const changed = fields.filter((name) => given[name] !== undefined && !isSame(name));
      if (changed.length === 0) return toRecord(current, provider);
      const values = Object.fromEntries(changed.map((name) => [name, given[name]]));
      const updated = await change(
        store,
        request,
        async ({ integrations, hooks }) => {
          // With another secret, they may succeed.
          await hooks.retry(id);
          return integrations.update(workspace.id, id, values);
        },
        current,
      );
      await coordination.invalidate("integration", id);
      return toRecord(requireFound(updated), provider);
    },
  );

  app.get(
    "/v1/integrations/:id/hook-secret",
    {
      schema: route("getIntegrationHookSecret", "integrations:write", "Get the token that verifies an address", {
        action: "integration.read_hook_secret",
        wholeWorkspace: true,
        params: IdParameter,
        200: IntegrationHookSecret,
        description:
          "For a provider that sends the secret of its webhooks to `hook_url`, and wants to see it again where the address was entered.",
      }),
    },
    async (request) => {
      const { workspace, params } = request;
      const found = requireFound(await store.integrations.get(workspace.id, params.id));
      const provider = await providerOf(found);
      const hooks = provider && hooksOf(provider.manifest, found.type);
      const isBrought = hooks?.per === "application" && hooks.handshake?.isSecret === true;
      const hook_secret = requireFound((isBrought && found.hook_secret) || undefined);
      await change(store, request, async () => found);
      return { hook_secret };
    },
  );

  app.delete(
    "/v1/integrations/:id",
    {
      schema: route("deleteIntegration", "integrations:write", "Delete an integration", {
        action: "integration.delete",
        wholeWorkspace: true,
        params: IdParameter,
        200: Success,
        description: "Its connections are kept but can no longer be used.",
      }),
    },
    async (request) => {
      const { id } = request.params;
      if (!(await change(store, request, ({ integrations }) => integrations.delete(request.workspace.id, id))))
        throw notFound();
      await coordination.invalidate("integration", id);
      return { success: true };
    },
  );
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

function unknownProvider(identifier: string, providers: ReadonlyMap<string, Provider>): string {
  const likely = likelyName(identifier, providers.keys());
  return `Unknown provider: ${identifier}; ${likely ? `did you mean ${likely}? ` : ""}GET /platform/v1/providers lists all`;
}
