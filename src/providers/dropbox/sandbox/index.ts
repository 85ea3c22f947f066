import {
  bearerToken,
  type Content,
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
  uploadSessions,
  wholeNumber,
} from "../../../emulator-kit/index.ts";
import { headerJson } from "../requests.ts";
import { changes } from "./changes.ts";
import { account, makeState, type SandboxEntry, type SandboxFile, type State } from "./data.ts";
import { hooks } from "./hooks.ts";
import { find, type UploadArguments, write } from "./upload.ts";

/** A tag of a union, with the tag inside it: `path/not_found`. The summary ends with dots, so that nobody compares it. */
const errorReply = (status: number, outer: string, inner?: string) =>
  reply(status, {
    error_summary: `${inner ? `${outer}/${inner}` : outer}/..`,
    error: { ".tag": outer, ...(inner && { [outer]: { ".tag": inner } }) },
  });

const functionName = ({ path }: EmulatedRequest) => path.replace(/^\/2\//, "");

const badInput = (request: EmulatedRequest, problem: string) =>
  reply(400, `Error in call to API function "${functionName(request)}": ${problem}`);

const TAGS: Record<number, [outer: string, inner?: string]> = {
  401: ["invalid_access_token"],
  403: ["team_access_denied"],
  409: ["path", "not_found"],
};

/** https://www.dropbox.com/developers/documentation/http/documentation#error-handling */
function failure(status: number, request: EmulatedRequest): EmulatedReply {
  const tags = TAGS[status];
  if (tags) return errorReply(status, ...tags);
  if (status === 400) return badInput(request, "request body: could not decode input as JSON");
  const error = { reason: { ".tag": "too_many_requests" }, retry_after: 1 };
  if (status === 429) return reply(status, { error_summary: "too_many_requests/..", error }, { "retry-after": "1" });
  return reply(status, `Dropbox cannot serve ${functionName(request)} at the moment`);
}

const findEntry = (state: State, path: string) => find(state, path) ?? refuse(errorReply(409, "path", "not_found"));

interface Walk {
  /** In lower case; empty for the top. */
  folder: string;
  recursive: boolean;
  limit: number;
  start: number;
}

function pageOf({ entries }: State, walk: Walk): EmulatedReply {
  const { folder, recursive, limit, start } = walk;
  const within = ({ path_lower }: SandboxEntry) =>
    recursive ? path_lower.startsWith(`${folder}/`) : path_lower.slice(0, path_lower.lastIndexOf("/")) === folder;
  const all = entries.filter(within);
  // The limit is approximate: "there can be slightly more entries returned in some cases".
  const end = start + limit + (start % 2);
  // Entries that were deleted after the walk began appear on its later pages, whatever `include_deleted` says.
  const found = all.slice(start, end).filter((entry) => start > 0 || entry[".tag"] !== "deleted");
  const cursor = makeCursor({ ...walk, start: Math.min(end, all.length) });
  return reply(200, { entries: found, cursor, has_more: end < all.length });
}

function listFolder(request: EmulatedRequest, state: State): EmulatedReply {
  const { path, recursive = false, limit: wanted } = request.body ?? {};
  // The root folder is an empty string.
  if (typeof path !== "string" || path === "/") return badInput(request, "request body: path: did not match pattern");
  const limit = wholeNumber(wanted, { fallback: 500, max: 2000 }, () =>
    badInput(request, "request body: limit: invalid"),
  );
  if (path === "") return pageOf(state, { folder: "", recursive, limit, start: 0 });
  const folder = findEntry(state, path);
  if (folder[".tag"] === "file") return errorReply(409, "path", "not_folder");
  return pageOf(state, { folder: folder.path_lower, recursive, limit, start: 0 });
}

function continueList(request: EmulatedRequest, state: State): EmulatedReply {
  const { cursor, ...others } = request.body ?? {};
  // Arguments of the first page are refused.
  const unknown = ["path", "recursive", "limit"].find((name) => name in others);
  if (unknown) return badInput(request, `request body: unknown field '${unknown}'`);
  return pageOf(state, readCursor<Walk>(String(cursor)) ?? refuse(errorReply(409, "reset")));
}

interface Search {
  query: string;
  limit: number;
  start: number;
}

function foundPage({ entries }: State, search: Search): EmulatedReply {
  const { query, limit, start } = search;
  const found = entries.filter((entry) => entry[".tag"] !== "deleted" && hasWords(query, entry.name));
  const { items, next } = cut(found, start, limit);
  return reply(200, {
    matches: items.map((metadata) => ({
      metadata: { ".tag": "metadata", metadata },
      match_type: { ".tag": "filename" },
    })),
    has_more: next !== undefined,
    ...(next !== undefined && { cursor: makeCursor({ ...search, start: next }) }),
  });
}

function searchFiles(request: EmulatedRequest, state: State): EmulatedReply {
  const { query, options = {} } = request.body ?? {};
  if (typeof query !== "string") return badInput(request, "request body: missing required field 'query'");
  const limit = wholeNumber(options.max_results, { fallback: 100, max: 1000 }, () =>
    badInput(request, "request body: options: max_results: invalid"),
  );
  return foundPage(state, { query, limit, start: 0 });
}

function continueSearch(request: EmulatedRequest, state: State): EmulatedReply {
  const { cursor, ...others } = request.body ?? {};
  if ("query" in others) return badInput(request, "request body: unknown field 'query'");
  return foundPage(state, readCursor<Search>(String(cursor)) ?? refuse(errorReply(409, "reset")));
}

function getMetadata(request: EmulatedRequest, state: State): EmulatedReply {
  const { path } = request.body ?? {};
  if (typeof path !== "string" || !/^(\/.|id:)/s.test(path))
    return badInput(request, "request body: path: did not match pattern");
  return reply(200, findEntry(state, path));
}

const getCurrentAccount = (request: EmulatedRequest): EmulatedReply =>
  ["", "null"].includes(String(request.bytes))
    ? reply(200, account)
    : badInput(request, "request body: expected null, got value");

/** The arguments of a content request, which are in its header. */
function readArguments<Arguments>(request: EmulatedRequest): Arguments {
  const header = request.headers["dropbox-api-arg"] ?? "";
  if (!/^[\x20-\x7e]+$/.test(header)) refuse(badInput(request, 'HTTP header "Dropbox-API-Arg": missing or not ASCII'));
  return JSON.parse(header);
}

/** The file that a content request names, and its metadata as the header of the answer has it. */
function requestedFile(request: EmulatedRequest, state: State) {
  const file = findEntry(state, readArguments<UploadArguments>(request).path);
  if (file[".tag"] !== "file") return refuse(errorReply(409, "path", "not_file"));
  const { ".tag": _, ...metadata } = file;
  return { file, metadata, content: state.contents.get(file.id) };
}

function sendFile(request: EmulatedRequest, { rev }: SandboxFile, content: Content | undefined, result: object) {
  return fileReply(request, content, { etag: `W/"${rev}"`, "dropbox-api-result": headerJson(result) });
}

function download(request: EmulatedRequest, state: State): EmulatedReply {
  const { file, metadata, content } = requestedFile(request, state);
  return file.is_downloadable ? sendFile(request, file, content, metadata) : errorReply(409, "unsupported_file");
}

function exportFile(request: EmulatedRequest, state: State): EmulatedReply {
  const { file, metadata: file_metadata, content = "" } = requestedFile(request, state);
  if (file.is_downloadable) return errorReply(409, "non_exportable");
  const export_metadata = { name: file.name, size: Buffer.byteLength(content) };
  return sendFile(request, file, content, { export_metadata, file_metadata });
}

function readUpload<Arguments>(request: EmulatedRequest): Arguments {
  if (request.headers["content-type"] !== "application/octet-stream")
    refuse(badInput(request, 'Bad HTTP "Content-Type" header. Expecting "application/octet-stream".'));
  return readArguments(request);
}

function commit(state: State, args: UploadArguments, content: Buffer): EmulatedReply {
  const { ".tag": _, ...metadata } = write(state, args, content);
  return reply(200, metadata);
}

function startSession(request: EmulatedRequest, state: State): EmulatedReply {
  readUpload(request);
  const uploads = uploadSessions(state);
  const session = uploads.begin({});
  uploads.append(session, 0, request.bytes);
  return reply(200, { session_id: session.id });
}

interface PieceArguments {
  cursor: { session_id: string; offset: number };
  commit?: UploadArguments;
}

/** Appends a piece to an upload, the last one of which also says where the file is to be. */
function continueSession(request: EmulatedRequest, state: State): EmulatedReply {
  const args = readUpload<PieceArguments>(request);
  const uploads = uploadSessions(state);
  const session = uploads.find(args.cursor.session_id);
  const isAppended = session && uploads.append(session, args.cursor.offset, request.bytes);
  if (!session || !isAppended) {
    const error = session ? { ".tag": "incorrect_offset", correct_offset: session.size } : { ".tag": "not_found" };
    const lookup = { ".tag": "lookup_failed", lookup_failed: error };
    return reply(409, { error_summary: `${error[".tag"]}/..`, error: args.commit ? lookup : error });
  }
  return args.commit ? commit(state, args.commit, uploads.finish(session)) : reply(200, null);
}

export default emulate<State>({
  state: makeState,
  changes,
  hooks,
  failure,
  unauthorized: (_, reason) => errorReply(401, reason === "expired" ? "expired_access_token" : "invalid_access_token"),
  routes: {
    "POST /2/users/get_current_account": getCurrentAccount,
    "POST /2/files/list_folder": listFolder,
    "POST /2/files/list_folder/continue": continueList,
    "POST /2/files/search_v2": searchFiles,
    "POST /2/files/search/continue_v2": continueSearch,
    "POST /2/files/get_metadata": getMetadata,
    "POST /2/files/download": download,
    "GET /2/files/download": download,
    "POST /2/files/export": exportFile,
    "GET /2/files/export": exportFile,
    "POST /2/files/upload": (request, state) => commit(state, readUpload(request), request.bytes),
    "POST /2/files/upload_session/start": startSession,
    "POST /2/files/upload_session/append_v2": continueSession,
    "POST /2/files/upload_session/finish": continueSession,
    "POST /2/auth/token/revoke": (request, _, tokens) => {
      tokens.revoke(bearerToken(request) ?? "");
      return reply(200, null);
    },
  },
  // A refresh returns no new refresh token, and the existing one stays valid.
  tokenAnswer: ({ access_token, refresh_token, expires_in, scope }) =>
    reply(200, {
      access_token,
      token_type: "bearer",
      expires_in,
      ...(refresh_token ? { refresh_token, scope, uid: "12345", account_id: account.account_id } : {}),
    }),
});
