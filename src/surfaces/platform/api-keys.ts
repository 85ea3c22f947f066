import Type from "typebox";
import { Nullable } from "../../categories/schema.ts";
import { newApiKey, newId } from "../../runtime/ids.ts";
import { ApiKeyRecord, CreatedApiKey } from "../shared/platform-records/api-key.ts";
import { closed } from "../shared/platform-records/schema.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute, IdParameter, notFound } from "./route.ts";
import { CursorPaging, InputText, Success, toPage } from "./schemas.ts";

const NewApiKey = Type.Object(
  { name: Type.Optional(Nullable(InputText(200, "what the key is for"))) },
  { title: "NewApiKey", ...closed },
);

export function apiKeyRoutes(app: PlatformApp, { store, coordination }: PlatformOptions): void {
  const route = describeRoute("API keys");

  app.get(
    "/v1/api-keys",
    {
      schema: route("listApiKeys", "List API keys", {
        querystring: Type.Object(CursorPaging),
        200: Type.Array(ApiKeyRecord),
      }),
    },
    (request) => store.keys.list(request.workspace.id, toPage(request.query)),
  );

  app.post(
    "/v1/api-keys",
    {
      schema: route("createApiKey", "Create an API key", {
        body: NewApiKey,
        201: CreatedApiKey,
        description: "The response contains the key itself, which is never shown again.",
      }),
    },
    async (request, reply) => {
      const { key, hash, prefix } = newApiKey();
      const created = await store.keys.create({
        id: newId("key"),
        workspace_id: request.workspace.id,
        name: request.body.name ?? null,
        prefix,
        hash,
      });
      return reply.code(201).send({ ...created, api_key: key });
    },
  );

  app.delete(
    "/v1/api-keys/:id",
    {
      schema: route("deleteApiKey", "Delete an API key", {
        params: IdParameter,
        200: Success,
        description:
          "The key stops working immediately. This may be the key of the request itself: `plugboard keys create` makes another.",
      }),
    },
    async (request) => {
      const hash = await store.keys.delete(request.workspace.id, request.params.id);
      if (!hash) throw notFound();
      await coordination.invalidate("key", hash);
      return { success: true };
    },
  );
}
