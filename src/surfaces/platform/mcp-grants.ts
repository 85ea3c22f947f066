import Type from "typebox";
import { Nullable } from "../../categories/schema.ts";
import { isBound } from "../../contracts/access.ts";
import { Fault } from "../../contracts/fault.ts";
import { type ProvenSignIn, userOf } from "../shared/mcp-sign-ins.ts";
import { McpGrantRecord, McpSignInRecord } from "../shared/platform-records/mcp-grant.ts";
import { closed } from "../shared/platform-records/schema.ts";
import { assertToolPack } from "./assert-tool-pack.ts";
import { change } from "./change.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute, IdParameter, notFound, requireFound } from "./route.ts";
import { CursorPaging, InputText, Success, toPage } from "./schemas.ts";
import { ownExternalId } from "./visible.ts";

const ProvenUser = Type.Object(
  {
    external_id: InputText(255, "your ID for the user whom you have signed in"),
    tool_pack_id: Type.Optional(
      Nullable(
        InputText(100, "the id of a tool pack that limits the client; null for none. By default the workspace's"),
      ),
    ),
  },
  { title: "McpSignInProof", ...closed },
);
const GrantChange = Type.Object(
  { tool_pack_id: Nullable(InputText(100, "the id of a tool pack that limits the client; null for none")) },
  { title: "McpGrantChange", ...closed },
);
const RequestParameter = Type.Object({
  request: Type.String({ description: "The parameter `request` with which the user came to your `mcp_sign_in_url`" }),
});

/** What MCP clients are allowed to do, and the sign-in of users by the application. */
export function mcpGrantRoutes(app: PlatformApp, { store, coordination, signIns }: PlatformOptions): void {
  const route = describeRoute("MCP");

  app.post(
    "/v1/mcp-sign-ins/:request",
    {
      schema: route("proveMcpSignIn", "connections:write", "Say who signs in for an MCP client", {
        action: "mcp_sign_in.prove",
        params: RequestParameter,
        body: ProvenUser,
        errors: [409],
        200: McpSignInRecord,
        description:
          "For a workspace with an `mcp_sign_in_url`: call this after you have signed the user in, and send their browser to `url`. There they decide what the client may do. With `tool_pack_id`, this client is limited by that tool pack instead of the workspace's `mcp_tool_pack_id`. If the key has the scope `proxy`, users without a tool pack can also let clients call the providers' own APIs. If the key is bound or expires, what users allow ends with it.",
      }),
    },
    async (request) => {
      const { workspace, caller, body } = request;
      const externalId = ownExternalId(caller, body.external_id)!;
      if (body.tool_pack_id !== undefined && isBound(caller))
        throw new Fault("insufficient_scope", "the API key is bound to a user, and cannot choose their tool pack");
      const { request: id } = request.params;
      const proven = await change(store, request, async ({ mcpGrants, toolPacks, workspaces }) => {
        await assertToolPack(toolPacks, workspace.id, body.tool_pack_id);
        const { mcp_sign_in_url = null, mcp_tool_pack_id = null } = (await workspaces.get(workspace.id)) ?? {};
        if ((await mcpGrants.signIn(id))?.workspace_id !== workspace.id) throw notFound();
        if (mcp_sign_in_url === null)
          throw new Fault(
            "conflict",
            "people do not sign in at your application: set the workspace's mcp_sign_in_url first (PATCH /v1/workspace)",
          );
        const toolPackId = body.tool_pack_id === undefined ? mcp_tool_pack_id : body.tool_pack_id;
        return mcpGrants.proveSignIn(workspace.id, id, userOf(externalId, caller, toolPackId));
      });
      if (!proven)
        throw new Fault(
          "conflict",
          "somebody else has signed in for this request, or with another key or tool pack: start again in the MCP client",
        );
      const { client_name, expires_at } = proven;
      return { id, url: signIns.consentUrl(proven as ProvenSignIn), client_name, expires_at };
    },
  );

  app.get(
    "/v1/mcp-grants",
    {
      schema: route("listMcpGrants", "connections:read", "List what MCP clients are allowed to do", {
        querystring: Type.Object(CursorPaging),
        200: Type.Array(McpGrantRecord),
      }),
    },
    (request) => store.mcpGrants.list(request.workspace.id, toPage(request.query), request.caller),
  );

  app.get(
    "/v1/mcp-grants/:id",
    {
      schema: route("getMcpGrant", "connections:read", "Get what an MCP client is allowed to do", {
        params: IdParameter,
        200: McpGrantRecord,
      }),
    },
    async ({ workspace, params, caller }) => requireFound(await store.mcpGrants.get(workspace.id, params.id, caller)),
  );

  app.patch(
    "/v1/mcp-grants/:id",
    {
      schema: route("updateMcpGrant", "keys:write", "Change the tool pack of an MCP client", {
        action: "mcp_grant.update",
        wholeWorkspace: true,
        params: IdParameter,
        body: GrantChange,
        200: McpGrantRecord,
        description: "It applies to the client's next call. What the person allowed stays as it is.",
      }),
    },
    async (request) => {
      const { workspace, params, body } = request;
      const current = requireFound(await store.mcpGrants.get(workspace.id, params.id));
      if (body.tool_pack_id === current.tool_pack_id) return current;
      const changed = await change(store, request, async ({ mcpGrants, toolPacks }) => {
        await assertToolPack(toolPacks, workspace.id, body.tool_pack_id);
        return mcpGrants.update(workspace.id, current.id, body);
      });
      await coordination.invalidate("key", current.id);
      return requireFound(changed);
    },
  );

  app.delete(
    "/v1/mcp-grants/:id",
    {
      schema: route("deleteMcpGrant", "connections:write", "Revoke what an MCP client is allowed to do", {
        action: "mcp_grant.delete",
        params: IdParameter,
        200: Success,
        description: "The client's tokens stop working immediately.",
      }),
    },
    async (request) => {
      const { workspace, caller } = request;
      const { id } = request.params;
      const isDeleted = await change(store, request, ({ mcpGrants }) => mcpGrants.delete(workspace.id, id, caller));
      if (!isDeleted) throw notFound();
      await coordination.invalidate("key", id);
      return { success: true };
    },
  );
}
