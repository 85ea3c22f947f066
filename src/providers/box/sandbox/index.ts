import {
  cut,
  type EmulatedReply,
  type EmulatedRequest,
  emulate,
  fileReply,
  hasWords,
  makeCursor,
  readCursor,
  refuse,
  reply,
  wholeNumber,
} from "../../../emulator-kit/index.ts";
import { changes } from "./changes.ts";
import { makeState, type SandboxItem, type State, user } from "./data.ts";
import { hookRoutes, hooks } from "./hooks.ts";
import { failure, files, folders, represent, select } from "./items.ts";
import { mcp } from "./mcp.ts";
import { listTemplates } from "./metadata.ts";
import { commitUpload, createUploadSession, uploadFile, uploadPart } from "./upload.ts";

/** With markers; pages by offset are not emulated. */
const listItems = folders.below((folder, request, state) => {
  const { query } = request;
  if (query.get("usemarker") !== "true") return failure(400);
  const limit = wholeNumber(query.get("limit"), { fallback: 100, max: 1000 }, () => failure(400));
  const start = readCursor<number>(query.get("marker") ?? makeCursor(0)) ?? refuse(failure(400));
  const inside = state.items.filter((item) => item.folder === folder.id);
  const { items, next } = cut(inside, start, limit);
  const entries = items.map((item) => represent(request, state, item, ""));
  return reply(200, { entries, limit, next_marker: next === undefined ? "" : makeCursor(next) });
});

/** https://developer.box.com/reference/get-search */
function searchItems(request: EmulatedRequest, state: State): EmulatedReply {
  const { query } = request;
  const limit = wholeNumber(query.get("limit"), { fallback: 30, max: 200 }, () => failure(400));
  const offset = wholeNumber(query.get("offset"), { fallback: 0, min: 0, max: 10_000 }, () => failure(400));
  const ancestor = query.get("ancestor_folder_ids");
  const isBelow = ({ folder }: SandboxItem): boolean => {
    if (ancestor === null || folder === ancestor) return true;
    const parent = state.items.find(({ id }) => id === folder);
    return parent !== undefined && isBelow(parent);
  };
  const found = state.items.filter(
    (item) =>
      item.folder !== null &&
      item.item_status === "active" &&
      hasWords(query.get("query") ?? "", item.name) &&
      isBelow(item),
  );
  const entries = cut(found, offset, limit).items.map((item) => represent(request, state, item, ""));
  return reply(200, { total_count: found.length, limit, offset, type: "search_results_items", entries });
}

/** Really at `dl.boxcloud.com`, where the address alone is the permission. */
const DOWNLOAD = "GET /d/1/:id/download";

const download = files.below((file, request, { contents }) =>
  fileReply(request, contents.get(file.id), {
    etag: `"${file.id}-${file.etag}"`,
    "content-disposition": `attachment;filename="download";filename*=UTF-8''${encodeURIComponent(file.name)}`,
  }),
);

export default emulate<State>({
  state: makeState,
  changes,
  hooks,
  failure,
  mcp,
  routes: {
    "GET /2.0/users/me": ({ query }) => reply(200, select(user, `type,id,${query.get("fields") ?? Object.keys(user)}`)),
    "GET /2.0/files/:id": files.get,
    "GET /2.0/files/:id/content": files.below(({ id }, { origin }) =>
      reply(302, undefined, { location: `${origin}/d/1/${id}/download` }),
    ),
    "GET /2.0/metadata_templates/enterprise": listTemplates,
    "GET /2.0/search": searchItems,
    "GET /2.0/folders/:id": folders.get,
    "GET /2.0/folders/:id/items": listItems,
    "POST /api/2.0/files/content": uploadFile,
    "POST /api/2.0/files/upload_sessions": createUploadSession,
    "PUT /api/2.0/files/upload_sessions/:session": uploadPart,
    "POST /api/2.0/files/upload_sessions/:session/commit": commitUpload,
    [DOWNLOAD]: download,
    ...hookRoutes,
  },
  open: [DOWNLOAD],
  tokenAnswer: ({ access_token, refresh_token, expires_in }) =>
    reply(200, { access_token, expires_in, restricted_to: [], refresh_token, token_type: "bearer" }),
});
