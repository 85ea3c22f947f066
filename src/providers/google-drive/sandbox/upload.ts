import {
  type EmulatedReply,
  type EmulatedRequest,
  googleFailureWithReason,
  googleFields,
  keepContent,
  linkTo,
  readContentRange,
  readParts,
  reply,
  uploadSessions,
} from "../../../emulator-kit/index.ts";
import { DRIVES, newFile, ROOT, type State } from "./data.ts";
import { DEFAULT_FIELDS, invalid, isTrue, notFound } from "./replies.ts";

interface Metadata {
  name?: string;
  parents?: string[];
  type?: string;
}

function store(request: EmulatedRequest, state: State, metadata: Metadata, content: Buffer): EmulatedReply {
  const { name = "Untitled", parents: [given = "root"] = [], type = "application/octet-stream" } = metadata;
  const parent = given === "root" ? ROOT : given;
  const folder = state.files.find(({ id }) => id === parent);
  const driveId = folder ? folder.driveId : DRIVES.find(({ id }) => id === parent)?.id;
  const isKnown = folder || driveId || parent === ROOT;
  if (!isKnown || (driveId && !isTrue(request, "supportsAllDrives"))) return notFound(parent);
  const now = new Date().toISOString();
  const times = { createdTime: now, modifiedTime: now };
  const file = newFile(name, type, parent, { size: String(content.length), ...times, ...(driveId && { driveId }) });
  state.files.push(file);
  keepContent(state.uploaded, file.id, content);
  return reply(200, googleFields(file, request.query.get("fields") ?? DEFAULT_FIELDS));
}

/** https://developers.google.com/workspace/drive/api/guides/manage-uploads */
export function uploadFile(request: EmulatedRequest, state: State): EmulatedReply {
  const { query, headers, body } = request;
  if (query.get("uploadType") === "resumable") {
    const type = headers["x-upload-content-type"];
    const { id } = uploadSessions<Metadata>(state).begin({ ...body, ...(type && { type }) });
    return reply(200, "", { location: linkTo(request, { upload_id: id }) });
  }
  // Two parts: the metadata, and the content with its type.
  const [metadata, file] = readParts(request);
  if (query.get("uploadType") !== "multipart" || !metadata || !file) return invalid("uploadType");
  const [, type] = /^content-type: (.+)$/im.exec(file.headers) ?? [];
  return store(request, state, { ...JSON.parse(String(metadata.content)), type }, file.content);
}

/** Pieces of a resumable upload, each answered with what has arrived so far. */
export function continueUpload(request: EmulatedRequest, state: State): EmulatedReply {
  const uploads = uploadSessions<Metadata>(state);
  const session = uploads.find(request.query.get("upload_id"));
  if (!session) return googleFailureWithReason(404);
  const range = readContentRange(request);
  if (!range || !uploads.append(session, range.start, request.bytes)) return googleFailureWithReason(400);
  if (session.size === range.total) return store(request, state, session.details, uploads.finish(session));
  return reply(308, undefined, { range: `bytes=0-${session.size - 1}` });
}
