import { hash } from "node:crypto";
import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { emulate, isReply, reply } from "../../../emulator-kit/emulator.ts";
import { fileReply, readContentRange, uploadSessions } from "../../../emulator-kit/file.ts";
import { changes } from "./changes.ts";
import { makeState, type SandboxItem, type State, user } from "./data.ts";
import { mcp } from "./mcp.ts";
import { addUpload, findByName, readUpload, type UploadedFile } from "./upload.ts";

const MAX_PAGE_SIZE = 1000;
const PART_SIZE = 8 * 1024 * 1024;

const CODES: Readonly<Record<number, string>> = {
  400: "bad_request",
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  405: "method_not_allowed",
  429: "too_many_requests",
  500: "internal_server_error",
  503: "unavailable",
};

/** https://developer.box.com/guides/api-calls/permissions-and-errors/common-errors */
const errorReply = (status: number, message: string, headers?: Record<string, string>) =>
  reply(
    status,
    {
      type: "error",
      status,
      ...(CODES[status] ? { code: CODES[status] } : {}),
      help_url: "http://developers.box.com/docs/#errors",
      message,
      request_id: "sandbox",
    },
    headers,
  );

function failure(status: number): EmulatedReply {
  if (status === 401)
    return errorReply(status, "Unauthorized", {
      "www-authenticate": 'Bearer realm="Service", error="invalid_token"',
    });
  if (status === 429)
    return errorReply(status, "Request rate limit exceeded, please try again later", { "retry-after": "1" });
  return errorReply(status, (CODES[status] ?? `error ${status}`).replaceAll("_", " "));
}

const find = ({ items }: State, type: SandboxItem["type"], id: string) =>
  items.find((item) => item.type === type && item.id === id && item.item_status === "active");

/** The smallest representation of an item, which is part of every other one. */
const mini = ({ type, id, etag, sequence_id, name, url }: SandboxItem) => ({
  type,
  id,
  etag,
  sequence_id,
  name,
  ...(url === undefined ? {} : { url }),
});

/** An item with the requested fields, in addition to the smallest representation. */
function represent({ query }: EmulatedRequest, state: State, item: SandboxItem, standard: string[]): object {
  const { folder, ...fields } = item;
  const parent = folder === null ? undefined : find(state, "folder", folder);
  const whole: Record<string, unknown> = { ...fields, parent: parent ? mini(parent) : null };
  const names = query.get("fields")?.split(",") ?? standard;
  return {
    ...mini(item),
    ...Object.fromEntries(names.flatMap((name) => (whole[name] === undefined ? [] : [[name, whole[name]]]))),
  };
}

/** A route below a file or a folder, which refuses an unknown one. */
const itemRoute =
  (type: "file" | "folder", handle: (item: SandboxItem, request: EmulatedRequest, state: State) => EmulatedReply) =>
  (request: EmulatedRequest, state: State): EmulatedReply => {
    const { id = "" } = request.params;
    if (!/^\d+$/.test(id)) return failure(405);
    const item = find(state, type, id);
    return item ? handle(item, request, state) : failure(404);
  };

const STANDARD = ["size", "created_at", "modified_at", "parent", "item_status"];

const getItem = (type: "file" | "folder") =>
  itemRoute(type, (item, request, state) => reply(200, represent(request, state, item, STANDARD)));

/** Where a page starts, and how many items it has at most. */
function readPaging({ query }: EmulatedRequest): { start: number; limit: number } | EmulatedReply {
  const limit = Number(query.get("limit") ?? 100);
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= MAX_PAGE_SIZE)) return failure(400);
  if (query.get("usemarker") !== "true") return { start: Number(query.get("offset") ?? 0), limit };
  const marker = query.get("marker");
  if (marker === null) return { start: 0, limit };
  const start = /^offset:(\d+)$/.exec(Buffer.from(marker, "base64").toString())?.[1];
  return start === undefined ? failure(400) : { start: Number(start), limit };
}

const listItems = itemRoute("folder", (folder, request, state) => {
  const paging = readPaging(request);
  if (isReply(paging)) return paging;
  const { start, limit } = paging;
  const inside = state.items.filter((item) => item.folder === folder.id);
  const entries = inside.slice(start, start + limit).map((item) => represent(request, state, item, []));
  if (request.query.get("usemarker") !== "true")
    return reply(200, { total_count: inside.length, entries, offset: start, limit });
  const end = start + limit;
  const next_marker = end < inside.length ? Buffer.from(`offset:${end}`).toString("base64") : "";
  return reply(200, { entries, limit, next_marker });
});

function getMe({ query }: EmulatedRequest): EmulatedReply {
  const names = query.get("fields")?.split(",");
  const { type, id } = user;
  const selected = (names ?? []).map((name) => [name, user[name as keyof typeof user]]);
  return reply(200, names ? { type, id, ...Object.fromEntries(selected) } : user);
}

/** Really at `dl.boxcloud.com`, where the address alone is the permission. */
const redirectToStorage = itemRoute("file", (file, { origin }) =>
  reply(302, undefined, { location: `${origin}/d/1/sandbox-${file.id}/download` }),
);

