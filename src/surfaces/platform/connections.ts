import Type from "typebox";
import { isBound } from "../../contracts/access.ts";
import type { Connection } from "../../contracts/entities.ts";
import type { StoredHook } from "../../contracts/hooks.ts";
import { newId } from "../../runtime/ids.ts";
import { ConnectionRecord } from "../shared/platform-records/connection.ts";
import { visibleConnections } from "../shared/visible-connections.ts";
import { change } from "./change.ts";
import { ConnectionChange, ListConnections, NewConnection } from "./connection-inputs.ts";
import { checkCredentials, issueFor, readSettings, toCredentials } from "./credentials.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute, IdParameter, requireFound } from "./route.ts";
import { Success, toPage } from "./schemas.ts";
import { collectFields, createProblems, type Problems } from "./validation.ts";
import { ownExternalId, visibleConnection } from "./visible.ts";

const MAX_METADATA_BYTES = 16_384;

export function connectionRoutes(app: PlatformApp, { store, coordination, engine }: PlatformOptions): void {
  const route = describeRoute("Connections");

  /** Takes back what the provider has of a connection that was deleted: its webhooks and its tokens. */
  async function revoke(connection: Connection, hooks: readonly StoredHook[]): Promise<string> {
    const integration = await store.integrations.get(connection.workspace_id, connection.integration_id);
    if (integration) await engine.hooks.removeAll(connection, integration, hooks);
    return `revocation_${integration ? await engine.revoke(connection, integration) : "unsupported"}`;
  }

  app.get(
    "/v1/connections",
    {
      preValidation: async (request) => collectFields(request, "metadata"),
      schema: route("listConnections", "connections:read", "List connections", {
        querystring: ListConnections,
        200: Type.Array(ConnectionRecord),
      }),
    },
    async (request) => {
      const { integration_id, integration_identifier, external_id, is_valid, metadata } = request.query;
      const given = { integration_id, integration_identifier, external_id, is_valid, metadata };
      const filter = visibleConnections(
        request.caller,
        Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      );
      return filter ? store.connections.list(request.workspace.id, toPage(request.query), filter) : [];
    },
  );

  app.post(
    "/v1/connections",
    {
      attachValidation: true,
      schema: route("createConnection", "connections:write", "Create a connection from existing credentials", {
        action: "connection.create",
        body: NewConnection,
        201: ConnectionRecord,
      }),
    },
    async (request, reply) => {
      const problems = createProblems(request);
      const body: NewConnection = request.body;
      const { workspace, caller } = request;
      const external_id = ownExternalId(caller, body.external_id) ?? null;
      const integration = problems.valid("integration_id")
        ? await store.integrations.get(workspace.id, body.integration_id)
        : undefined;
      if (!integration && problems.valid("integration_id"))
        problems.add("Unknown integration: GET /v1/integrations lists yours", "integration_id");
      checkMetadata(problems, body.metadata);
      const manifest = integration && (await engine.providerOf(workspace.id, integration.identifier))?.manifest;
      if (manifest) checkCredentials(problems, manifest, integration, body);
      const given = manifest ? await readSettings(problems, engine, manifest, integration, body) : body.settings;
      const issued = manifest && (await issueFor(problems, engine, manifest, integration, body));
      problems.throwIfAny();

      const { credentials, settings } = issued ?? { credentials: toCredentials(body), settings: given ?? {} };
      const account = issued ? issued.account : await engine.connect.account(integration!, credentials, settings);
      const { expires_in } = body;
      const expiry = typeof expires_in === "number" ? new Date(Date.now() + expires_in * 1000).toISOString() : null;
      const values = {
        id: newId("conn"),
        workspace_id: workspace.id,
        integration_id: integration!.id,
        integration_identifier: integration!.identifier,
        external_id,
        credentials,
        settings,
        metadata: body.metadata ?? null,
        account,
        is_valid: true,
        invalid_reason: null,
        expires_at: issued ? issued.expires_at : expiry,
        refreshed_at: null,
      };
      const created = await change(store, request, ({ connections }) => connections.create(values));
      request.trace.connectionId = created.id;
      request.trace.integrationId = created.integration_id;
      await coordination.invalidate("connection", created.id);
      return reply.code(201).send(created);
    },
  );

  app.get(
    "/v1/connections/:id",
    {
      schema: route("getConnection", "connections:read", "Get a connection", {
        params: IdParameter,
        200: ConnectionRecord,
      }),
    },
    (request) => visibleConnection(store, request.caller, request.params.id),
  );

  app.patch(
    "/v1/connections/:id",
    {
      attachValidation: true,
      schema: route("updateConnection", "connections:write", "Change a connection", {
        action: "connection.update",
        params: IdParameter,
        body: ConnectionChange,
        200: ConnectionRecord,
        description: "`metadata` is replaced as a whole; null removes it.",
      }),
    },
    async (request) => {
      const { caller, trace } = request;
      const { id } = request.params;
      const current = await visibleConnection(store, caller, id);
      trace.connectionId = id;
      trace.integrationId = current.integration_id;
      const problems = createProblems(request);
      const { external_id, metadata } = request.body;
      checkMetadata(problems, metadata);
      if (caller.external_id !== null && external_id !== undefined && external_id !== caller.external_id)
        problems.add("Must stay as it is: the API key is bound to it", "external_id");
      problems.throwIfAny();
      if (external_id === undefined && metadata === undefined) return current;
      const updated = await change(
        store,
        request,
        ({ connections }) =>
          connections.update(id, {
            ...(external_id === undefined ? {} : { external_id }),
            ...(metadata === undefined ? {} : { metadata }),
          }),
        current,
      );
      await coordination.invalidate("connection", id);
      return requireFound(updated);
    },
  );

  app.delete(
    "/v1/connections/:id",
    {
      schema: route("deleteConnection", "connections:write", "Delete a connection", {
        action: "connection.delete",
        params: IdParameter,
        200: Success,
        description:
          "The token is also revoked at the provider, if the provider supports it and responds within 5 seconds. The request log has the result.",
      }),
    },
    async (request) => {
      const { caller, workspace, trace } = request;
      const { id } = request.params;
      if (isBound(caller)) await visibleConnection(store, caller, id);
      const hooks = await store.hooks.ofConnection(id);
      const connection = requireFound(
        await change(store, request, ({ connections }) => connections.delete(workspace.id, id)),
      );
      trace.connectionId = id;
      trace.integrationId = connection.integration_id;
      await coordination.invalidate("connection", id);
      // The connection is deleted, whether or not this succeeds.
      trace.outcome = await revoke(connection, hooks).catch(() => "revocation_failed");
      return { success: true };
    },
  );
}

export function checkMetadata(problems: Problems, metadata: object | null | undefined): void {
  if (!problems.valid("metadata") || !metadata) return;
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA_BYTES)
    problems.add("Must be at most 16 kB of JSON", "metadata");
}
