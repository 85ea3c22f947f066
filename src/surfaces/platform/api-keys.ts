import Type, { type Static } from "typebox";
import { Nullable } from "../../categories/schema.ts";
import { MAX_KEY_EXPIRY, strongerBy, TOOL_PACK_SCOPES } from "../../contracts/access.ts";
import { Fault, invalidInput } from "../../contracts/fault.ts";
import { newApiKey, newId } from "../../runtime/ids.ts";
import { ApiKeyRecord, CreatedApiKey, ScopeList } from "../shared/platform-records/api-key.ts";
import { closed } from "../shared/platform-records/schema.ts";
import { assertToolPack } from "./assert-tool-pack.ts";
import { change } from "./change.ts";
import { ExternalId } from "./connection-inputs.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute, IdParameter, notFound } from "./route.ts";
import { CursorPaging, InputText, Success, toPage } from "./schemas.ts";
import { readTime } from "./times.ts";

const NewApiKey = Type.Object(
  {
    name: Type.Optional(Nullable(InputText(200, "what the key is for"))),
    scopes: Type.Optional(Nullable(ScopeList)),
    expires_at: Type.Optional(Nullable(InputText(50, "an ISO 8601 date and time from which on the key is refused"))),
    external_id: ExternalId,
    connection_ids: Type.Optional(
      Nullable(
        Type.Array(InputText(100, "the id of a connection"), {
          minItems: 1,
          maxItems: 100,
          description: "The key sees and uses only these connections",
        }),
      ),
    ),
    tool_pack_id: Type.Optional(
      Nullable(InputText(100, "the id of a tool pack: the key then works only for Unified MCP, with its tools")),
    ),
  },
  { title: "NewApiKey", ...closed },
);

/** The end of a new key. */
function readExpiry(text: string | null | undefined): string | null {
  if (!text) return null;
  const expires_at = readTime(text, "expires_at");
  if (Date.parse(expires_at) <= Date.now())
    throw invalidInput({ path: ["expires_at"], message: "Must be in the future" });
  if (Date.parse(expires_at) > MAX_KEY_EXPIRY)
    throw invalidInput({ path: ["expires_at"], message: "Must be before 2200; null for a key that does not expire" });
  return expires_at;
}

export function apiKeyRoutes(app: PlatformApp, { store, coordination }: PlatformOptions): void {
  const route = describeRoute("API keys");

  app.get(
    "/v1/api-keys",
    {
      schema: route("listApiKeys", "keys:read", "List API keys", {
        wholeWorkspace: true,
        querystring: Type.Object(CursorPaging),
        200: Type.Array(ApiKeyRecord),
      }),
    },
    (request) => store.keys.list(request.workspace.id, toPage(request.query)),
  );

  app.post(
    "/v1/api-keys",
    {
      schema: route("createApiKey", "keys:write", "Create an API key", {
        action: "key.create",
        body: NewApiKey,
        201: CreatedApiKey,
        description:
          "The response contains the key itself, which is never shown again. Without `scopes` it can do everything. A key cannot create one that is stronger than itself. With `external_id` or `connection_ids` it sees and uses only those connections, on every surface. With `tool_pack_id` its only scope is `mcp`, and it works only for Unified MCP.",
      }),
    },
    async (request, reply) => {
      const { caller, workspace } = request;
      const body: Static<typeof NewApiKey> = request.body ?? {};
      const expires_at = readExpiry(body.expires_at);
      const tool_pack_id = body.tool_pack_id ?? null;
      const wanted = {
        scopes: body.scopes ?? (tool_pack_id === null ? ["*" as const] : [...TOOL_PACK_SCOPES]),
        external_id: body.external_id ?? null,
        connection_ids: body.connection_ids ?? null,
        tool_pack_id,
      };
      if (tool_pack_id !== null && wanted.scopes.some((scope) => !TOOL_PACK_SCOPES.includes(scope)))
        throw invalidInput({ path: ["scopes"], message: "Must be mcp alone, because the key has a tool pack" });
      const expiresAt = expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at);
      const { keyExpiresAt = Number.POSITIVE_INFINITY } = caller;
      const stronger = strongerBy({ ...wanted, expiresAt }, { ...caller, expiresAt: keyExpiresAt });
      if (stronger)
        throw new Fault(
          "insufficient_scope",
          `a key cannot create a stronger one: ${stronger.field}: ${stronger.message}`,
        );
      for (const id of wanted.connection_ids ?? [])
        if (!(await store.connections.get(workspace.id, id)))
          throw invalidInput({ path: ["connection_ids"], message: `There is no connection ${id} in this workspace` });
      const { key, hash, prefix } = newApiKey();
      const values = { id: newId("key"), workspace_id: workspace.id, name: body.name ?? null, prefix, hash };
      const created = await change(store, request, async ({ keys, toolPacks }) => {
        await assertToolPack(toolPacks, workspace.id, tool_pack_id);
        return keys.create({ ...values, ...wanted, expires_at });
      });
      return reply.code(201).send({ ...created, api_key: key });
    },
  );

  app.delete(
    "/v1/api-keys/:id",
    {
      schema: route("deleteApiKey", "keys:write", "Delete an API key", {
        action: "key.delete",
        wholeWorkspace: true,
        params: IdParameter,
        200: Success,
        description:
          "The key stops working immediately. This may be the key of the request itself: `plugboard keys create` makes another.",
      }),
    },
    async (request) => {
      const hash = await change(store, request, ({ keys }) => keys.delete(request.workspace.id, request.params.id));
      if (!hash) throw notFound();
      await coordination.invalidate("key", hash);
      return { success: true };
    },
  );
}
