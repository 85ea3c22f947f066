import Type from "typebox";
import { Fault } from "../../contracts/fault.ts";
import { type ProvenSignIn, userOf } from "../shared/mcp-sign-ins.ts";
import { McpGrantRecord, McpSignInRecord } from "../shared/platform-records/mcp-grant.ts";
import { closed } from "../shared/platform-records/schema.ts";
import { change } from "./change.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute, IdParameter, notFound } from "./route.ts";
import { CursorPaging, InputText, Success, toPage } from "./schemas.ts";
import { ownExternalId } from "./visible.ts";

const ProvenUser = Type.Object(
  { external_id: InputText(255, "your ID for the user whom you have signed in") },
  { title: "McpSignInProof", ...closed },
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
          "For a workspace with an `mcp_sign_in_url`: call this after you have signed the user in, and send their browser to `url`. There they decide what the client may do.",
      }),
    },
    async (request) => {
      const { workspace, caller } = request;
      const person = userOf(ownExternalId(caller, request.body.external_id)!);
      const { request: id } = request.params;
      const proven = await change(store, request, ({ mcpGrants }) => mcpGrants.proveSignIn(workspace.id, id, person));
      if (!proven) {
        const found = await store.mcpGrants.signIn(id);
        if (found?.workspace_id !== workspace.id) throw notFound();
        throw new Fault("conflict", "somebody else has signed in for this request: start again in the MCP client");
      }
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
