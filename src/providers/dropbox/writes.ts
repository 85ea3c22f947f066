import { type CategoryImplementation, type drive, invalidInput, upload } from "../../provider-kit/index.ts";
import { type DropboxEntry, toFile, toPath } from "./records.ts";
import { postContent } from "./requests.ts";

/** Larger files need an upload in pieces. */
const MAX_UPLOAD = 150 * 1024 * 1024;

/** Where a new file goes: a path, or one relative to the ID of a folder. */
function newPath(name: string, folder: string): string {
  if (!name.includes("/")) return `${toPath(folder)}/${name}`;
  throw invalidInput({ path: ["query", "name"], message: "must not contain a slash: pass the folder as `folder_id`" });
}

export const writes: CategoryImplementation<typeof drive.operations> = {
  // https://www.dropbox.com/developers/documentation/http/documentation#files-upload
  uploadFile: upload({
    maxSize: MAX_UPLOAD,
    target: ({ input: { name, folder_id = "/" } }) => ({
      // An existing file stays as it is. The same content is not written again, and other content gets another name.
      request: postContent("/files/upload", { path: newPath(name, folder_id), mode: "add", autorename: true }),
      // No other type is accepted.
      contentType: "application/octet-stream",
    }),
    record: (file: Omit<DropboxEntry, ".tag">) => toFile({ ...file, ".tag": "file" }),
  }),
};
