import {
  collection,
  type EmulatedReply,
  type EmulatedRequest,
  emulate,
  fileReply,
  googleEmulator,
  googleFailureWithReason,
  googleFields,
  googlePage,
  refuse,
  reply,
} from "../../../emulator-kit/index.ts";
import { exportFormat } from "../export-formats.ts";
import { changes } from "./changes.ts";
import { contentOf, DRIVES, type File, FOLDER, ME, makeState, ROOT, type State } from "./data.ts";
import { hookRoutes, hooks } from "./hooks.ts";
import { mcp } from "./mcp.ts";
import { DEFAULT_FIELDS, invalid, isTrue, notFound } from "./replies.ts";
import { parseSearch } from "./search.ts";
import { continueUpload, uploadFile } from "./upload.ts";

/** The folder at the top of My Drive. */
const root = ({ files }: State): File => {
  const { parents: _, size: __, ...like } = files[0]!;
  return { ...like, id: ROOT, name: "My Drive", mimeType: FOLDER };
};

const files = collection({
  items: (state: State, request) =>
    [root(state), ...state.files].filter(({ driveId }) => !driveId || isTrue(request, "supportsAllDrives")),
  names: ({ id }) => (id === ROOT ? [ROOT, "root"] : [id]),
  notFound: ({ params }) => notFound(params.id!),
});

/** The files that a request searches. */
function corpusOf(request: EmulatedRequest, { files, opened }: State, isInFolder: boolean): File[] {
  const driveId = request.query.get("driveId");
  const corpora = request.query.get("corpora") ?? "user";
  const withDrives = isTrue(request, "includeItemsFromAllDrives");
  if (withDrives && !isTrue(request, "supportsAllDrives")) refuse(invalid("supportsAllDrives"));
  if ((corpora === "drive") !== (driveId !== null)) refuse(invalid("driveId"));
  if (!withDrives) return corpora === "user" ? files.filter((file) => !file.driveId) : refuse(invalid("corpora"));
  if (corpora === "drive") {
    if (!DRIVES.some(({ id }) => id === driveId))
      refuse(googleFailureWithReason(404, { message: `Shared drive not found: ${driveId}`, parameter: "driveId" }));
    return files.filter((file) => file.driveId === driveId);
  }
  if (isInFolder || corpora === "allDrives") return files;
  return files.filter((file) => !file.driveId || opened.has(file.id));
}

const PAGES = { size: "pageSize", refusal: invalid };

function listFiles(request: EmulatedRequest, state: State): EmulatedReply {
  const { query } = request;
  const search = parseSearch((query.get("q") ?? "").replaceAll("'root' in parents", `'${ROOT}' in parents`));
  const folders = new Set([ROOT, ...DRIVES.map(({ id }) => id), ...state.files.map(({ id }) => id)]);
  // Google does not say which one it is.
  if (!search.folders.every((id) => folders.has(id))) return notFound("");
  const corpus = corpusOf(request, state, search.folders.length > 0);
  const { page, nextPageToken } = googlePage(corpus.filter(search.matches), request, {
    ...PAGES,
    defaultSize: 100,
    maxSize: 1000,
    sameParameters: ["q", "corpora", "driveId", "orderBy"],
    shortPages: true,
  });
  const body = { kind: "drive#fileList", nextPageToken, incompleteSearch: false, files: page };
  const fields = query.get("fields") ?? `kind,incompleteSearch,nextPageToken,files(${DEFAULT_FIELDS})`;
  return reply(200, googleFields(body, fields));
}

function listDrives(request: EmulatedRequest): EmulatedReply {
  const options = { ...PAGES, defaultSize: 10, maxSize: 100, sameParameters: [] };
  const { page, nextPageToken } = googlePage(DRIVES, request, options);
  const drives = page.map((drive) => ({ kind: "drive#drive", ...drive }));
  return reply(200, googleFields({ kind: "drive#driveList", nextPageToken, drives }, request.query.get("fields")));
}

const getFile = files.below((file, request, { uploaded }) => {
  if (request.query.get("alt") !== "media")
    return reply(200, googleFields(file, request.query.get("fields") ?? DEFAULT_FIELDS));
  if (file.mimeType.startsWith("application/vnd.google-apps."))
    return googleFailureWithReason(403, {
      reason: "fileNotDownloadable",
      message: "Only files with binary content can be downloaded. Use Export with Docs Editors files.",
    });
  const content = uploaded.has(file.id) ? uploaded.get(file.id) : contentOf(file);
  return fileReply(request, content, { etag: `"${file.id}"`, "content-type": file.mimeType });
});

/** Unlike `getFile`, the export of a shared drive's file needs no parameter. */
function exportFile({ params, query }: EmulatedRequest, { files }: State): EmulatedReply {
  const file = files.find(({ id }) => id === params.id) ?? refuse(notFound(params.id!));
  const mimeType = query.get("mimeType");
  const format = exportFormat(file.mimeType);
  if (!format || mimeType !== format.mimeType) return invalid("mimeType", "The requested conversion is not supported.");
  if (file.name === "Too large to export")
    return googleFailureWithReason(403, {
      reason: "exportSizeLimitExceeded",
      message: "This file is too large to be exported.",
    });
  return reply(200, `${file.id} as ${mimeType}`, { "content-type": mimeType });
}

function about({ query }: EmulatedRequest): EmulatedReply {
  const fields =
    query.get("fields") ?? refuse(invalid("fields", "The 'fields' parameter is required for this method."));
  return reply(200, googleFields({ kind: "drive#about", user: ME }, fields));
}

export default emulate<State>({
  ...googleEmulator,
  state: makeState,
  changes,
  hooks,
  failure: (status) => googleFailureWithReason(status),
  routes: {
    "GET /drive/v3/about": about,
    "GET /drive/v3/drives": listDrives,
    "GET /drive/v3/files": listFiles,
    "GET /drive/v3/files/:id": getFile,
    "GET /drive/v3/files/:id/export": exportFile,
    "POST /upload/drive/v3/files": uploadFile,
    "PUT /upload/drive/v3/files": continueUpload,
    ...hookRoutes,
  },
  uploads: ["POST /upload/drive/v3/files", "PUT /upload/drive/v3/files"],
  mcp,
});
