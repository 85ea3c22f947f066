import { hash } from "node:crypto";
import {
  countWritten,
  type EmulatedReply,
  type EmulatedRequest,
  hour,
  keepContent,
  readContentRange,
  readParts,
  refuse,
  reply,
  toSecond,
  uploadSessions,
} from "../../../emulator-kit/index.ts";
import type { SandboxItem, State } from "./data.ts";
import { errorReply, failure, folders, mini, represent } from "./items.ts";

const PART_SIZE = 8 * 1024 * 1024;
/** After every other file of the sandbox. */
const FIRST_HOUR = 9_000;

/** Where a file is going to be. */
interface Target {
  name: string;
  folder: string;
}

/** Refuses a file that cannot be written. Names are compared without regard to case. */
function checkTarget(request: EmulatedRequest, state: State, { name, folder }: Target): void {
  if (/[/\\]|^\.{1,2}$/.test(name)) refuse(failure(400));
  folders.find({ ...request, params: { id: folder } }, state);
  const taken = state.items.find((item) => item.folder === folder && item.name.toLowerCase() === name.toLowerCase());
  if (!taken) return;
  const context_info = { conflicts: mini(taken) };
  refuse(errorReply(409, "Item with the same name already exists", { code: "item_name_in_use", context_info }));
}

function store(request: EmulatedRequest, state: State, { name, folder }: Target, content: Buffer): EmulatedReply {
  checkTarget(request, state, { name, folder });
  const index = countWritten(state);
  const time = toSecond(hour(FIRST_HOUR + index)).replace("Z", "+00:00");
  const file: SandboxItem = {
    ...{ type: "file", etag: "0", name, folder, item_status: "active", size: content.length },
    id: String(1_900_000_001_000 + index),
    created_at: time,
    modified_at: time,
  };
  state.items.push(file);
  keepContent(state.contents, file.id, content);
  return reply(201, { total_count: 1, entries: [represent(request, state, file)] });
}

/** A form, which has the file's attributes first. */
export function uploadFile(request: EmulatedRequest, state: State): EmulatedReply {
  const [attributes, file] = readParts(request);
  if (!/\bname="attributes"/.test(attributes?.headers ?? "") || !/\bname="file"/.test(file?.headers ?? ""))
    return failure(400);
  const { name, parent } = JSON.parse(String(attributes!.content));
  return name && parent?.id ? store(request, state, { name, folder: parent.id }, file!.content) : failure(400);
}

const uploadsOf = (state: State) => uploadSessions<Target & { size: number }>(state);

/** https://developer.box.com/guides/uploads/chunked */
export function createUploadSession(request: EmulatedRequest, state: State): EmulatedReply {
  const { folder_id, file_name, file_size: size } = request.body ?? {};
  if (!folder_id || !file_name || !Number.isInteger(size)) return failure(400);
  const target = { folder: String(folder_id), name: String(file_name), size };
  checkTarget(request, state, target);
  const { id } = uploadsOf(state).begin(target);
  const address = `${request.origin}/api/2.0/files/upload_sessions/${id}`;
  return reply(201, {
    type: "upload_session",
    id,
    part_size: PART_SIZE,
    total_parts: Math.ceil(size / PART_SIZE),
    num_parts_processed: 0,
    session_endpoints: { upload_part: address, commit: `${address}/commit` },
  });
}

export function uploadPart(request: EmulatedRequest, state: State): EmulatedReply {
  const { bytes, headers, params } = request;
  const session = uploadsOf(state).find(params.session) ?? refuse(failure(404));
  const range = readContentRange(request);
  if (headers.digest !== `sha=${hash("sha1", bytes, "base64")}` || !range) return failure(400);
  if (!uploadsOf(state).append(session, range.start, bytes)) return failure(416);
  const sha1 = hash("sha1", bytes);
  return reply(200, { part: { part_id: sha1.slice(0, 8), offset: range.start, size: bytes.length, sha1 } });
}

export function commitUpload(request: EmulatedRequest, state: State): EmulatedReply {
  const session = uploadsOf(state).find(request.params.session) ?? refuse(failure(404));
  if (session.size !== session.details.size) return failure(400);
  return store(request, state, session.details, uploadsOf(state).finish(session));
}
