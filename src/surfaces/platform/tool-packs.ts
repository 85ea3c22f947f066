import Type from "typebox";
import { Nullable, OneOf } from "../../categories/schema.ts";
import { Fault } from "../../contracts/fault.ts";
import type { ToolPackUser } from "../../contracts/store.ts";
import { MAX_TOOL_PACKS } from "../../contracts/tool-packs.ts";
import { newId } from "../../runtime/ids.ts";
import { closed } from "../shared/platform-records/schema.ts";
import { ToolPackRecord, toolAccess } from "../shared/platform-records/tool-pack.ts";
import { change } from "./change.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute, IdParameter, notFound, requireFound } from "./route.ts";
import { DryRun, InputText, Success } from "./schemas.ts";
import { createToolPackCheck } from "./tool-pack-check.ts";

const Name = InputText(200, "what the tool pack is for");
const Access = OneOf(toolAccess, "With `read`, it has no tools that create, change or send something");
const optional = {
  categories: Type.Optional(
    Nullable(
      Type.Array(InputText(100, "the id of a category"), {
        minItems: 1,
        maxItems: 100,
        description: "Only tools of these categories; null for all",
      }),
    ),
  ),
  tools: Type.Optional(
    Nullable(
      Type.Array(InputText(100, "the name of a tool"), {
        minItems: 1,
        maxItems: 500,
        description: "Only these tools, such as crm_list_contacts; null for all. With `categories`, only those in both",
      }),
    ),
  ),
  hide: Type.Optional(
    Type.Array(InputText(200, "a field of a record"), {
      maxItems: 500,
      description: "Fields that records do not have, such as crm.contact.email",
    }),
  ),
};
export const NewToolPack = Type.Object(
  { name: Name, access: Access, ...optional },
  { title: "NewToolPack", ...closed },
);
const ToolPackChange = Type.Object(
  { name: Type.Optional(Name), access: Type.Optional(Access), ...optional },
  { title: "ToolPackChange", ...closed },
);

const MAX_NAMED_USERS = 3;

function inUse(users: readonly ToolPackUser[]): Fault {
  const named = users.slice(0, MAX_NAMED_USERS).map(({ kind, id, name }) => `${kind} ${name ?? id}`);
  const more = users.length > named.length ? ` and ${users.length - named.length} more` : "";
  return new Fault(
    "conflict",
    `it is used by ${named.join(", ")}${more}: delete them, or give them another tool pack, first`,
  );
}

export function toolPackRoutes(app: PlatformApp, { store, coordination, operations }: PlatformOptions): void {
  const route = describeRoute("Tool packs", { wholeWorkspace: true });
  const check = createToolPackCheck(operations);

  app.get(
    "/v1/tool-packs",
    {
      schema: route("listToolPacks", "keys:read", "List tool packs", {
        200: Type.Array(ToolPackRecord),
        description: "All of them, in one response.",
      }),
    },
    ({ workspace }) => store.toolPacks.list(workspace.id),
  );

  app.post(
    "/v1/tool-packs",
    {
      schema: route("createToolPack", "keys:write", "Create a tool pack", {
        action: "tool_pack.create",
        querystring: DryRun,
        body: NewToolPack,
        201: ToolPackRecord,
        errors: [409],
        description: `Says which tools of Unified MCP an agent gets, and which fields it never sees. It is given to API keys by \`tool_pack_id\`, to MCP clients that people sign in by \`mcp_tool_pack_id\` of the workspace, and to a grant by \`PATCH /v1/mcp-grants/{id}\`. A workspace can have ${MAX_TOOL_PACKS}.`,
      }),
    },
    async (request, reply) => {
      const { name, access, categories = null, tools = null, hide = [] } = request.body;
      const pack = { name, access, categories, tools, hide };
      check(pack);
      const values = { id: newId("tp"), workspace_id: request.workspace.id, ...pack };
      return reply.code(201).send(await change(store, request, ({ toolPacks }) => toolPacks.create(values)));
    },
  );

  app.get(
    "/v1/tool-packs/:id",
    { schema: route("getToolPack", "keys:read", "Get a tool pack", { params: IdParameter, 200: ToolPackRecord }) },
    async ({ workspace, params }) => requireFound(await store.toolPacks.get(workspace.id, params.id)),
  );

  app.patch(
    "/v1/tool-packs/:id",
    {
      schema: route("updateToolPack", "keys:write", "Change a tool pack", {
        action: "tool_pack.update",
        params: IdParameter,
        querystring: DryRun,
        body: ToolPackChange,
        200: ToolPackRecord,
        description:
          "Lists are replaced as a whole. The change applies to the next call of everything that uses the tool pack.",
      }),
    },
    async (request) => {
      const { workspace, params, body } = request;
      const current = requireFound(await store.toolPacks.get(workspace.id, params.id));
      check({ ...current, ...body });
      if (Object.keys(body).length === 0) return current;
      const changed = await change(
        store,
        request,
        ({ toolPacks }) => toolPacks.update(workspace.id, current.id, body),
        current,
      );
      await coordination.invalidate("tool_pack", current.id);
      return requireFound(changed);
    },
  );

  app.delete(
    "/v1/tool-packs/:id",
    {
      schema: route("deleteToolPack", "keys:write", "Delete a tool pack", {
        action: "tool_pack.delete",
        params: IdParameter,
        200: Success,
        errors: [409],
        description: "What uses it has to be deleted, or to be given another one, first: the 409 names it.",
      }),
    },
    async (request) => {
      const { workspace, params } = request;
      const deleted = await change(store, request, async ({ toolPacks }) => {
        const users = await toolPacks.users(workspace.id, params.id);
        if (users.length > 0) throw inUse(users);
        return toolPacks.delete(workspace.id, params.id);
      });
      if (!deleted) throw notFound();
      return { success: true };
    },
  );
}
