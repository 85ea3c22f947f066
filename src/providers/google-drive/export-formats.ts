const OFFICE = "application/vnd.openxmlformats-officedocument";

/** https://developers.google.com/workspace/drive/api/guides/ref-export-formats */
const FORMATS = new Map(
  Object.entries({
    document: { mimeType: `${OFFICE}.wordprocessingml.document`, extension: ".docx" },
    spreadsheet: { mimeType: `${OFFICE}.spreadsheetml.sheet`, extension: ".xlsx" },
    presentation: { mimeType: `${OFFICE}.presentationml.presentation`, extension: ".pptx" },
    drawing: { mimeType: "application/pdf", extension: ".pdf" },
    script: { mimeType: "application/vnd.google-apps.script+json", extension: ".json" },
  }).map(([type, format]) => [`application/vnd.google-apps.${type}`, format]),
);

/** What a Google document is exported as. Other files are downloaded as they are. */
export const exportFormat = (mimeType: string) => FORMATS.get(mimeType);

/** The name of an exported document, which has no extension at Google. */
export const exportName = (name: string, extension: string): string =>
  name.toLowerCase().endsWith(extension) ? name : `${name}${extension}`;
