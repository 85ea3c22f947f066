import type { EmulatedTool } from "../../../emulator-kit/index.ts";
import { path } from "../../../provider-kit/index.ts";

// Names as on Box's MCP server: https://developer.box.com/guides/box-mcp/tools
export const mcp: Record<string, EmulatedTool> = {
  who_am_i: {
    description: "Get the authenticated user",
    input: {},
    request: () => ({ path: "/2.0/users/me" }),
  },
  get_file_details: {
    description: "Get information about a file",
    input: { file_id: { type: "string" } },
    request: ({ file_id }) => ({ path: path`/2.0/files/${file_id}` }),
  },
  list_folder_content_by_folder_id: {
    description: "List the files, folders and web links in a folder",
    input: { folder_id: { type: "string" } },
    optional: { limit: { type: "number" }, marker: { type: "string" } },
    request: ({ folder_id, limit, marker }) => ({
      path: path`/2.0/folders/${folder_id}/items`,
      query: { usemarker: "true", limit, marker },
    }),
  },
};
