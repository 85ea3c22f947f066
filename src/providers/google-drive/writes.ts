import { type CategoryImplementation, type drive, fileRequest, upload } from "../../provider-kit/index.ts";
import { fieldsFor } from "./custom-fields.ts";
import { FIND_EVERYWHERE, toFile } from "./records.ts";

export const writes: CategoryImplementation<typeof drive.operations> = {
  // Metadata and content in one request: https://developers.google.com/workspace/drive/api/guides/manage-uploads
  uploadFile: upload({
    target({ input: { name, folder_id }, writeKey, select }, { contentType }) {
      const boundary = `part-${writeKey}`;
      const metadata = JSON.stringify({ name, parents: folder_id === undefined ? undefined : [folder_id] });
      const query = { uploadType: "multipart", fields: fieldsFor(select), ...FIND_EVERYWHERE };
      return {
        request: fileRequest("POST", "/files", query, { to: "upload" }),
        contentType: `multipart/related; boundary=${boundary}`,
        before: `--${boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${metadata}\r\n--${boundary}\r\nContent-Type: ${contentType}\r\n\r\n`,
        after: `\r\n--${boundary}--`,
      };
    },
    record: toFile,
  }),
};
