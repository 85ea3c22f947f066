import { type CategoryImplementation, type drive, fileRequest, upload } from "../../provider-kit/index.ts";
import { type BoxItem, FIELDS, TOP, toFile } from "./records.ts";

/** The parts around a file. What it is has to come before the file itself. */
function uploadForm(boundary: string, attributes: { name: string; parent: { id: string } }, type: string) {
  const part = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    before: [
      `${part('name="attributes"')}\r\n${JSON.stringify(attributes)}\r\n`,
      // Its name is in the attributes.
      `${part('name="file"; filename="file"')}Content-Type: ${type}\r\n\r\n`,
    ].join(""),
    after: `\r\n--${boundary}--\r\n`,
  };
}

export const writes: CategoryImplementation<typeof drive.operations> = {
  // https://developer.box.com/reference/post-files-content
  uploadFile: upload({
    target: ({ input: { name, folder_id = TOP }, writeKey }, { contentType }) => ({
      request: fileRequest("POST", "/files/content", { fields: FIELDS }, { to: "upload" }),
      ...uploadForm(`part-${writeKey}`, { name, parent: { id: folder_id } }, contentType),
    }),
    record: ({ entries: [file] }: { entries: [BoxItem] }) => toFile(file),
    original: ({ entries: [file] }) => file,
  }),
};
