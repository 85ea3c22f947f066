import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { emulate, reply } from "../../../emulator-kit/emulator.ts";
import { fileReply } from "../../../emulator-kit/file.ts";
import { collection, entity, errorReply, graphEmulator, me, paginate } from "../../../emulator-kit/microsoft-graph.ts";
import { changes } from "./changes.ts";
import { contentOf, makeState, type State } from "./data.ts";
import { childrenOf, driveOf, failure, findItem } from "./items.ts";
import { continueUpload, createUploadSession, upload } from "./upload.ts";

function listChanges(request: EmulatedRequest, state: State): EmulatedReply {
  const changes = state.drives.get(state.ownDrive)!.map(({ parentReference, ...item }) => {
    const { path: _, ...reference } = { path: undefined, ...parentReference };
    return { ...item, parentReference: reference };
  });
  const page = paginate(changes, request, { defaultSize: 200, maxSize: 999, parameter: "token" });
  const isLast = "value" in page && !page["@odata.nextLink"];
  const deltaLink = isLast ? { "@odata.deltaLink": `${request.origin}${request.path}?token=latest` } : {};
  return collection("Collection(driveItem)", { ...page, ...deltaLink });
}

function listChildren(request: EmulatedRequest, state: State): EmulatedReply {
  const folder = findItem(request, state);
  if (!folder) return failure(404);
  const children = childrenOf(state.drives.get(driveOf(request, state))!, folder);
  return collection("Collection(driveItem)", paginate(children, request, { defaultSize: 200, maxSize: 999 }));
}

function getItem(request: EmulatedRequest, state: State): EmulatedReply {
  const item = findItem(request, state);
  return item ? entity("driveItems", item) : failure(404);
}

/** https://learn.microsoft.com/en-us/graph/api/driveitem-get-content#response */
function redirectToContent(request: EmulatedRequest, state: State): EmulatedReply {
  const item = findItem(request, state);
  if (!item) return failure(404);
  if (!item.file) return errorReply(400, "invalidRequest", "The item has no content.");
  const location = `${request.origin}/download/${driveOf(request, state)}/${item.id}?tempauth=v1.sandbox`;
  return reply(302, undefined, { location });
}

/** The storage server, which knows nothing of tokens. */
function download(request: EmulatedRequest, state: State): EmulatedReply {
  const item = findItem(request, state);
  if (!item || !request.query.has("tempauth"))
    return reply(404, "404 FILE NOT FOUND", { "content-type": "text/plain" });
  const headers = {
    "content-type": item.file?.mimeType ?? "application/octet-stream",
    "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(item.name!)}`,
    etag: item.eTag!,
  };
  const content = state.contents.has(item.id) ? state.contents.get(item.id) : contentOf(item);
  return fileReply(request, content, headers);
}

export default emulate<State>({
  ...graphEmulator,
  state: makeState,
  changes,
  failure,
  routes: {
    "GET /v1.0/me": me,
    "GET /v1.0/me/drive": (_, { ownDrive }) => entity("drives", { id: ownDrive, driveType: "business" }),
    "GET /v1.0/me/drive/root/delta": listChanges,
    "GET /v1.0/me/drive/items/:item": getItem,
    "GET /v1.0/me/drive/items/:item/children": listChildren,
    "GET /v1.0/me/drive/items/:item/content": redirectToContent,
    "PUT /v1.0/me/drive/items/:item/:name/content": upload,
    "POST /v1.0/me/drive/items/:item/:name/createUploadSession": createUploadSession,
    "GET /v1.0/drives/:drive/items/:item": getItem,
    "GET /v1.0/drives/:drive/items/:item/children": listChildren,
    "GET /v1.0/drives/:drive/items/:item/content": redirectToContent,
    "PUT /v1.0/drives/:drive/items/:item/:name/content": upload,
    "POST /v1.0/drives/:drive/items/:item/:name/createUploadSession": createUploadSession,
    "GET /download/:drive/:item": download,
    "PUT /up/:session": continueUpload,
  },
  uploads: [
    "PUT /v1.0/me/drive/items/:item/:name/content",
    "PUT /v1.0/drives/:drive/items/:item/:name/content",
    "PUT /up/:session",
  ],
  open: ["GET /download/:drive/:item", "PUT /up/:session"],
});
