import type { EmulatedReply, EmulatedRequest } from "../../contracts/emulator.ts";
import { emulate, reply } from "../../provider-kit/emulator.ts";
import {
  collection,
  entity,
  errorReply,
  failures,
  graphEmulator,
  me,
  paginate,
} from "../../provider-kit/microsoft-graph-emulator.ts";
import { times } from "../../provider-kit/sandbox-data.ts";
import { changes } from "./sandbox-changes.ts";
import { contentOf, type Item, makeState, type State, uploaded } from "./sandbox-data.ts";

/** https://learn.microsoft.com/en-us/graph/errors#code-property */
const failure = failures({
  400: ["invalidRequest", "The request is malformed or incorrect."],
  403: ["accessDenied", "The caller doesn't have permission to perform the action."],
  404: ["itemNotFound", "The resource could not be found."],
  429: ["activityLimitReached", "The app or user has been throttled."],
  500: ["generalException", "An unspecified error has occurred."],
  503: ["serviceNotAvailable", "The service is not available."],
});

const driveOf = ({ params }: EmulatedRequest, { ownDrive }: State): string => params.drive ?? ownDrive;

function findItem(request: EmulatedRequest, state: State): Item | undefined {
  const items = state.drives.get(driveOf(request, state)) ?? [];
  const { item: id } = request.params;
  return items.find((one) => (id === "root" ? one.root : one.id === id) && !one.deleted);
}

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

const childrenOf = (items: Item[], { id }: Item): Item[] =>
  items.filter(({ parentReference, deleted }) => "id" in parentReference && parentReference.id === id && !deleted);

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

/** `Plan 1.docx` if there is a `Plan.docx` already. */
function freeName(name: string, taken: Set<string | undefined>): string {
  const dot = name.lastIndexOf(".") > 0 ? name.lastIndexOf(".") : name.length;
  const names = [name, ...times(taken.size, (index) => `${name.slice(0, dot)} ${index + 1}${name.slice(dot)}`)];
  return names.find((one) => !taken.has(one))!;
}

const FORBIDDEN = /["*:<>?/\\|]/;

/** `…/items/<folder>:/<name>:/content` https://learn.microsoft.com/en-us/graph/api/driveitem-put-content */
function upload(request: EmulatedRequest, state: State): EmulatedReply {
  const [folderId, name] = [request.params.item!, request.params.name!].map((segment) => segment.replace(/:$/, ""));
  const folder = findItem({ ...request, params: { ...request.params, item: folderId! } }, state);
  if (!folder?.folder) return failure(404);
  if (!name || FORBIDDEN.test(name))
    return errorReply(400, "invalidRequest", "The name in the provided oneDriveItem is blocked.");
  const items = state.drives.get(driveOf(request, state))!;
  const taken = new Set(childrenOf(items, folder).map((one) => one.name));
  const behavior = request.query.get("@microsoft.graph.conflictBehavior");
  if (taken.has(name) && behavior !== "rename")
    return errorReply(409, "nameAlreadyExists", "An item with the same name already exists under the parent.");
  const type = request.headers["content-type"] ?? "application/octet-stream";
  const item = uploaded(100_000 + state.contents.size, freeName(name, taken), type, request.text, folder);
  state.contents.set(item.id, request.text);
  items.push(item);
  folder.folder.childCount++;
  return entity("driveItems", item, 201);
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
    "accept-ranges": "bytes",
  };
  const content = state.contents.get(item.id) ?? contentOf(item);
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
  if (from === undefined) return reply(200, content, headers);
  const bytes = Buffer.from(content);
  const end = Math.min(to ? Number(to) + 1 : bytes.length, bytes.length);
  return reply(206, bytes.subarray(Number(from), end).toString(), {
    ...headers,
    "content-range": `bytes ${from}-${end - 1}/${bytes.length}`,
  });
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
    "GET /v1.0/drives/:drive/items/:item": getItem,
    "GET /v1.0/drives/:drive/items/:item/children": listChildren,
    "GET /v1.0/drives/:drive/items/:item/content": redirectToContent,
    "PUT /v1.0/drives/:drive/items/:item/:name/content": upload,
    "GET /download/:drive/:item": download,
  },
  open: ["GET /download/:drive/:item"],
});