function downloadFromStorage(request: EmulatedRequest, state: State): EmulatedReply {
  const file = find(state, "file", (request.params.address ?? "").replace("sandbox-", ""));
  if (!file) return failure(404);
  const name = encodeURIComponent(file.name);
  return fileReply(request, state.contents.get(file.id), {
    etag: `"${file.id}-${file.etag}"`,
    "content-disposition": `attachment;filename="download";filename*=UTF-8''${name}`,
  });
}

/** Why a file cannot be written; undefined if it can. */
function refuseUpload(state: State, upload: Omit<UploadedFile, "content">): EmulatedReply | undefined {
  if (/[/\\]|^\.{1,2}$/.test(upload.name)) return failure(400);
  if (!find(state, "folder", upload.folder)) return failure(404);
  const conflicts = findByName(state, upload);
  if (!conflicts) return undefined;
  return reply(409, {
    type: "error",
    status: 409,
    code: "item_name_in_use",
    context_info: { conflicts: mini(conflicts) },
    help_url: "http://developers.box.com/docs/#errors",
    message: "Item with the same name already exists",
    request_id: "sandbox",
  });
}

const store = (request: EmulatedRequest, state: State, upload: UploadedFile) =>
  refuseUpload(state, upload) ??
  reply(201, { total_count: 1, entries: [represent(request, state, addUpload(state, upload), STANDARD)] });

function uploadFile(request: EmulatedRequest, state: State): EmulatedReply {
  const upload = readUpload(request);
  return upload ? store(request, state, upload) : failure(400);
}

interface PiecewiseUpload {
  name: string;
  folder: string;
  size: number;
  parts: object[];
}

/** https://developer.box.com/guides/uploads/chunked */
function createUploadSession({ body, origin }: EmulatedRequest, state: State): EmulatedReply {
  const { folder_id, file_name, file_size } = body ?? {};
  if (!folder_id || !file_name || !Number.isInteger(file_size)) return failure(400);
  const details = { folder: String(folder_id), name: String(file_name), size: file_size, parts: [] };
  const refused = refuseUpload(state, details);
  if (refused) return refused;
  const { id } = uploadSessions<PiecewiseUpload>(state).begin(details);
  const address = `${origin}/api/2.0/files/upload_sessions/${id}`;
  return reply(201, {
    type: "upload_session",
    id,
    part_size: PART_SIZE,
    total_parts: Math.ceil(file_size / PART_SIZE),
    num_parts_processed: 0,
    session_expires_at: "2099-01-01T00:00:00Z",
    session_endpoints: {
      upload_part: address,
      commit: `${address}/commit`,
      abort: address,
      list_parts: `${address}/parts`,
      status: address,
      log_event: `${address}/log`,
    },
  });
}

function listParts({ params }: EmulatedRequest, state: State): EmulatedReply {
  const session = uploadSessions<PiecewiseUpload>(state).find(params.session);
  if (!session) return failure(404);
  const { parts } = session.details;
  return reply(200, { total_count: parts.length, entries: parts, offset: 0, limit: parts.length });
}

function uploadPart(request: EmulatedRequest, state: State): EmulatedReply {
  const uploads = uploadSessions<PiecewiseUpload>(state);
  const session = uploads.find(request.params.session);
  if (!session) return failure(404);
  const sha1 = hash("sha1", request.bytes);
  const digest = hash("sha1", request.bytes, "base64");
  const range = readContentRange(request);
  if (request.headers.digest !== `sha=${digest}` || !range) return failure(400);
  if (!uploads.append(session, range.start, request.bytes)) return failure(416);
  const part = { part_id: sha1.slice(0, 8), offset: range.start, size: request.bytes.length, sha1 };
  session.details.parts.push(part);
  return reply(200, { part });
}

function commitUpload(request: EmulatedRequest, state: State): EmulatedReply {
  const uploads = uploadSessions<PiecewiseUpload>(state);
  const session = uploads.find(request.params.session);
  if (!session) return failure(404);
  if (session.size !== session.details.size) return failure(400);
  const { name, folder } = session.details;
  return store(request, state, { name, folder, content: uploads.finish(session) });
}

const DOWNLOAD = "GET /d/1/:address/download";

export default emulate<State>({
  state: makeState,
  changes,
  failure,
  mcp,
  routes: {
    "GET /2.0/users/me": getMe,
    "GET /2.0/files/:id": getItem("file"),
    "GET /2.0/files/:id/content": redirectToStorage,
    "GET /2.0/folders/:id": getItem("folder"),
    "GET /2.0/folders/:id/items": listItems,
    "POST /api/2.0/files/content": uploadFile,
    "POST /api/2.0/files/upload_sessions": createUploadSession,
    "PUT /api/2.0/files/upload_sessions/:session": uploadPart,
    "GET /api/2.0/files/upload_sessions/:session/parts": listParts,
    "POST /api/2.0/files/upload_sessions/:session/commit": commitUpload,
    [DOWNLOAD]: downloadFromStorage,
  },
  open: [DOWNLOAD],
  tokenAnswer: ({ access_token, refresh_token, expires_in }) =>
    reply(200, { access_token, expires_in, restricted_to: [], refresh_token, token_type: "bearer" }),
});
