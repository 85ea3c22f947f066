import Type, { type Static } from "typebox";
import { Nullable } from "../../categories/schema.ts";
import { mayUse } from "../../contracts/access.ts";
import type { Caller } from "../../contracts/caller.ts";
import type { Connection, Workspace } from "../../contracts/entities.ts";
import { MAX_LINK_SECONDS } from "../shared/connect-urls.ts";
import { findIntegration } from "../shared/find-integration.ts";
import { newConnectSession } from "../shared/new-connect-session.ts";
import { ConnectSessionRecord } from "../shared/platform-records/connect-session.ts";
import { Metadata } from "../shared/platform-records/connection.ts";
import { closed } from "../shared/platform-records/schema.ts";
import { change } from "./change.ts";
import { ExternalId } from "./connection-inputs.ts";
import { checkMetadata } from "./connections.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute, requireFound } from "./route.ts";
import { InputText, Scopes } from "./schemas.ts";
import { createProblems, type Problems } from "./validation.ts";
import { ownExternalId } from "./visible.ts";

const MIN_LINK_SECONDS = 60;
const DEFAULT_LINK_SECONDS = 30 * 60;

const NewConnectSession = Type.Object(
  {
    external_id: ExternalId,
    integrations: Type.Optional(
      Nullable(
        Type.Array(InputText(100, "the id of an integration, or its identifier if no other has the same"), {
          maxItems: 100,
          description: "The integrations that the user can choose from; by default all of the workspace's",
        }),
      ),
    ),
    scopes: Type.Optional(
      Nullable(
        Scopes("OAuth scopes to request instead of the integration's, if there is only one integration to choose from"),
      ),
    ),
    redirect_uri: Type.Optional(
      Nullable(InputText(2_000, "one of the workspace's redirect_uris, where the user returns with a code")),
    ),
    connection_id: Type.Optional(
      Nullable(InputText(100, "an existing connection, to connect it again; external_id may then be left out")),
    ),
    metadata: Type.Optional(Metadata),
    expires_in: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: MIN_LINK_SECONDS,
          maximum: MAX_LINK_SECONDS,
          default: DEFAULT_LINK_SECONDS,
          description: "How long the link works, in seconds: at most 7 days",
        }),
      ),
    ),
  },
  { title: "NewConnectSession", ...closed },
);
type NewConnectSession = Static<typeof NewConnectSession>;

const ONE = { offset: 0, limit: 1 };

export function connectSessionRoutes(app: PlatformApp, { store, connectUrls }: PlatformOptions): void {
  const route = describeRoute("Connect sessions");

  app.post(
    "/v1/connect-sessions",
    {
      attachValidation: true,
      schema: route(
        "createConnectSession",
        "connections:write",
        "Create a link with which a user connects an account",
        {
          action: "connect_session.create",
          body: NewConnectSession,
          201: ConnectSessionRecord,
          description:
            "The link works for `expires_in` seconds (30 minutes) and for one account, in the first browser that uses it. With `redirect_uri` it ends there with a `code`, like `/authorize`. Without it, the connection is final when the user has connected the account.",
        },
      ),
    },
    async (request, reply) => {
      const problems = createProblems(request);
      const { caller } = request;
      const body: NewConnectSession = request.body;
      // Not the cached `request.workspace`: an address that was just registered must be accepted.
      const workspace = requireFound(await store.workspaces.get(request.workspace.id));
      const { redirect_uri, connection_id } = body;
      if (redirect_uri && problems.valid("redirect_uri") && !workspace.redirect_uris.includes(redirect_uri))
        problems.add("Must be exactly one of the workspace's redirect_uris", "redirect_uri");
      checkMetadata(problems, body.metadata);
      const connection =
        connection_id && problems.valid("connection_id")
          ? await readConnection(problems, caller, body, connection_id)
          : undefined;
      const external_id = connection_id ? undefined : ownExternalId(caller, body.external_id);
      if (!connection_id && !external_id && problems.valid("external_id"))
        problems.add("Required: your ID for the user", "external_id");
      const integrations = problems.valid("integrations")
        ? await readIntegrations(problems, workspace, body.integrations ?? null, connection)
        : null;
      if (body.scopes && problems.valid("scopes") && problems.valid("integrations"))
        await checkScopes(problems, workspace, body.scopes, integrations);
      problems.throwIfAny();

      const session = newConnectSession(
        {
          workspace_id: workspace.id,
          integrations,
          scopes: body.scopes ?? null,
          redirect_uri: redirect_uri ?? null,
          external_id: connection ? connection.external_id : external_id!,
          metadata: body.metadata ?? null,
          connection_id: connection?.id ?? null,
        },
        body.expires_in ?? DEFAULT_LINK_SECONDS,
      );
      await change(store, request, async ({ connectSessions }) => {
        await connectSessions.create(session);
        return session;
      });
      request.trace.connectionId = session.connection_id;
      return reply.code(201).send({ id: session.id, url: connectUrls.of(session.id), expires_at: session.expires_at });
    },
  );

  /** The connection to reconnect. Its user and its metadata stay as they are. */
  async function readConnection(problems: Problems, caller: Caller, body: NewConnectSession, id: string) {
    const { workspace } = caller;
    const connection = await store.connections.get(workspace.id, id);
    if (!connection || !mayUse(caller, connection)) {
      problems.add("There is no such connection in this workspace", "connection_id");
      return undefined;
    }
    if (!(await store.integrations.get(workspace.id, connection.integration_id)))
      problems.add("The connection's integration has been deleted: connect a new account instead", "connection_id");
    if (body.external_id && problems.valid("external_id") && body.external_id !== connection.external_id)
      problems.add("Must be the connection's own external_id, or be left out", "external_id");
    if (body.metadata && problems.valid("metadata"))
      problems.add("Not used: the connection keeps its metadata", "metadata");
    return connection;
  }

  /** Scopes mean something at one provider only, and the user is asked for them only by OAuth. */
  async function checkScopes(problems: Problems, workspace: Workspace, scopes: string[], ids: string[] | null) {
    const [id, ...others] = ids ?? [];
    const integration = id && others.length === 0 ? await store.integrations.get(workspace.id, id) : undefined;
    if (scopes.length === 0) problems.add("Must not be empty: leave it out for the integration's", "scopes");
    else if (!integration) problems.add("Needs integrations with exactly one entry, or a connection_id", "scopes");
    else if (integration.type !== "oauth2") problems.add("Not used: the integration does not use OAuth", "scopes");
  }

  /** The ids of the integrations to choose from; null for all of the workspace's. */
  async function readIntegrations(
    problems: Problems,
    workspace: Workspace,
    given: readonly string[] | null,
    connection: Connection | undefined,
  ): Promise<string[] | null> {
    if (given === null) {
      if (connection) return [connection.integration_id];
      const [any] = await store.integrations.list(workspace.id, ONE);
      if (!any) problems.add("This workspace has no integration yet: POST /v1/integrations", "integrations");
      return null;
    }
    if (given.length === 0) problems.add("Must not be empty: leave it out to allow all integrations", "integrations");
    const ids: string[] = [];
    for (const [index, idOrIdentifier] of given.entries()) {
      const { integration, problem } = await findIntegration(store, workspace.id, idOrIdentifier);
      const misfit = integration && connection && integration.id !== connection.integration_id;
      if (problem) problems.add(problem, "integrations", String(index));
      else if (ids.includes(integration!.id)) problems.add("Duplicate of another entry", "integrations", String(index));
      else if (misfit) problems.add("The connection belongs to another integration", "integrations", String(index));
      else ids.push(integration!.id);
    }
    return ids;
  }
}
