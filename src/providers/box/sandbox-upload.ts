import type { EmulatedRequest } from "../../contracts/emulator.ts";
import { countWritten } from "../../provider-kit/emulator.ts";
import { hour } from "../../provider-kit/sandbox-data.ts";
import type { SandboxItem, State } from "./sandbox-data.ts";

/** A file as it is uploaded. */
interface UploadedFile {
  name: string;
  folder: string;
  content: string;
}

/** After every other file of the sandbox. */
const FIRST_HOUR = 8_000;

/** The parts of a form in their order. */
function readForm({ headers, text }: EmulatedRequest): [name: string, content: string][] {
  const boundary = /^multipart\/form-data; boundary=(\S+)$/.exec(headers["content-type"] ?? "")?.[1];
  if (!boundary) return [];
  return text.split(`--${boundary}`).flatMap((part): [string, string][] => {
    const [, name, content] = /^\r\n.*?\bname="(\w+)".*?\r\n\r\n(.*)\r\n$/s.exec(part) ?? [];
    return name === undefined ? [] : [[name, content!]];
  });
}

/** The file in a form, which has its attributes first; undefined if the form is invalid. */
export function readUpload(request: EmulatedRequest): UploadedFile | undefined {
  const [[first, json] = [], [second, content] = []] = readForm(request);
  if (first !== "attributes" || second !== "file") return undefined;
  const { name, parent } = JSON.parse(json!) as { name?: string; parent?: { id?: string } };
  return name && parent?.id ? { name, folder: parent.id, content: content! } : undefined;
}

/** Names are compared without regard to case. */
export const findByName = ({ items }: State, { folder, name }: UploadedFile) =>
  items.find((item) => item.folder === folder && item.name.toLowerCase() === name.toLowerCase());

export function addUpload(state: State, { name, folder, content }: UploadedFile): SandboxItem {
  const index = 1_000 + countWritten(state);
  const time = hour(FIRST_HOUR + index)
    .toISOString()
    .replace(".000Z", "+00:00");
  const file: SandboxItem = {
    type: "file",
    id: String(1_900_000_000_000 + index),
    etag: "0",
    sequence_id: "0",
    name,
    folder,
    created_at: time,
    modified_at: time,
    item_status: "active",
    size: Buffer.byteLength(content),
  };
  state.items.push(file);
  state.contents.set(file.id, content);
  return file;
}
