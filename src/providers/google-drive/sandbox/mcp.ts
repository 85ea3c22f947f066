import type { EmulatedTool } from "../../../contracts/emulator.ts";
import { path } from "../../../provider-kit/request.ts";

const FIELDS = "id,name,mimeType,size,createdTime,modifiedTime,webViewLink,parents";
const EVERYWHERE = { supportsAllDrives: "true", includeItemsFromAllDrives: "true" };
const paging = { pageSize: { type: "integer" }, pageToken: { type: "string" } };
const fields = `nextPageToken,files(${FIELDS})`;

/** The server's own search terms, in those of the API. */
const toSearch = (query: string) =>
  query.replace(/\btitle\b/g, "name").replace(/parentId\s*=\s*('(?:[^'\\]|\\.)*')/g, "$1 in parents");

// Names and arguments are those of Google's own server:
// https://developers.google.com/workspace/drive/api/reference/mcp
export const mcp: Record<string, EmulatedTool> = {
  search_files: {
    description: "Search for Drive files with a structured query",
    input: { query: { type: "string" } },
    optional: paging,
    request: ({ query, pageSize, pageToken }) => ({
      path: "/drive/v3/files",
      query: { q: toSearch(query), fields, pageSize, pageToken, ...EVERYWHERE },
    }),
  },
  list_recent_files: {
    description: "List recent files of the user",
    input: {},
    optional: paging,
    request: ({ pageSize, pageToken }) => ({
      path: "/drive/v3/files",
      query: { q: "trashed = false", fields, pageSize, pageToken, ...EVERYWHERE },
    }),
  },
  get_file_metadata: {
    description: "Get general metadata about a Drive file",
    input: { fileId: { type: "string" } },
    request: ({ fileId }) => ({
      path: path`/drive/v3/files/${fileId}`,
      query: { fields: FIELDS, supportsAllDrives: "true" },
    }),
  },
};
