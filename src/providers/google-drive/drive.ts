import {
  type Context,
  drive,
  type GooglePage,
  get,
  googleNextPage,
  implement,
  isMissingGoogleScope,
  list,
  one,
  path,
  type Query,
  type Upstream,
} from "../../provider-kit/index.ts";
import { customFields, fieldsFor } from "./custom-fields.ts";
import { exportFormat, exportName } from "./export-formats.ts";
import { FIND_EVERYWHERE, type GoogleFile, toFile } from "./records.ts";
import { writes } from "./writes.ts";

type FileKind = Pick<GoogleFile, "id" | "name" | "mimeType"> & { shortcutDetails?: { targetId?: string } };
interface FilePage extends GooglePage {
  files?: GoogleFile[];
}

/** Where files are listed: what belongs to the user, or one shared drive. */
interface Corpus {
  id: string;
  query: Query;
  /** Shared drives that are listed by themselves, and whose files are left out here. */
  otherDrives: string[];
}

const KIND_FIELDS = "id,name,mimeType,shortcutDetails(targetId)";
const MAX_PAGE_SIZE = 1000;
const MAX_DRIVES = 100;

const LIST_EVERYWHERE = { ...FIND_EVERYWHERE, includeItemsFromAllDrives: true };

/** A text of a search query. https://developers.google.com/workspace/drive/api/guides/ref-search-terms */
const quoted = (text: string) => `'${text.replace(/['\\]/g, "\\$&")}'`;

interface Input {
  folder_id?: string;
  updated_since?: string;
  query?: string;
}

export const searchQuery = ({ folder_id, updated_since, query }: Input): string =>
  [
    ...(folder_id === undefined ? [] : [`${quoted(folder_id)} in parents`]),
    ...(updated_since === undefined ? [] : [`modifiedTime >= ${quoted(updated_since)}`]),
    ...(query === undefined ? [] : [`fullText contains ${quoted(query)}`]),
    "trashed = false",
  ].join(" and ");

/** The IDs of the shared drives that the user is a member of; undefined if the connection's scopes do not allow it. */
async function sharedDrives(upstream: Upstream): Promise<string[] | undefined> {
  const drives: string[] = [];
  let pageToken: string | undefined;
  try {
    do {
      const { body } = await upstream<GooglePage & { drives?: { id: string }[] }>(
        get("/drives", { fields: "nextPageToken,drives(id)" }, { pageSize: MAX_DRIVES, pageToken }),
      );
      drives.push(...(body.drives ?? []).map(({ id }) => id));
      pageToken = body.nextPageToken;
    } while (pageToken);
    return drives;
  } catch (error) {
    if (isMissingGoogleScope(error)) return undefined;
    throw error;
  }
}

/**
 * Only the list of a single shared drive is complete: that of the user has just the files that the user opened there,
 * and a search in all drives may stop before its end (`incompleteSearch`).
 * https://developers.google.com/workspace/drive/api/guides/enable-shareddrives
 */
async function corpora({ input, upstream }: Context<{ folder_id?: string }>): Promise<Corpus[]> {
  if (input.folder_id !== undefined) return [{ id: "folder", query: {}, otherDrives: [] }];
  const drives = await sharedDrives(upstream);
  if (!drives) return [{ id: "allDrives", query: { corpora: "allDrives" }, otherDrives: [] }];
  return [
    { id: "user", query: { corpora: "user" }, otherDrives: drives },
    ...drives.map((id) => ({ id, query: { corpora: "drive", driveId: id }, otherDrives: [] })),
  ];
}

const metadataRequest = (id: string, fields: string) => get(path`/files/${id}`, { fields }, FIND_EVERYWHERE);

/** What kind of file it is. A shortcut is followed to its target. */
async function fileKind(upstream: Upstream, id: string): Promise<FileKind> {
  const { body } = await upstream<FileKind>(metadataRequest(id, KIND_FIELDS));
  const target = body.shortcutDetails?.targetId;
  return target ? (await upstream<FileKind>(metadataRequest(target, KIND_FIELDS))).body : body;
}

export default implement(
  drive,
  {
    // https://developers.google.com/workspace/drive/api/reference/rest/v3/files/list
    listFiles: list({
      maxPageSize: MAX_PAGE_SIZE,
      filters: ["updated_since", "query"],
      places: corpora,
      items: ({ files = [] }: FilePage) => files,
      next: googleNextPage,
      keep: ({ driveId = "" }, { place }) => !place.otherDrives.includes(driveId),
      request: ({ input, limit, cursor, place, select }) =>
        get(
          "/files",
          { q: searchQuery(input), fields: `nextPageToken,files(${fieldsFor(select)})` },
          { ...place.query, ...LIST_EVERYWHERE, pageSize: limit, pageToken: cursor },
        ),
      record: toFile,
    }),
    getFile: one({
      request: ({ input, select }) => metadataRequest(input.file_id, fieldsFor(select)),
      record: toFile,
    }),
    // https://developers.google.com/workspace/drive/api/guides/manage-downloads
    downloadFile: {
      async source({ input, upstream }) {
        const { id, name = id, mimeType = "" } = await fileKind(upstream, input.file_id);
        const format = exportFormat(mimeType);
        if (!format) return { request: get(path`/files/${id}`, { alt: "media" }, FIND_EVERYWHERE), fileName: name };
        return {
          request: get(path`/files/${id}/export`, { mimeType: format.mimeType }),
          fileName: exportName(name, format.extension),
          contentType: format.mimeType,
        };
      },
    },
    ...writes,
  },
  { file: customFields },
);
