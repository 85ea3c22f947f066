import type { EmulatedReply, EmulatedRequest } from "../contracts/emulator.ts";
import { countWritten, reply } from "./emulator.ts";

/** Generated files have text, uploaded ones the bytes that were sent. */
export type Content = string | Buffer;

/** By the id of the file; undefined if the content of an uploaded one was dropped. */
export type Contents = Map<string, Content | undefined>;

/**
 * A file's content as a storage server sends it: the whole, one range of it, or 304 if the client has it already.
 * https://www.rfc-editor.org/rfc/rfc9110#section-14
 */
export function fileReply(
  { headers: sent }: Pick<EmulatedRequest, "headers">,
  content: Content | undefined,
  { etag, ...headers }: Record<string, string> & { etag: string },
): EmulatedReply {
  if (content === undefined) return reply(410, "The sandbox no longer has the content of this file");
  if (sent["if-none-match"] === etag) return reply(304, undefined, { etag });
  const common = { "content-type": "application/octet-stream", "accept-ranges": "bytes", etag, ...headers };
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(sent.range ?? "") ?? [];
  if (first === "" && last === "") return reply(200, content, common);
  const bytes = Buffer.from(content);
  const start = first === "" ? Math.max(bytes.length - Number(last), 0) : Number(first);
  const end = first === "" || last === "" ? bytes.length : Math.min(Number(last) + 1, bytes.length);
  if (start >= end) return reply(416, "", { "content-range": `bytes */${bytes.length}` });
  const range = `bytes ${start}-${end - 1}/${bytes.length}`;
  return reply(206, bytes.subarray(start, end), { ...common, "content-range": range });
}

/** How much of what was uploaded an emulator keeps. */
const MAX_KEPT_BYTES = 256 * 1024 * 1024;
const kept = new WeakMap<object, Map<string, number>>();

/** Keeps an uploaded file; the content of the oldest ones is dropped, so that memory stays bounded. */
export function keepContent(contents: Contents, id: string, content: Buffer): void {
  const sizes = kept.get(contents) ?? new Map<string, number>();
  kept.set(contents, sizes);
  contents.set(id, content);
  sizes.set(id, content.length);
  let total = sizes.values().reduce((sum, size) => sum + size, 0);
  for (const [oldest, size] of sizes) {
    if (total <= MAX_KEPT_BYTES) return;
    total -= size;
    sizes.delete(oldest);
    contents.set(oldest, undefined);
  }
}

export interface Part {
  /** As sent, without the empty line at the end. */
  headers: string;
  content: Buffer;
}

/** The parts of a multipart body in their order; none if it is not one. */
export function readParts({ headers, bytes }: EmulatedRequest): Part[] {
  const [, quoted, plain] =
    /^multipart\/.*;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(headers["content-type"] ?? "") ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return [];
  const parts: Part[] = [];
  // The line break before a boundary belongs to it, and the first one may have none.
  const whole = Buffer.concat([Buffer.from("\r\n"), bytes]);
  const delimiter = `\r\n--${boundary}`;
  for (let start = whole.indexOf(delimiter); start >= 0; ) {
    const end = whole.indexOf(delimiter, start + delimiter.length);
    if (end < 0) return parts;
    const part = whole.subarray(start + delimiter.length + 2, end);
    const body = part.indexOf("\r\n\r\n");
    if (body >= 0) parts.push({ headers: part.toString("utf8", 0, body), content: part.subarray(body + 4) });
    start = end;
  }
  return parts;
}

/** A file that is uploaded in pieces. */
export interface UploadSession<Details> {
  id: string;
  details: Details;
  pieces: Buffer[];
  size: number;
}

const MAX_SESSIONS = 4;
const MAX_SESSION_BYTES = 64 * 1024 * 1024;
const sessions = new WeakMap<object, Map<string, UploadSession<unknown>>>();

/** The unfinished uploads of an emulator. */
export function uploadSessions<Details>(state: object) {
  const open = (sessions.get(state) ?? new Map()) as Map<string, UploadSession<Details>>;
  sessions.set(state, open);
  return {
    begin(details: Details): UploadSession<Details> {
      const session = { id: `upload-${countWritten(state)}`, details, pieces: [], size: 0 };
      open.set(session.id, session);
      if (open.size > MAX_SESSIONS) open.delete(open.keys().next().value!);
      return session;
    },
    find: (id: string | null | undefined) => open.get(id ?? ""),
    /** False if the piece does not follow on the last one, or the file becomes too large. */
    append(session: UploadSession<Details>, offset: number, piece: Buffer): boolean {
      if (offset !== session.size || session.size + piece.length > MAX_SESSION_BYTES) return false;
      session.pieces.push(piece);
      session.size += piece.length;
      return true;
    },
    finish(session: UploadSession<Details>): Buffer {
      open.delete(session.id);
      return Buffer.concat(session.pieces);
    },
  };
}

/** Where a piece of a file is: `bytes 0-1023/4096`. */
export function readContentRange({
  headers,
}: EmulatedRequest): { start: number; end: number; total: number } | undefined {
  const [, start, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers["content-range"] ?? "") ?? [];
  return start === undefined ? undefined : { start: Number(start), end: Number(last) + 1, total: Number(total) };
}
