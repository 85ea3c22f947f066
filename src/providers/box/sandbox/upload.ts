import type { EmulatedRequest } from "../../../contracts/emulator.ts";
import { hour } from "../../../emulator-kit/data.ts";
import { countWritten } from "../../../emulator-kit/emulator.ts";
import { keepContent, readParts } from "../../../emulator-kit/file.ts";
import type { SandboxItem, State } from "./data.ts";

/** A file as it is uploaded. */
export interface UploadedFile {
  name: string;
  folder: string;
  content: Buffer;
}

/** After every other file of the sandbox. */
const FIRST_HOUR = 8_000;

/** The file in a form, which has its attributes first; undefined if the form is invalid. */
export function readUpload(request: EmulatedRequest): UploadedFile | undefined {
  const [attributes, file] = readParts(request);
  if (!attributes || !/\bname="attributes"/.test(attributes.headers) || !/\bname="file"/.test(file?.headers ?? ""))
    return undefined;
  const { name, parent } = JSON.parse(String(attributes.content)) as { name?: string; parent?: { id?: string } };
  return name && parent?.id ? { name, folder: parent.id, content: file!.content } : undefined;
}

/** Names are compared without regard to case. */
export const findByName = ({ items }: State, { folder, name }: Omit<UploadedFile, "content">) =>
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
    size: content.length,
  };
  state.items.push(file);
  keepContent(state.contents, file.id, content);
  return file;
}
