import Type from "typebox";
import type { Connection } from "../../contracts/entities.ts";
import { newId } from "../../runtime/ids.ts";
import { ConnectionRecord } from "../shared/platform-records/connection.ts";
import { ConnectionChange, ListConnections, NewConnection } from "./connection-inputs.ts";
import { checkCredentials, readSettings, toCredentials } from "./credentials.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute, IdParameter, requireFound } from "./route.ts";
import { Success, toPage } from "./schemas.ts";
import { collectFields, createProblems, type Problems } from "./validation.ts";

const MAX_METADATA_BYTES = 16_384;

export function connectionRoutes(app: PlatformApp, { store, coordination, engine }: PlatformOptions): void {
  const route = describeRoute("Connections");

  async function revoke(connection: Connection): Promise<string> {
    const integration = await store.integrations.get(connection.workspace_id, connection.integration_id);
    return `revocation_${integration ? await engine.revoke(connection, integration) : "unsupported"}`;
  }

  app.get(
    "/v1/connections",
    {
      preValidation: async (request) => collectFields(request, "metadata"),
      schema: route("listConnections", "List connections", {
        querystring: ListConnections,
        200: Type.Array(ConnectionRecord),
      }),
    },
    (request) => {
      const { integration_id, integration_identifier, external_id, is_valid, metadata } = request.query;
      const filter = { integration_id, integration_identifier, external_id, is_valid, metadata };
      return store.connections.list(
        request.workspace.id,
        toPage(request.query),
        Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
      );
    },
  );

  app.post(
    "/v1/connections",
    {
      attachValidation: true,
      schema: route("createConnection", "Create a connection from existing credentials", {
        body: NewConnection,
        201: ConnectionRecord,
      }),
    },
    async (request, reply) => {
      const problems = createProblems(request);
      const body: NewConnection = request.body;
      const { workspace } = request;
      const integration = problems.valid("integration_id")
        ? await store.integrations.get(workspace.id, body.integration_id)
        : undefined;
      if (!integration && problems.valid("integration_id"))
        problems.add("Unknown integration: GET /v1/integrations lists yours", "integration_id");
      checkMetadata(problems, body.metadata);
      if (integration) checkCredentials(problems, integration, body);
      const settings = integration ? await readSettings(problems, engine, integration, body) : {};
      problems.throwIfAny();

      const credentials = toCredentials(body);
      const created = await store.connections.create({
        id: newId("conn"),
        workspace_id: workspace.id,
        integration_id: integration!.id,
        integration_identifier: integration!.identifier,
        external_id: body.external_id ?? null,
        credentials,
        settings,
        metadata: body.metadata ?? null,
        account: await engine.connect.account(integration!, credentials, settings),
        is_valid: true,
        invalid_reason: null,
        expires_at:
          typeof body.expires_in === "number" ? new Date(Date.now() + body.expires_in * 1000).toISOString() : null,
        refreshed_at: null,
      });
      request.trace.connectionId = created.id;
      request.trace.integrationId = created.integration_id;
      await coordination.invalidate("connection", created.id);
      return reply.code(201).send(created);
    },
  );

  app.get(
    "/v1/connections/:id",
    { schema: route("getConnection", "Get a connection", { params: IdParameter, 200: ConnectionRecord }) },
    async (request) => requireFound(await store.connections.get(request.workspace.id, request.params.id)),
  );

  app.patch(
    "/v1/connections/:id",
    {
      attachValidation: true,
      schema: route("updateConnection", "Change a connection", {
        params: IdParameter,
        body: ConnectionChange,
        200: ConnectionRecord,
        description: "`metadata` is replaced as a whole; null removes it.",
      }),
    },
    async (request) => {
      const { workspace, trace } = request;
      const { id } = request.params;
      const current = requireFound(await store.connections.get(workspace.id, id));
      trace.connectionId = id;
      trace.integrationId = current.integration_id;
      const problems = createProblems(request);
      const { external_id, metadata } = request.body;
      checkMetadata(problems, metadata);
      problems.throwIfAny();
      if (external_id === undefined && metadata === undefined) return current;
      const updated = await store.connections.update(id, {
        ...(external_id === undefined ? {} : { external_id }),
        ...(metadata === undefined ? {} : { metadata }),
      });
      await coordination.invalidate("connection", id);
      return requireFound(updated);
    },
  );

  app.delete(
    "/v1/connections/:id",
    {
      schema: route("deleteConnection", "Delete a connection", {
        params: IdParameter,
        200: Success,
        description:
          "The token is also revoked at the provider, if the provider supports it and responds within 5 seconds. The request log has the result.",
      }),
    },
    async (request) => {
      const { workspace, trace } = request;
      const { id } = request.params;
      const connection = requireFound(await store.connections.delete(workspace.id, id));
      trace.connectionId = id;
      trace.integrationId = connection.integration_id;
      await coordination.invalidate("connection", id);
      // The connection is deleted, whether or not this succeeds.
      trace.outcome = await revoke(connection).catch(() => "revocation_failed");
      return { success: true };
    },
  );
}

export function checkMetadata(problems: Problems, metadata: object | null | undefined): void {
  if (!problems.valid("metadata") || !metadata) return;
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES)
    problems.add("Must be at most 16 kB of JSON", "metadata");
}
