import type { EmulatedReply, EmulatedRequest, RefusedToken } from "../../../contracts/emulator.ts";
import { emulate, isReply, reply } from "../../../emulator-kit/emulator.ts";
import { fileReply, uploadSessions } from "../../../emulator-kit/file.ts";
import { headerJson } from "../requests.ts";
import { changes } from "./changes.ts";
import { account, makeState, type SandboxEntry, type SandboxFile, type State } from "./data.ts";
import { find, type UploadArguments, write } from "./upload.ts";

/** A tag of a union, with the tag inside it: `path/not_found`. */
type Tags = [outer: string, inner?: string];

/** The summary ends with dots, so that nobody compares the whole of it. */
const errorReply = (status: number, [outer, inner]: Tags) =>
  reply(status, {
    error_summary: `${inner ? `${outer}/${inner}` : outer}/..`,
    error: { ".tag": outer, ...(inner ? { [outer]: { ".tag": inner } } : {}) },
  });

const functionName = ({ path }: EmulatedRequest) => path.replace(/^\/2\//, "");

const badInput = (request: EmulatedRequest, problem: string) =>
  reply(400, `Error in call to API function "${functionName(request)}": ${problem}`);

/** https://www.dropbox.com/developers/documentation/http/documentation#error-handling */
function failure(status: number, request: EmulatedRequest): EmulatedReply {
  switch (status) {
    case 400:
      return badInput(request, "request body: could not decode input as JSON");
    case 401:
      return errorReply(status, ["invalid_access_token"]);
    case 403:
      return errorReply(status, ["team_access_denied"]);
    case 409:
      return errorReply(status, ["path", "not_found"]);
    case 429:
      return reply(
        status,
        {
          error_summary: "too_many_requests/..",
          error: { reason: { ".tag": "too_many_requests" }, retry_after: 1 },
        },
        { "retry-after": "1" },
      );
    default:
      return reply(status, `Dropbox cannot serve ${functionName(request)} at the moment`);
  }
}

const unauthorized = (_: EmulatedRequest, reason: RefusedToken) =>
  errorReply(401, [reason === "expired" ? "expired_access_token" : "invalid_access_token"]);

const notFound = errorReply(409, ["path", "not_found"]);

interface Walk {
  /** In lower case; empty for the top. */
  folder: string;
  recursive: boolean;
  limit: number;
  start: number;
}

function pageOf({ entries }: State, walk: Walk): EmulatedReply {
  const { folder, recursive, limit, start } = walk;
  const within = (entry: SandboxEntry) =>
    recursive
      ? entry.path_lower.startsWith(`${folder}/`)
      : entry.path_lower.slice(0, entry.path_lower.lastIndexOf("/")) === folder;
  const all = entries.filter(within);
  // The limit is approximate: "there can be slightly more entries returned in some cases".
  const end = start + limit + (start % 2);
  // Entries that were deleted after the walk began appear on its later pages, whatever `include_deleted` says.
  const found = all.slice(start, end).filter((entry) => start > 0 || entry[".tag"] !== "deleted");
  const cursor = Buffer.from(JSON.stringify({ ...walk, start: Math.min(end, all.length) })).toString("base64url");
  return reply(200, { entries: found, cursor, has_more: end < all.length });
}

function listFolder(request: EmulatedRequest, state: State): EmulatedReply {
  const { path, recursive = false, limit = 500 } = request.body ?? {};
  if (typeof path !== "string") return badInput(request, "request body: missing required field 'path'");
  if (path === "/")
    return badInput(request, 'request body: path: Specify the root folder as an empty string rather than as "/".');
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= 2000))
    return badInput(request, `request body: limit: ${limit} is not within range [1, 2000]`);
  if (path === "") return pageOf(state, { folder: "", recursive, limit, start: 0 });
  const folder = find(state, path);
  if (!folder) return notFound;
  if (folder[".tag"] === "file") return errorReply(409, ["path", "not_folder"]);
  return pageOf(state, { folder: folder.path_lower, recursive, limit, start: 0 });
}

function readCursor(text: unknown): Walk | undefined {
  try {
    return JSON.parse(Buffer.from(String(text), "base64url").toString()) as Walk;
  } catch {
    return undefined;
  }
}

function continueList(request: EmulatedRequest, state: State): EmulatedReply {
  // Arguments of the first page are refused.
  const unknown = Object.keys(request.body ?? {}).find((name) => name in { path: 1, recursive: 1, limit: 1 });
  if (unknown) return badInput(request, `request body: unknown field '${unknown}'`);
  const walk = readCursor(request.body?.cursor);
  return walk ? pageOf(state, walk) : errorReply(409, ["reset"]);
}

function getMetadata(request: EmulatedRequest, state: State): EmulatedReply {
  const { path } = request.body ?? {};
  if (typeof path !== "string" || !/^(\/.|id:|rev:|ns:)/s.test(path))
    return badInput(request, "request body: path: did not match pattern");
  const entry = find(state, path);
  return entry ? reply(200, entry) : notFound;
}

function getCurrentAccount(request: EmulatedRequest): EmulatedReply {
  return request.bytes.length === 0 || String(request.bytes) === "null"
    ? reply(200, account)
    : badInput(request, "request body: expected null, got value");
}

