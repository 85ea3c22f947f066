import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { emulate, reply } from "../../../emulator-kit/emulator.ts";
import { fileReply } from "../../../emulator-kit/file.ts";
import {
  failureWithReason,
  googleHeaders,
  googlePage,
  googleTokenFailure,
  selectFields,
} from "../../../emulator-kit/google.ts";
import { exportFormat } from "../export-formats.ts";
import { changes } from "./changes.ts";
import { contentOf, DRIVES, type File, FOLDER, ME, makeState, ROOT, type State } from "./data.ts";
import { mcp } from "./mcp.ts";
import { DEFAULT_FIELDS, invalid, isTrue, notFound } from "./replies.ts";
import { parseSearch } from "./search.ts";
import { continueUpload, uploadFile } from "./upload.ts";

function findFile(request: EmulatedRequest, state: State): File | undefined {
  const { id } = request.params;
  if (id === "root" || id === ROOT) return root(state);
  const file = state.files.find((one) => one.id === id);
  return file?.driveId && !isTrue(request, "supportsAllDrives") ? undefined : file;
}

/** The folder at the top of My Drive. */
const root = ({ files }: State): File => {
  const { parents: _, size: __, ...like } = files[0]!;
  return { ...like, id: ROOT, name: "My Drive", mimeType: FOLDER };
};

/** The files that a request searches; a failure if the parameters contradict each other. */
function corpusOf(request: EmulatedRequest, { files, opened }: State, inFolder: boolean): File[] | EmulatedReply {
  const driveId = request.query.get("driveId");
  const corpora = request.query.get("corpora") ?? "user";
  const withDrives = isTrue(request, "includeItemsFromAllDrives");
  if (withDrives && !isTrue(request, "supportsAllDrives"))
    return invalid("supportsAllDrives", "includeItemsFromAllDrives requires supportsAllDrives.");
  if ((corpora === "drive") !== (driveId !== null))
    return invalid("driveId", "The driveId parameter must be specified if and only if corpora is set to drive.");
  if (!withDrives) return corpora === "user" ? files.filter((file) => !file.driveId) : invalid("corpora");
  if (corpora === "drive") {
    if (!DRIVES.some(({ id }) => id === driveId))
      return failureWithReason(404, { message: `Shared drive not found: ${driveId}`, parameter: "driveId" });
    return files.filter((file) => file.driveId === driveId);
  }
  if (inFolder || corpora === "allDrives") return files;
  return files.filter((file) => !file.driveId || opened.has(file.id));
}

function listFiles(request: EmulatedRequest, state: State): EmulatedReply {
  const { query } = request;
  const search = parseSearch((query.get("q") ?? "").replaceAll("'root' in parents", `'${ROOT}' in parents`));
  if (!search) return invalid("q");
  const isFolder = (id: string) =>
    id === ROOT || DRIVES.some((drive) => drive.id === id) || state.files.some((file) => file.id === id);
  // Google does not say which one it is.
  if (!search.folders.every(isFolder)) return notFound("");
  const corpus = corpusOf(request, state, search.folders.length > 0);
  if (!Array.isArray(corpus)) return corpus;
  const found = googlePage(corpus.filter(search.matches), request, {
    size: "pageSize",
    defaultSize: 100,
    maxSize: 1000,
    sameParameters: ["q", "corpora", "driveId", "orderBy"],
    shortPages: true,
  });
  if ("invalid" in found) return invalid(found.invalid);
  const body = { kind: "drive#fileList", ...found.nextPageToken, incompleteSearch: false, files: found.page };
  const fields = query.get("fields") ?? `kind,incompleteSearch,nextPageToken,files(${DEFAULT_FIELDS})`;
  return reply(200, selectFields(body, fields));
}

function listDrives(request: EmulatedRequest): EmulatedReply {
  const drives = DRIVES.map((drive) => ({ kind: "drive#drive", ...drive }));
  const options = { size: "pageSize", defaultSize: 10, maxSize: 100, sameParameters: ["q"] };
  const found = googlePage(drives, request, options);
  if ("invalid" in found) return invalid(found.invalid);
  const body = { kind: "drive#driveList", ...found.nextPageToken, drives: found.page };
  return reply(200, selectFields(body, request.query.get("fields")));
}

function getFile(request: EmulatedRequest, state: State): EmulatedReply {
  const file = findFile(request, state);
  if (!file) return notFound(request.params.id!);
  if (request.query.get("alt") !== "media")
    return reply(200, selectFields(file, request.query.get("fields") ?? DEFAULT_FIELDS));
  if (file.mimeType.startsWith("application/vnd.google-apps."))
    return failureWithReason(403, {
      reason: "fileNotDownloadable",
      message: "Only files with binary content can be downloaded. Use Export with Docs Editors files.",
      parameter: "alt",
    });
  const content = state.uploaded.has(file.id) ? state.uploaded.get(file.id) : contentOf(file);
  return fileReply(request, content, { etag: `"${file.id}"`, "content-type": file.mimeType });
}

/** Unlike `getFile`, the export of a shared drive's file needs no parameter. */
function exportFile({ params, query }: EmulatedRequest, { files }: State): EmulatedReply {
  const file = files.find(({ id }) => id === params.id);
  const mimeType = query.get("mimeType");
  if (!file) return notFound(params.id!);
  if (!mimeType) return failureWithReason(400, { reason: "required", message: "Required parameter: mimeType" });
  const format = exportFormat(file.mimeType);
  if (!format)
    return failureWithReason(403, {
      reason: "fileNotExportable",
      message: "Export only supports Docs Editors files.",
    });
  if (mimeType !== format.mimeType && mimeType !== "application/pdf")
    return failureWithReason(400, { message: "The requested conversion is not supported.", parameter: "convertTo" });
  if (file.name === "Too large to export")
    return failureWithReason(403, {
      reason: "exportSizeLimitExceeded",
      message: "This file is too large to be exported.",
    });
  return reply(200, `${file.id} as ${mimeType}`, { "content-type": mimeType });
}

function about({ query }: EmulatedRequest): EmulatedReply {
  const fields = query.get("fields");
  if (!fields)
    return failureWithReason(400, {
      reason: "required",
      message: "The 'fields' parameter is required for this method.",
      parameter: "fields",
    });
  return reply(200, selectFields({ kind: "drive#about", user: ME }, fields));
}

export default emulate<State>({
  state: makeState,
  changes,
  failure: (status) => failureWithReason(status),
  headers: googleHeaders,
  routes: {
    "GET /drive/v3/about": about,
    "GET /drive/v3/drives": listDrives,
    "GET /drive/v3/files": listFiles,
    "GET /drive/v3/files/:id": getFile,
    "GET /drive/v3/files/:id/export": exportFile,
    "POST /upload/drive/v3/files": uploadFile,
    "PUT /upload/drive/v3/files": continueUpload,
  },
  uploads: ["POST /upload/drive/v3/files", "PUT /upload/drive/v3/files"],
  mcp,
  tokenFailure: googleTokenFailure,
});
