import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { reply } from "../../../emulator-kit/emulator.ts";
import { keepContent, readContentRange, readParts, uploadSessions } from "../../../emulator-kit/file.ts";
import { failureWithReason, selectFields } from "../../../emulator-kit/google.ts";
import { DRIVES, ROOT, type State, uploadedFile } from "./data.ts";
import { DEFAULT_FIELDS, invalid, isTrue, notFound } from "./replies.ts";

interface Metadata {
  name?: string;
  parents?: string[];
  mimeType?: string;
}

interface Upload extends Metadata {
  type: string;
  content: Buffer;
}

const OCTETS = "application/octet-stream";

/** Two parts: the metadata, and the content with its type. */
function readMultipart(request: EmulatedRequest): Upload | undefined {
  const [metadata, file] = readParts(request);
  if (!metadata || !file) return undefined;
  const [, type = OCTETS] = /^content-type: (.+)$/im.exec(file.headers) ?? [];
  return { ...(JSON.parse(String(metadata.content)) as Metadata), type, content: file.content };
}

function store(request: EmulatedRequest, state: State, { name = "Untitled", parents, type, content }: Upload) {
  const parent = parents?.[0] ?? ROOT;
  const isTop = parent === ROOT || parent === "root" || DRIVES.some(({ id }) => id === parent);
  const folder = state.files.find(({ id }) => id === parent);
  const needsSupport = folder?.driveId ?? (isTop && parent !== ROOT && parent !== "root");
  if ((!folder && !isTop) || (needsSupport && !isTrue(request, "supportsAllDrives"))) return notFound(parent);
  const file = uploadedFile(name, type, content, folder, parent === "root" ? ROOT : parent);
  state.files.push(file);
  keepContent(state.uploaded, file.id, content);
  return reply(200, selectFields(file, request.query.get("fields") ?? DEFAULT_FIELDS));
}

/** https://developers.google.com/workspace/drive/api/guides/manage-uploads */
export function uploadFile(request: EmulatedRequest, state: State): EmulatedReply {
  const { query, headers, body, bytes, origin, path } = request;
  switch (query.get("uploadType")) {
    case "media":
      return store(request, state, { type: headers["content-type"] ?? OCTETS, content: bytes });
    case "multipart": {
      const sent = readMultipart(request);
      return sent ? store(request, state, sent) : failureWithReason(400, { message: "Malformed multipart body." });
    }
    case "resumable": {
      const type = headers["x-upload-content-type"] ?? body?.mimeType ?? OCTETS;
      const { id } = uploadSessions<Omit<Upload, "content">>(state).begin({ ...body, type });
      const address = new URLSearchParams([...query, ["upload_id", id]]);
      return reply(200, "", { location: `${origin}${path}?${address}` });
    }
    default:
      return invalid("uploadType");
  }
}

/** Pieces of a resumable upload, each answered with what has arrived so far. */
export function continueUpload(request: EmulatedRequest, state: State): EmulatedReply {
  const uploads = uploadSessions<Omit<Upload, "content">>(state);
  const session = uploads.find(request.query.get("upload_id"));
  if (!session) return failureWithReason(404);
  const range = readContentRange(request);
  const isWhole = request.headers["content-range"] === undefined;
  if ((range || isWhole) && !uploads.append(session, range?.start ?? 0, request.bytes)) return failureWithReason(400);
  if (isWhole || session.size === range?.total)
    return store(request, state, { ...session.details, content: uploads.finish(session) });
  return reply(308, undefined, session.size > 0 ? { range: `bytes=0-${session.size - 1}` } : {});
}
