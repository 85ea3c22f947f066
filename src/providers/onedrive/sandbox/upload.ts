import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { times } from "../../../emulator-kit/data.ts";
import { reply } from "../../../emulator-kit/emulator.ts";
import { keepContent, readContentRange, uploadSessions } from "../../../emulator-kit/file.ts";
import { entity, errorReply } from "../../../emulator-kit/microsoft-graph.ts";
import { type Item, type State, uploaded } from "./data.ts";
import { childrenOf, driveOf, failure, findItem } from "./items.ts";

/** Where a file is going to be. */
interface Place {
  items: Item[];
  folder: Item;
  name: string;
}

/** `Plan 1.docx` if there is a `Plan.docx` already. */
function freeName(name: string, taken: Set<string | undefined>): string {
  const dot = name.lastIndexOf(".") > 0 ? name.lastIndexOf(".") : name.length;
  const names = [name, ...times(taken.size, (index) => `${name.slice(0, dot)} ${index + 1}${name.slice(dot)}`)];
  return names.find((one) => !taken.has(one))!;
}

const FORBIDDEN = /["*:<>?/\\|]/;

/** The place that `…/items/<folder>:/<name>:/…` names, or why it cannot be written to. */
function findPlace(request: EmulatedRequest, state: State, behavior: string | null): Place | EmulatedReply {
  const [folderId, name] = [request.params.item!, request.params.name!].map((segment) => segment.replace(/:$/, ""));
  const folder = findItem({ params: { ...request.params, item: folderId! } }, state);
  if (!folder?.folder) return failure(404);
  if (!name || FORBIDDEN.test(name))
    return errorReply(400, "invalidRequest", "The name in the provided oneDriveItem is blocked.");
  const items = state.drives.get(driveOf(request, state))!;
  const taken = new Set(childrenOf(items, folder).map((one) => one.name));
  if (taken.has(name) && behavior !== "rename")
    return errorReply(409, "nameAlreadyExists", "An item with the same name already exists under the parent.");
  return { items, folder, name: freeName(name, taken) };
}

function store(state: State, { items, folder, name }: Place, type: string, content: Buffer): EmulatedReply {
  const item = uploaded(100_000 + state.contents.size, name, type, content, folder);
  keepContent(state.contents, item.id, content);
  items.push(item);
  folder.folder!.childCount++;
  return entity("driveItems", item, 201);
}

const OCTETS = "application/octet-stream";

/** https://learn.microsoft.com/en-us/graph/api/driveitem-put-content */
export function upload(request: EmulatedRequest, state: State): EmulatedReply {
  const place = findPlace(request, state, request.query.get("@microsoft.graph.conflictBehavior"));
  return "status" in place ? place : store(state, place, request.headers["content-type"] ?? OCTETS, request.bytes);
}

const EXPIRES = { expirationDateTime: "2099-01-01T00:00:00Z" };

/** https://learn.microsoft.com/en-us/graph/api/driveitem-createuploadsession */
export function createUploadSession(request: EmulatedRequest, state: State): EmulatedReply {
  const place = findPlace(request, state, request.body?.item?.["@microsoft.graph.conflictBehavior"] ?? null);
  if ("status" in place) return place;
  const { id } = uploadSessions<Place>(state).begin(place);
  return reply(200, { uploadUrl: `${request.origin}/up/${id}`, ...EXPIRES, nextExpectedRanges: ["0-"] });
}

/** Really at another host, where the address alone is the permission. */
export function continueUpload(request: EmulatedRequest, state: State): EmulatedReply {
  const uploads = uploadSessions<Place>(state);
  const session = uploads.find(request.params.session);
  if (!session) return failure(404);
  const range = readContentRange(request);
  if (!range) return failure(400);
  if (!uploads.append(session, range.start, request.bytes))
    return errorReply(416, "invalidRange", "The uploaded fragment overlaps with data that has already been received.");
  if (session.size === range.total) return store(state, session.details, OCTETS, uploads.finish(session));
  return reply(202, { ...EXPIRES, nextExpectedRanges: [`${session.size}-`] });
}
