import {
  type EmulatedReply,
  type EmulatedRequest,
  type EmulatedRoute,
  emulate,
  fileReply,
  graphEmulator,
  graphEntity,
  graphError,
  graphList,
  graphMe,
  graphPaginate,
  graphSelected,
  hasWords,
  refuse,
  reply,
} from "../../../emulator-kit/index.ts";
import { changes } from "./changes.ts";
import { contentOf, type Item, makeState, type State } from "./data.ts";
import { hookRoutes, hooks } from "./hooks.ts";
import { besides, childrenOf, failure, items } from "./items.ts";
import { continueUpload, createUploadSession, upload } from "./upload.ts";

const PAGES = { defaultSize: 200, maxSize: 999 };

/** As changes and searches have an item. */
const withoutPath = ({ parentReference: { path: _, ...parentReference }, ...item }: Item): Item => ({
  ...item,
  parentReference,
});

function listChanges(request: EmulatedRequest, { drives, ownDrive }: State): EmulatedReply {
  const changes = drives.get(ownDrive)!.map(withoutPath);
  const page = graphPaginate(changes, request, { ...PAGES, parameter: "token" });
  const isLast = !("@odata.nextLink" in page);
  const deltaLink = isLast && { "@odata.deltaLink": `${request.origin}${request.path}?token=latest` };
  return graphList("Collection(driveItem)", { ...page, ...deltaLink });
}

/** A route about the top of the user's own drive. */
const atTop =
  (handle: (root: Item, request: EmulatedRequest, state: State) => EmulatedReply): EmulatedRoute<State> =>
  (request, state) =>
    handle(state.drives.get(state.ownDrive)!.find(({ root }) => root)!, request, state);

const getItem = items.below((item) => graphEntity("driveItems", item));

const listChildren = items.below((folder, request, state) =>
  graphList("Collection(driveItem)", graphPaginate(childrenOf(folder, state), request, PAGES)),
);

/** Everything below a folder. https://learn.microsoft.com/en-us/graph/api/driveitem-search */
function searchBelow(folder: Item, request: EmulatedRequest, state: State): EmulatedReply {
  const [, text] = /^search\(q='([\p{L}\p{N}\p{M}. _-]+)'\)$/u.exec(request.params.search!) ?? refuse(failure(400));
  const all = besides(folder, state);
  const isBelow = ({ parentReference: { id } }: Item): boolean =>
    id === folder.id || all.some((parent) => parent.id === id && isBelow(parent));
  const found = all.filter((item) => !item.deleted && hasWords(text!, item.name) && isBelow(item));
  return graphList("Collection(driveItem)", graphPaginate(found.map(withoutPath), request, PAGES));
}

/** https://learn.microsoft.com/en-us/graph/api/driveitem-get-content#response */
const redirectToContent = items.below(({ id, file, parentReference }, { origin }) => {
  if (!file) return graphError(400, "invalidRequest", "The item has no content.");
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
  hooks,
  failure,
  routes: {
    "GET /v1.0/me": graphMe,
    "GET /v1.0/me/drive": (_, { ownDrive }) => graphEntity("drives", { id: ownDrive, driveType: "business" }),
    "GET /v1.0/me/drive/root/delta": listChanges,
    "GET /v1.0/me/drive/root": atTop((root, { query }) => graphEntity("driveItems", graphSelected(root, query))),
    "GET /v1.0/me/drive/root/:search": atTop(searchBelow),
    "GET /v1.0/me/drive/items/:item": getItem,
    "GET /v1.0/me/drive/items/:item/children": listChildren,
    "GET /v1.0/me/drive/items/:item/content": redirectToContent,
    "GET /v1.0/me/drive/items/:item/:search": items.below(searchBelow),
    "PUT /v1.0/me/drive/items/:item/:name/content": upload,
    "POST /v1.0/me/drive/items/:item/:name/createUploadSession": createUploadSession,
    "GET /v1.0/drives/:drive/items/:item": getItem,
    "GET /v1.0/drives/:drive/items/:item/children": listChildren,
    "GET /v1.0/drives/:drive/items/:item/content": redirectToContent,
    "GET /v1.0/drives/:drive/items/:item/:search": items.below(searchBelow),
    "PUT /v1.0/drives/:drive/items/:item/:name/content": upload,
    "POST /v1.0/drives/:drive/items/:item/:name/createUploadSession": createUploadSession,
    "GET /download/:drive/:item": download,
    "PUT /up/:session": continueUpload,
    ...hookRoutes,
  },
  uploads: [
    "PUT /v1.0/me/drive/items/:item/:name/content",
    "PUT /v1.0/drives/:drive/items/:item/:name/content",
    "PUT /up/:session",
  ],
  open: ["GET /download/:drive/:item", "PUT /up/:session"],
});
