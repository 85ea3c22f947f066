import type { EmulatedTool } from "../../../emulator-kit/index.ts";
import { path } from "../../../provider-kit/index.ts";

const FIELDS = "id,name,mimeType,size,createdTime,modifiedTime,webViewLink,parents";

/** The server's own search terms, in those of the API. */
const toSearch = (query: string) =>
  query.replace(/\btitle\b/g, "name").replace(/parentId\s*=\s*('(?:[^'\\]|\\.)*')/g, "$1 in parents");

const search = (description: string, input: Record<string, object>): EmulatedTool => ({
  description,
  input,
  optional: { pageSize: { type: "integer" }, pageToken: { type: "string" } },
  request: ({ query = "trashed = false", pageSize, pageToken }) => ({
    path: "/drive/v3/files",
    query: {
      q: toSearch(query),
      fields: `nextPageToken,files(${FIELDS})`,
      pageSize,
      pageToken,
      supportsAllDrives: "true",
      includeItemsFromAllDrives: "true",
    },
  }),
});

// Names and arguments are those of Google's own server:
// https://developers.google.com/workspace/drive/api/reference/mcp
export const mcp: Record<string, EmulatedTool> = {
  search_files: search("Search for Drive files with a structured query", { query: { type: "string" } }),
  list_recent_files: search("List recent files of the user", {}),
  get_file_metadata: {
    description: "Get general metadata about a Drive file",
    input: { fileId: { type: "string" } },
    request: ({ fileId }) => ({
      path: path`/drive/v3/files/${fileId}`,
      query: { fields: FIELDS, supportsAllDrives: "true" },
    }),
  },
};
