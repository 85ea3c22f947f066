import {
  type EmulatedReply,
  type EmulatedRequest,
  graphEntity,
  graphError,
  keepContent,
  readContentRange,
  refuse,
  reply,
  times,
  uploadSessions,
} from "../../../emulator-kit/index.ts";
import { type Item, type State, uploaded } from "./data.ts";
import { besides, childrenOf, failure, items } from "./items.ts";

/** Where a file is going to be. */
interface Place {
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

/** The place that `…/items/<folder>:/<name>:/…` names. */
function findPlace(request: EmulatedRequest, state: State, behavior: string | undefined | null): Place {
  const [item, name] = [request.params.item!, request.params.name!].map((segment) => segment.replace(/:$/, ""));
  const folder = items.find({ ...request, params: { ...request.params, item: item! } }, state);
  if (!folder.folder) refuse(failure(404));
  if (!name || FORBIDDEN.test(name)) return refuse(failure(400));
  const taken = new Set(childrenOf(folder, state).map((one) => one.name));
  if (taken.has(name) && behavior !== "rename")
    refuse(graphError(409, "nameAlreadyExists", "An item with the same name already exists under the parent."));
  return { folder, name: freeName(name, taken) };
}

const OCTETS = "application/octet-stream";

function store(state: State, { folder, name }: Place, content: Buffer, type = OCTETS): EmulatedReply {
  const item = uploaded(100_000 + state.contents.size, name, type, content, folder);
  keepContent(state.contents, item.id, content);
  besides(folder, state).push(item);
  folder.folder!.childCount++;
  return graphEntity("driveItems", item, 201);
}

/** https://learn.microsoft.com/en-us/graph/api/driveitem-put-content */
export function upload(request: EmulatedRequest, state: State): EmulatedReply {
  const place = findPlace(request, state, request.query.get("@microsoft.graph.conflictBehavior"));
  return store(state, place, request.bytes, request.headers["content-type"]);
}

const EXPIRES = { expirationDateTime: "2099-01-01T00:00:00Z" };

/** https://learn.microsoft.com/en-us/graph/api/driveitem-createuploadsession */
export function createUploadSession(request: EmulatedRequest, state: State): EmulatedReply {
  const place = findPlace(request, state, request.body?.item?.["@microsoft.graph.conflictBehavior"]);
  const { id } = uploadSessions<Place>(state).begin(place);
  return reply(200, { uploadUrl: `${request.origin}/up/${id}`, ...EXPIRES, nextExpectedRanges: ["0-"] });
}

/** Really at another host, where the address alone is the permission. */
export function continueUpload(request: EmulatedRequest, state: State): EmulatedReply {
  const uploads = uploadSessions<Place>(state);
  const session = uploads.find(request.params.session) ?? refuse(failure(404));
  const range = readContentRange(request) ?? refuse(failure(400));
  if (!uploads.append(session, range.start, request.bytes))
    return graphError(416, "invalidRange", "The uploaded fragment overlaps with data that has already been received.");
  if (session.size === range.total) return store(state, session.details, uploads.finish(session));
  return reply(202, { ...EXPIRES, nextExpectedRanges: [`${session.size}-`] });
}
