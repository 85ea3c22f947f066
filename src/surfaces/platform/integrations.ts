import { isDeepStrictEqual } from "node:util";
import Type from "typebox";
import { Shape, Text } from "../../categories/schema.ts";
import type { Integration, ListedIntegration } from "../../contracts/entities.ts";
import { Fault } from "../../contracts/fault.ts";
import { connectsAtProvider, hooksOf } from "../../contracts/manifest.ts";
import type { Provider } from "../../contracts/provider.ts";
import type { ChangingStore } from "../../contracts/store.ts";
import type { ProviderDocument } from "../../provider-document/schema.ts";
import { newId } from "../../runtime/ids.ts";
import { likelyName } from "../../runtime/likely-name.ts";
import { IntegrationRecord } from "../shared/platform-records/integration.ts";
import { change } from "./change.ts";
import { checkAddresses, checkIntegration, fieldsOf } from "./integration-checks.ts";
import {
  type ChangedIntegration,
  changeableFields,
  IntegrationChange,
  ListIntegrations,
  NewIntegration,
} from "./integration-inputs.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute, IdParameter, notFound, requireFound } from "./route.ts";
import { DryRun, Success, toPage } from "./schemas.ts";
import { createProblems } from "./validation.ts";

const IntegrationHookSecret = Shape("IntegrationHookSecret", { hook_secret: Text() });

export function integrationRoutes(app: PlatformApp, options: PlatformOptions): void {
  const { store, coordination, engine } = options;
  const route = describeRoute("Integrations");

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
        errors: [409],
        description:
          "A workspace may have several integrations of one provider: give each a `name`, and refer to them by id.",
      }),
    },
    async (request, reply) => {
      const problems = createProblems(request);
      const body = request.body;
      const providers = await engine.providersOf(request.workspace.id);
      const provider = problems.valid("identifier") ? providers.get(body.identifier) : undefined;
      await checkAddresses(problems, options, body, provider);
      if (provider) await checkIntegration(problems, engine, provider, body);
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
        if (provider!.origin === "workspace") await assertStillHas(providers, values);
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
        errors: [409],
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
      await checkAddresses(problems, options, given, provider);
      if (provider) await checkIntegration(problems, engine, provider, { ...current, ...given });
      problems.throwIfAny();

      // A secret that cannot be decrypted looks like none.
      const isSame = (name: keyof ChangedIntegration) =>
        !current.unreadable && isDeepStrictEqual(given[name], current[name]);
      const changed = changeableFields.filter((name) => given[name] !== undefined && !isSame(name));
      if (changed.length === 0) return toRecord(current, provider);
      const values = Object.fromEntries(changed.map((name) => [name, given[name]]));
      const updated = await change(
        store,
        request,
        async ({ integrations, providers }) => {
          if (values.type && provider?.origin === "workspace")
            await assertStillHas(providers, { ...current, ...values });
          return integrations.update(workspace.id, id, values);
        },
        current,
      );
      await coordination.invalidate("integration", id);
      // With another secret, they may succeed: not with a cached one, after which they would wait for hours.
      if (!request.query.dry_run) await store.hooks.retry(id);
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

/** The provider's document may have changed since it was found; from here on, it cannot. */
async function assertStillHas(
  providers: ChangingStore["providers"],
  { workspace_id, identifier, type }: Pick<Integration, "workspace_id" | "identifier" | "type">,
): Promise<void> {
  const stored = await providers.get(workspace_id, identifier);
  if (!stored || !Object.hasOwn((JSON.parse(stored.document) as ProviderDocument).auth, type))
    throw new Fault("conflict", "the provider was changed or deleted at the same time: try again");
}

function unknownProvider(identifier: string, providers: ReadonlyMap<string, Provider>): string {
  const likely = likelyName(identifier, providers.keys());
  return `Unknown provider: ${identifier}; ${likely ? `did you mean ${likely}? ` : ""}GET /platform/v1/providers lists all`;
}
