import { type CategoryImplementation, type drive, fileRequest, path, upload } from "../../provider-kit/index.ts";
import { type GraphItem, itemPath, prefixOf, toFile } from "./records.ts";

/** Larger files need an upload in pieces. */
const MAX_UPLOAD = 250 * 1024 * 1024;

/** A name as part of an address, which cannot have control characters. */
const namePath = (name: string): string => path`${name.replace(/\p{Cc}+/gu, " ")}`;

export const writes: CategoryImplementation<typeof drive.operations> = {
  // A file with the same name is never replaced: the new one gets another name, such as `Plan 1.docx`.
  // https://learn.microsoft.com/en-us/graph/api/driveitem-put-content
  uploadFile: upload({
    maxSize: MAX_UPLOAD,
    target: ({ input: { name, folder_id = "root" } }) => ({
      request: fileRequest("PUT", `${itemPath(folder_id)}:/${namePath(name)}:/content`, {
        "@microsoft.graph.conflictBehavior": "rename",
      }),
    }),
    record: (item: GraphItem, { input }) => toFile(item, prefixOf(input.folder_id)),
  }),
};