/** The arguments of a content request, which are in its header. */
function readArguments(request: EmulatedRequest): UploadArguments | EmulatedReply {
  const header = request.headers["dropbox-api-arg"];
  if (header === undefined)
    return badInput(request, 'Must provide HTTP header "Dropbox-API-Arg" or URL parameter "arg".');
  if (/[^\x20-\x7e]/.test(header)) return badInput(request, 'HTTP header "Dropbox-API-Arg": not ASCII');
  return JSON.parse(header) as UploadArguments;
}

/** The file that a content request names. */
function requestedFile(request: EmulatedRequest, state: State): SandboxFile | EmulatedReply {
  const args = readArguments(request);
  if (isReply(args)) return args;
  const entry = find(state, args.path);
  if (!entry) return notFound;
  return entry[".tag"] === "file" ? entry : errorReply(409, ["path", "not_file"]);
}

function download(request: EmulatedRequest, state: State): EmulatedReply {
  const file = requestedFile(request, state);
  if (isReply(file)) return file;
  if (!file.is_downloadable) return errorReply(409, ["unsupported_file"]);
  const { ".tag": _, ...metadata } = file;
  return fileReply(request, state.contents.get(file.id), {
    etag: `W/"${file.rev}"`,
    "dropbox-api-result": headerJson(metadata),
  });
}

function exportFile(request: EmulatedRequest, state: State): EmulatedReply {
  const file = requestedFile(request, state);
  if (isReply(file)) return file;
  if (file.is_downloadable) return errorReply(409, ["non_exportable"]);
  const { ".tag": _, ...file_metadata } = file;
  const content = state.contents.get(file.id) ?? "";
  return fileReply(request, content, {
    etag: `W/"${file.rev}"`,
    "dropbox-api-result": headerJson({
      export_metadata: { name: file.name, size: Buffer.byteLength(content) },
      file_metadata,
    }),
  });
}

function uploadRequest<Arguments>(request: EmulatedRequest): Arguments | EmulatedReply {
  if (request.headers["content-type"] !== "application/octet-stream")
    return badInput(request, 'Bad HTTP "Content-Type" header. Expecting "application/octet-stream".');
  return readArguments(request) as Arguments | EmulatedReply;
}

function uploadFile(request: EmulatedRequest, state: State): EmulatedReply {
  const args = uploadRequest<UploadArguments>(request);
  return isReply(args) ? args : commit(state, args, request.bytes);
}

interface Cursor {
  session_id: string;
  offset: number;
}

function startSession(request: EmulatedRequest, state: State): EmulatedReply {
  const args = uploadRequest<object>(request);
  if (isReply(args)) return args;
  const uploads = uploadSessions(state);
  const session = uploads.begin({});
  uploads.append(session, 0, request.bytes);
  return reply(200, { session_id: session.id });
}

/** Appends a piece to an upload, the last one of which also says where the file is to be. */
function continueSession(request: EmulatedRequest, state: State): EmulatedReply {
  const args = uploadRequest<{ cursor: Cursor; commit?: UploadArguments }>(request);
  if (isReply(args)) return args;
  const uploads = uploadSessions(state);
  const session = uploads.find(args.cursor.session_id);
  const lookup = (error: object) => ({ ".tag": "lookup_failed", lookup_failed: error });
  const refuse = (error: { ".tag": string }) =>
    reply(409, { error_summary: `${error[".tag"]}/..`, error: args.commit ? lookup(error) : error });
  if (!session) return refuse({ ".tag": "not_found" });
  if (!uploads.append(session, args.cursor.offset, request.bytes))
    return refuse({ ".tag": "incorrect_offset", ...{ correct_offset: session.size } });
  return args.commit ? commit(state, args.commit, uploads.finish(session)) : reply(200, null);
}

function commit(state: State, args: UploadArguments, content: Buffer): EmulatedReply {
  const written = write(state, args, content);
  if ("reason" in written)
    return reply(409, {
      error_summary: `path/${written.reason[".tag"]}/..`,
      error: { ".tag": "path", ...written, upload_session_id: "pid_upload_session:sandbox" },
    });
  const { ".tag": _, ...metadata } = written;
  return reply(200, metadata);
}

export default emulate<State>({
  state: makeState,
  changes,
  failure,
  unauthorized,
  routes: {
    "POST /2/users/get_current_account": getCurrentAccount,
    "POST /2/files/list_folder": listFolder,
    "POST /2/files/list_folder/continue": continueList,
    "POST /2/files/get_metadata": getMetadata,
    "POST /2/files/download": download,
    "GET /2/files/download": download,
    "POST /2/files/export": exportFile,
    "GET /2/files/export": exportFile,
    "POST /2/files/upload": uploadFile,
    "POST /2/files/upload_session/start": startSession,
    "POST /2/files/upload_session/append_v2": continueSession,
    "POST /2/files/upload_session/finish": continueSession,
    "POST /2/auth/token/revoke": (request, _, tokens) => {
      tokens.revoke(request.headers.authorization?.replace(/^Bearer /, "") ?? "");
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
