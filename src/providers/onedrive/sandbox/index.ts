import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { emulate, refuse, reply } from "../../../emulator-kit/emulator.ts";
import { fileReply } from "../../../emulator-kit/file.ts";
import { entity, errorReply, graphEmulator, listReply, me, paginate } from "../../../emulator-kit/microsoft-graph.ts";
import { changes } from "./changes.ts";
import { contentOf, makeState, type State } from "./data.ts";
import { childrenOf, failure, items } from "./items.ts";
import { continueUpload, createUploadSession, upload } from "./upload.ts";

const PAGES = { defaultSize: 200, maxSize: 999 };

function listChanges(request: EmulatedRequest, { drives, ownDrive }: State): EmulatedReply {
  const changes = drives.get(ownDrive)!.map(({ parentReference: { path: _, ...parentReference }, ...item }) => ({
    ...item,
    parentReference,
  }));
  const page = paginate(changes, request, { ...PAGES, parameter: "token" });
  const isLast = !("@odata.nextLink" in page);
  const deltaLink = isLast && { "@odata.deltaLink": `${request.origin}${request.path}?token=latest` };
  return listReply("Collection(driveItem)", { ...page, ...deltaLink });
}

const getItem = items.below((item) => entity("driveItems", item));

const listChildren = items.below((folder, request, state) =>
  listReply("Collection(driveItem)", paginate(childrenOf(folder, state), request, PAGES)),
);

/** https://learn.microsoft.com/en-us/graph/api/driveitem-get-content#response */
const redirectToContent = items.below(({ id, file, parentReference }, { origin }) => {
  if (!file) return errorReply(400, "invalidRequest", "The item has no content.");
  return reply(302, undefined, { location: `${origin}/download/${parentReference.driveId}/${id}?tempauth=v1.sandbox` });
});

/** The storage server, which knows nothing of tokens. */
const download = items.below((item, request, { contents }) => {
  if (!request.query.has("tempauth")) refuse(reply(404, "404 FILE NOT FOUND", { "content-type": "text/plain" }));
  const content = contents.has(item.id) ? contents.get(item.id) : contentOf(item);
  return fileReply(request, content, {
    "content-type": item.file?.mimeType ?? "application/octet-stream",
    "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(item.name!)}`,
    etag: item.eTag!,
  });
});

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
