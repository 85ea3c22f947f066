import Type from "typebox";
import type { Integration } from "../../contracts/entities.ts";
import { authTypes } from "../../contracts/manifest.ts";
import type { Provider } from "../../contracts/provider.ts";
import { SANDBOX } from "../../engine/index.ts";
import { newId } from "../../runtime/ids.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute, found, IdParameter, notFound } from "./route.ts";
import { IntegrationChange, IntegrationRecord, ListIntegrations, NewIntegration, pageOf, Success } from "./schemas.ts";
import { createProblems, type Problems } from "./validation.ts";

type Change = Partial<Omit<Integration, "id" | "workspace_id" | "identifier" | "created_at" | "updated_at">>;

export function integrationRoutes(app: PlatformApp, { store, coordination, engine, sandbox }: PlatformOptions): void {
  const route = describeRoute("Integrations");
  const fields = ["type", "client_id", "client_secret", "scopes", "base_url", "mcp_url"] as const;

  /** Looks at what the integration would be. */
  function check(problems: Problems, { manifest }: Provider, whole: Change): void {
    const types = authTypes(manifest);
    if (problems.sound("type") && !types.includes(whole.type!))
      problems.add(`${manifest.name} takes ${types.join(", ")}`, "type");
    if (whole.type === "oauth2")
      for (const name of ["client_id", "client_secret"] as const)
        if (problems.sound(name) && !whole[name]) problems.add("Required with the type oauth2", name);
    if (manifest.selfHostedOnly && problems.sound("base_url") && !whole.base_url)
      problems.add(`Required: ${manifest.name} is a server of your own`, "base_url");
  }

  async function checkAddresses(problems: Problems, sent: Change): Promise<void> {
    for (const name of ["base_url", "mcp_url"] as const) {
      const refusal = problems.sound(name) && sent[name] ? await refuse(name, sent[name]) : undefined;
      if (refusal) problems.add(refusal, name);
    }
  }

  async function refuse(name: string, address: string): Promise<string | undefined> {
    if (name === "base_url" && address === SANDBOX)
      return sandbox ? undefined : "The sandbox is off: start with SANDBOX=on, or name an address";
    return engine.refuseAddress(address);
  }

  app.get(
    "/v1/integrations",
    { schema: route("List integrations", { querystring: ListIntegrations, 200: Type.Array(IntegrationRecord) }) },
    (request) => store.integrations.list(request.workspace.id, pageOf(request.query)),
  );

  app.post(
    "/v1/integrations",
    {
      attachValidation: true,
      schema: route("Create an integration", { body: NewIntegration, 201: IntegrationRecord }),
    },
    async (request, reply) => {
      const problems = createProblems(request);
      const body = request.body;
      const provider = problems.sound("identifier") ? engine.providers.get(body.identifier) : undefined;
      await checkAddresses(problems, body);
      if (provider) check(problems, provider, body);
      else if (problems.sound("identifier"))
        problems.add(unknownProvider(body.identifier, engine.providers), "identifier");
      problems.raise();

      const created = await store.integrations.create({
        id: newId("int"),
        workspace_id: request.workspace.id,
        identifier: body.identifier,
        type: body.type,
        client_id: body.client_id ?? null,
        client_secret: body.client_secret ?? null,
        scopes: body.scopes ?? null,
        base_url: body.base_url ?? null,
        mcp_url: body.mcp_url ?? null,
      });
      if (!created) {
        problems.add(`This workspace already has an integration for ${body.identifier}`, "identifier");
        problems.raise();
      }
      await coordination.invalidate("integration", created!.id);
      return reply.code(201).send(created!);
    },
  );

  app.get(
    "/v1/integrations/:id",
    { schema: route("Get an integration", { params: IdParameter, 200: IntegrationRecord }) },
    async (request) => found(await store.integrations.get(request.workspace.id, request.params.id)),
  );

  app.patch(
    "/v1/integrations/:id",
    {
      attachValidation: true,
      schema: route("Change an integration", { params: IdParameter, body: IntegrationChange, 200: IntegrationRecord }),
    },
    async (request) => {
      const { workspace } = request;
      const { id } = request.params;
      const current = found(await store.integrations.get(workspace.id, id));
      const problems = createProblems(request);
      const change: Change = request.body ?? {};
      const provider = engine.providers.get(current.identifier);
      await checkAddresses(problems, change);
      if (provider) check(problems, provider, { ...current, ...change });
      problems.raise();

      const named = fields.filter((name) => change[name] !== undefined);
      if (named.length === 0) return current;
      const updated = await store.integrations.update(
        workspace.id,
        id,
        Object.fromEntries(named.map((name) => [name, change[name]])),
      );
      await coordination.invalidate("integration", id);
      return found(updated);
    },
  );

  app.delete(
    "/v1/integrations/:id",
    {
      schema: route("Delete an integration", {
        params: IdParameter,
        200: Success,
        description: "Its connections stay, but answer no more calls until they are deleted.",
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
  `Unknown provider: ${identifier}; one of ${[...providers.keys()].sort().join(", ")}`;
