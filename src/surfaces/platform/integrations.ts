import Type from "typebox";
import { Nullable } from "../../categories/schema.ts";
import type { Integration, ListedIntegration } from "../../contracts/entities.ts";
import { authTypes } from "../../contracts/manifest.ts";
import type { Provider } from "../../contracts/provider.ts";
import { SANDBOX } from "../../engine/index.ts";
import { newId } from "../../runtime/ids.ts";
import { IntegrationRecord } from "../shared/platform-records/integration.ts";
import { closed } from "../shared/platform-records/schema.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute, IdParameter, notFound, requireFound } from "./route.ts";
import { CursorPaging, InputText, Scopes, Success, toPage } from "./schemas.ts";
import { createProblems, type Problems } from "./validation.ts";

const ListIntegrations = Type.Object({
  ...CursorPaging,
  status: Type.Optional(Type.Unknown({ description: "Accepted and ignored" })),
});

const AuthTypes = Type.Unsafe<"oauth2" | "api_key" | "basic">({
  type: "string",
  enum: ["oauth2", "api_key", "basic"],
});

const integrationFields = {
  name: Type.Optional(
    Nullable(InputText(100, "tells integrations of one provider apart; shown to users who choose one")),
  ),
  client_id: Type.Optional(Nullable(InputText(2_000, "the OAuth client ID at the provider"))),
  client_secret: Type.Optional(Nullable(InputText(10_000, "the OAuth client secret; never returned"))),
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
    Nullable(InputText(2_000, "the address of the provider's MCP server, if it is not the default")),
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

export function integrationRoutes(app: PlatformApp, { store, coordination, engine, sandbox }: PlatformOptions): void {
  const route = describeRoute("Integrations");
  const fields = ["name", "type", "client_id", "client_secret", "scopes", "base_url", "mcp_url"] as const;

  /** What the integration holds, with the addresses that follow from it, and no secret. */
  const toRecord = (integration: Integration | ListedIntegration) => ({
    ...integration,
    has_client_secret:
      "has_client_secret" in integration
        ? integration.has_client_secret
        : integration.client_secret !== null || integration.unreadable === true,
    proxy_base_url: engine.proxyBaseUrl(integration),
    callback_url: integration.type === "oauth2" ? engine.callbackUrl : null,
  });

  /** Checks the integration as it would be after the change. */
  function check(problems: Problems, { manifest }: Provider, changed: ChangedIntegration): void {
    const types = authTypes(manifest);
    if (problems.valid("type") && !types.includes(changed.type!))
      problems.add(`${manifest.name} supports ${types.join(", ")}`, "type");
    if (changed.type === "oauth2")
      for (const name of ["client_id", "client_secret"] as const)
        if (problems.valid(name) && !changed[name])
          problems.add(
            name === "client_secret" && changed.unreadable
              ? "The stored client secret cannot be decrypted: set it again"
              : "Required for type oauth2",
            name,
          );
    if (manifest.selfHostedOnly && problems.valid("base_url") && !changed.base_url)
      problems.add(`Required: ${manifest.name} is self-hosted`, "base_url");
  }

  async function checkAddresses(problems: Problems, change: ChangedIntegration): Promise<void> {
    for (const name of ["base_url", "mcp_url"] as const) {
      const problem = problems.valid(name) && change[name] ? await addressProblem(name, change[name]) : undefined;
      if (problem) problems.add(problem, name);
    }
  }

  async function addressProblem(name: string, address: string): Promise<string | undefined> {
    if (name === "base_url" && address === SANDBOX)
      return sandbox ? undefined : "The sandbox is off: start with SANDBOX=on, or give an address";
    return engine.refuseAddress(address);
  }

  app.get(
    "/v1/integrations",
    {
      schema: route("listIntegrations", "List integrations", {
        querystring: ListIntegrations,
        200: Type.Array(IntegrationRecord),
      }),
    },
    async (request) => (await store.integrations.list(request.workspace.id, toPage(request.query))).map(toRecord),
  );

  app.post(
    "/v1/integrations",
    {
      attachValidation: true,
      schema: route("createIntegration", "Create an integration", {
        body: NewIntegration,
        201: IntegrationRecord,
        description:
          "A workspace may have several integrations of one provider: give each a `name`, and refer to them by id.",
      }),
    },
    async (request, reply) => {
      const problems = createProblems(request);
      const body = request.body;
      const provider = problems.valid("identifier") ? engine.providers.get(body.identifier) : undefined;
      await checkAddresses(problems, body);
      if (provider) check(problems, provider, body);
      else if (problems.valid("identifier"))
        problems.add(unknownProvider(body.identifier, engine.providers), "identifier");
      problems.throwIfAny();

      const created = await store.integrations.create({
        id: newId("int"),
        workspace_id: request.workspace.id,
        identifier: body.identifier,
        name: body.name ?? null,
        type: body.type,
        client_id: body.client_id ?? null,
        client_secret: body.client_secret ?? null,
        scopes: body.scopes ?? null,
        base_url: body.base_url ?? null,
        mcp_url: body.mcp_url ?? null,
      });
      await coordination.invalidate("integration", created.id);
      return reply.code(201).send(toRecord(created));
    },
  );

  app.get(
    "/v1/integrations/:id",
    { schema: route("getIntegration", "Get an integration", { params: IdParameter, 200: IntegrationRecord }) },
    async (request) => toRecord(requireFound(await store.integrations.get(request.workspace.id, request.params.id))),
  );

  app.patch(
    "/v1/integrations/:id",
    {
      attachValidation: true,
      schema: route("updateIntegration", "Change an integration", {
        params: IdParameter,
        body: IntegrationChange,
        200: IntegrationRecord,
      }),
    },
    async (request) => {
      const { workspace } = request;
      const { id } = request.params;
      const current = requireFound(await store.integrations.get(workspace.id, id));
      const problems = createProblems(request);
      const change: ChangedIntegration = request.body;
      const provider = engine.providers.get(current.identifier);
      await checkAddresses(problems, change);
      if (provider) check(problems, provider, { ...current, ...change });
      problems.throwIfAny();

      const changed = fields.filter((name) => change[name] !== undefined);
      if (changed.length === 0) return toRecord(current);
      const updated = await store.integrations.update(
        workspace.id,
        id,
        Object.fromEntries(changed.map((name) => [name, change[name]])),
      );
      await coordination.invalidate("integration", id);
      return toRecord(requireFound(updated));
    },
  );

  app.delete(
    "/v1/integrations/:id",
    {
      schema: route("deleteIntegration", "Delete an integration", {
        params: IdParameter,
        200: Success,
        description: "Its connections are kept but can no longer be used.",
      }),
    },
    async (request) => {
      const { id } = request.params;
      if (!(await store.integrations.delete(request.workspace.id, id))) throw notFound();
      await coordination.invalidate("integration", id);
      return { success: true };
    },
  );
}

const unknownProvider = (identifier: string, providers: ReadonlyMap<string, Provider>) =>
  `Unknown provider: ${identifier}; must be one of ${[...providers.keys()].sort().join(", ")}`;
