import Type from "typebox";
import { invalidInput } from "../../contracts/fault.ts";
import { newId } from "../../contracts/identity.ts";
import type { Credentials } from "../../contracts/manifest.ts";
import type { Provider } from "../../contracts/provider.ts";
import type { Connection, Integration } from "../../contracts/records.ts";
import { NotConnected } from "../../engine/index.ts";
import type { PlatformApp, PlatformOptions } from "./index.ts";
import { describeRoute, found, IdParameter } from "./route.ts";
import { ConnectionRecord, ListConnections, NewConnection, pageOf, Success } from "./schemas.ts";
import { createProblems, type Problems } from "./validation.ts";

const METADATA_BYTES = 16_384;

export function connectionRoutes(app: PlatformApp, { store, coordination, engine }: PlatformOptions): void {
  const route = describeRoute("Connections");

  /** Asks the provider for the settings that it alone can tell. */
  async function complement(integration: Integration, credentials: Credentials, given: Record<string, string>) {
    try {
      return await engine.connect.complement(integration, credentials, given);
    } catch (error) {
      if (error instanceof NotConnected) throw invalidInput({ path: ["settings"], message: error.message });
      throw error;
    }
  }

  async function revoke(connection: Connection): Promise<string> {
    const integration = await store.integrations.get(connection.workspace_id, connection.integration_id);
    return `revocation_${integration ? await engine.revoke(connection, integration) : "unsupported"}`;
  }

  app.get(
    "/v1/connections",
    { schema: route("List connections", { querystring: ListConnections, 200: Type.Array(ConnectionRecord) }) },
    (request) => {
      const { offset, limit, integration_id, integration_identifier, external_id } = request.query;
      const filter = { integration_id, integration_identifier, external_id };
      return store.connections.list(
        request.workspace.id,
        pageOf({ offset, limit }),
        Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
      );
    },
  );

  app.post(
    "/v1/connections",
    {
      attachValidation: true,
      schema: route("Bring in existing credentials as a connection", { body: NewConnection, 201: ConnectionRecord }),
    },
    async (request, reply) => {
      const problems = createProblems(request);
      const body: NewConnection = request.body;
      const { workspace } = request;
      const integration = problems.sound("integration_id")
        ? await store.integrations.get(workspace.id, body.integration_id)
        : undefined;
      if (integration) {
        checkCredentials(problems, integration, body);
        checkSettings(problems, engine.providers.get(integration.identifier), integration, body.settings ?? {});
      } else if (problems.sound("integration_id"))
        problems.add("Unknown integration: GET /v1/integrations lists yours", "integration_id");
      if (problems.sound("metadata") && body.metadata && !fits(body.metadata))
        problems.add("Must be at most 16 kB of JSON", "metadata");
      problems.raise();
      const credentials = credentialsOf(body);
      const settings = await complement(integration!, credentials, body.settings ?? {});

      const created = await store.connections.create({
        id: newId("conn"),
        workspace_id: workspace.id,
        integration_id: integration!.id,
        integration_identifier: integration!.identifier,
        external_id: body.external_id ?? null,
        credentials,
        settings,
        metadata: body.metadata ?? null,
        is_valid: true,
        invalid_reason: null,
        expires_at:
          typeof body.expires_in === "number" ? new Date(Date.now() + body.expires_in * 1000).toISOString() : null,
        refreshed_at: null,
      });
      request.trace.connectionId = created.id;
      await coordination.invalidate("connection", created.id);
      return reply.code(201).send(created);
    },
  );

  app.get(
    "/v1/connections/:id",
    { schema: route("Get a connection", { params: IdParameter, 200: ConnectionRecord }) },
    async (request) => found(await store.connections.get(request.workspace.id, request.params.id)),
  );

  app.delete(
    "/v1/connections/:id",
    {
      schema: route("Delete a connection", {
        params: IdParameter,
        200: Success,
        description:
          "Its token is also revoked at the provider, where that is possible and takes no longer than 5 seconds; the request log has the outcome.",
      }),
    },
    async (request) => {
      const { workspace, trace } = request;
      const { id } = request.params;
      const connection = found(await store.connections.delete(workspace.id, id));
      trace.connectionId = id;
      await coordination.invalidate("connection", id);
      // The connection is gone, whatever becomes of this.
      trace.outcome = await revoke(connection).catch(() => "revocation_failed");
      return { success: true };
    },
  );
}

/** Every type of integration wants its own credentials, and no others: what is not used would only mislead. */
function checkCredentials(problems: Problems, { type }: Integration, body: NewConnection): void {
  const needed: (keyof NewConnection)[] = type === "basic" ? ["username", "password"] : ["auth_token"];
  const optional: (keyof NewConnection)[] = type === "oauth2" ? ["refresh_token", "expires_in"] : [];
  const all: (keyof NewConnection)[] = ["auth_token", "username", "password", "refresh_token", "expires_in"];
  for (const name of all) {
    const given = body[name] !== undefined && body[name] !== null;
    if (!given && needed.includes(name) && problems.sound(name))
      problems.add(`Required: the integration's type is ${type}`, name);
    if (given && !needed.includes(name) && !optional.includes(name))
      problems.add(
        `Not used: the integration's type is ${type}, which takes ${[...needed, ...optional].join(", ")}`,
        name,
      );
  }
}

function checkSettings(
  problems: Problems,
  provider: Provider | undefined,
  { type }: Integration,
  given: Record<string, string>,
): void {
  if (!provider || !problems.sound("settings")) return;
  const { settings = {} } = provider.manifest;
  for (const [name, setting] of Object.entries(settings)) {
    const value = given[name];
    // What the provider itself can be asked for need not be given.
    if (value === undefined && setting.askedWith && !setting.askedWith.includes(type)) continue;
    const example = setting.placeholder ? `, such as ${setting.placeholder}` : "";
    if (value === undefined)
      problems.add(`Required: ${setting.label}${example}${setting.hint ? `. ${setting.hint}` : ""}`, "settings", name);
    else if (!new RegExp(`^(?:${setting.pattern})$`).test(value))
      problems.add(`Must be ${setting.label}${example}, matching ${setting.pattern}`, "settings", name);
  }
  const known = Object.keys(settings);
  for (const name of Object.keys(given))
    if (!known.includes(name))
      problems.add(`Unknown setting; the settings are ${known.join(", ") || "none"}`, "settings", name);
}

function credentialsOf({ auth_token, refresh_token, username, password }: NewConnection): Credentials {
  return {
    ...(auth_token === undefined ? {} : { token: auth_token }),
    ...(refresh_token ? { refresh_token } : {}),
    ...(username === undefined ? {} : { username, password }),
  };
}

function fits(metadata: object): boolean {
  try {
    return Buffer.byteLength(JSON.stringify(metadata)) <= METADATA_BYTES;
  } catch {
    // Too deep to be written.
    return false;
  }
}
