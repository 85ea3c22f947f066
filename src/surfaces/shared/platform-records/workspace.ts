import Type, { type Static } from "typebox";
import { NullableText, Shape, Text } from "../../../categories/schema.ts";

export const WorkspaceRecord = Shape("Workspace", {
  id: Text(),
  name: Text(),
  client_id: Text("The workspace's public id in the connect flow"),
  redirect_uris: Type.Array(Text(), { description: "Addresses that the connect flow may redirect to" }),
  logo_url: NullableText("The logo on the pages of the connect flow; loaded by the user's browser"),
  accent_color: NullableText("The color of the main button on these pages, such as #1f5fbf"),
  mcp_sign_in_url: NullableText(
    "The page of your application that signs its users in for MCP clients; null if people sign in at Plugboard",
  ),
  mcp_tool_pack_id: NullableText("The tool pack that limits the MCP clients that people sign in from now on"),
});
export type WorkspaceRecord = Static<typeof WorkspaceRecord>;
