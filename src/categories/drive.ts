import Type, { type Static } from "typebox";
import { category, download, list, one, upload } from "./define.ts";
import { fullText } from "./filters.ts";
import { Nullable, NullableText, NullableTimestamp, Shape, Text } from "./schema.ts";

export const DriveFile = Shape("DriveFile", {
  id: Text(),
  name: Text(),
  mime_type: NullableText("Null for a folder, or if the provider does not know it"),
  size: Nullable(Type.Number({ description: "In bytes" })),
  created_at: NullableTimestamp(),
  updated_at: NullableTimestamp(),
  url: NullableText("Page of the file"),
  is_folder: Type.Boolean(),
  parent_id: NullableText("ID of the folder that contains it; null at the top"),
});
export type DriveFile = Static<typeof DriveFile>;

export const drive = category(
  "drive",
  "Drive",
  {
    file_id: {
      description: "ID of the file, as returned by the list of files",
      source: { operation: "listFiles", field: "id" },
    },
  },
  {
    listFiles: list("/files", DriveFile, "List files and folders", {
      query: {
        folder_id: Type.Optional(
          Type.String({
            minLength: 1,
            description: "Only what is directly in this folder: the `id` of a folder. Default: everything",
          }),
        ),
      },
      filters: { query: fullText },
    }),
    getFile: one("/files/:file_id", DriveFile, "Get a file or folder"),
    downloadFile: download("/files/:file_id/content", "Download a file"),
    uploadFile: upload("/files", DriveFile, "Upload a file", {
      description: "The request's body is the file itself, not a form. It is streamed to the provider.",
      query: {
        name: Type.String({
          minLength: 1,
          maxLength: 255,
          example: "Prüfbericht.txt",
          description: "Name of the file",
        }),
        folder_id: Type.Optional(
          Type.String({ minLength: 1, description: "The folder to put it in. Default: the top folder" }),
        ),
      },
    }),
  },
);
