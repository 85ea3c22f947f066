import type { EmulatedReply, EmulatedRequest } from "../contracts/emulator.ts";
import { reply } from "./emulator.ts";

/**
 * A file's content as a storage server sends it: the whole, one range of it, or 304 if the client has it already. A
 * range that cuts a character in two is not sent exactly. https://www.rfc-editor.org/rfc/rfc9110#section-14
 */
export function fileReply(
  { headers: sent }: Pick<EmulatedRequest, "headers">,
  content: string,
  { etag, ...headers }: Record<string, string> & { etag: string },
): EmulatedReply {
  if (sent["if-none-match"] === etag) return reply(304, undefined, { etag });
  const common = { "content-type": "application/octet-stream", "accept-ranges": "bytes", etag, ...headers };
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(sent.range ?? "") ?? [];
  if (first === "" && last === "") return reply(200, content, common);
  const bytes = Buffer.from(content);
  const start = first === "" ? Math.max(bytes.length - Number(last), 0) : Number(first);
  const end = first === "" || last === "" ? bytes.length : Math.min(Number(last) + 1, bytes.length);
  if (start >= end) return reply(416, "", { "content-range": `bytes */${bytes.length}` });
  const range = `bytes ${start}-${end - 1}/${bytes.length}`;
  return reply(206, bytes.subarray(start, end).toString(), { ...common, "content-range": range });
}
