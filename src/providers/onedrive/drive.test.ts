import type { DriveItem as SdkItem } from "@microsoft/microsoft-graph-types";
import { describe, expect, test } from "vitest";
import { type AnyList, type AnyPageContext, keptItems } from "../../../test/support/implementation.ts";
import type { DownloadImplementation, OneImplementation, UploadImplementation } from "../../contracts/provider.ts";
import drive from "./drive.ts";
import type { GraphItem } from "./records.ts";
import type { Item } from "./sandbox/data.ts";

// Compile-time checks that Graph's own types fit ours and the emulator's data. They declare every field optional, but
// every answer has an id.
const itemOf = (item: SdkItem & { id: string }): GraphItem => item;
({}) as Item satisfies SdkItem;

const listFiles = drive.operations.listFiles as AnyList;
const getFile = drive.operations.getFile as OneImplementation;
const downloadFile = drive.operations.downloadFile as DownloadImplementation;
const uploadFile = drive.operations.uploadFile as UploadImplementation;

const context = (more: object = {}) => ({ input: {}, limit: 50, ...more }) as AnyPageContext;
const answer = (body: object) => ({ status: 200, headers: {}, body });
/** The records of a response. */
const records = (body: object, given = context()) =>
  keptItems(listFiles, body, given).map((item) => listFiles.record(item, given));

describe("records", () => {
  test("a file has its type, its size and its times in UTC", () => {
    const item = itemOf({
      id: "F1",
      name: "Plan.docx",
      size: 12,
      webUrl: "https://example.com/Plan.docx",
      createdDateTime: "2026-01-02T03:04:05Z",
      lastModifiedDateTime: "2026-01-02T05:04:05.67+01:00",
      file: { mimeType: "application/msword" },
      parentReference: { id: "D1", driveId: "b!own", path: "/drive/root:/Documents" },
    });
    expect(getFile.record(item, context({ input: { file_id: "F1" } }))).toEqual({
      id: "F1",
      name: "Plan.docx",
      mime_type: "application/msword",
      size: 12,
      created_at: "2026-01-02T03:04:05.000Z",
      updated_at: "2026-01-02T04:04:05.670Z",
      url: "https://example.com/Plan.docx",
      is_folder: false,
      parent_id: "D1",
    });
  });

  test("a folder has no size and no type, and an empty file the size 0", () => {
    const items = [
      itemOf({ id: "D1", name: "Docs", size: 5_000, folder: { childCount: 2 } }),
      itemOf({ id: "F1", name: "Empty", size: 0, file: {} }),
    ];
    expect(records({ value: items })).toMatchObject([
      { is_folder: true, size: null, mime_type: null, created_at: null, url: null, parent_id: null },
      { is_folder: false, size: 0, mime_type: null },
    ]);
  });

  test.each(["/drive/root:", "/drives/b!own/root:"])("an item whose parent is at %s has no parent", (path) => {
    const item = itemOf({ id: "F1", file: {}, parentReference: { id: "R", path } });
    expect(getFile.record(item, context({ input: { file_id: "F1" } }))).toMatchObject({ parent_id: null });
  });
});

describe("the list of everything", () => {
  const root = itemOf({ id: "R", name: "root", root: {}, folder: {} });
  const atTop = itemOf({ id: "F1", name: "a", file: {}, parentReference: { id: "R" } });
  const inFolder = itemOf({ id: "F2", name: "b", file: {}, parentReference: { id: "D1" } });

  test("deleted items and the root are left out", () => {
    const deleted = itemOf({ id: "X", deleted: { state: "deleted" } });
    expect(records({ value: [root, deleted, atTop] }).map(({ id }) => id)).toEqual(["F1"]);
  });

  test("items at the top have no parent on any page, although only the first page has the root", () => {
    const first = { value: [root, atTop], "@odata.nextLink": "https://graph.microsoft.com/v1.0/x/delta?token=t2" };
    expect(records(first)).toMatchObject([{ parent_id: null }]);
    const cursor = listFiles.next(answer(first), context());
    const second = { value: [inFolder, atTop], "@odata.nextLink": "https://graph.microsoft.com/v1.0/x/delta?token=t3" };
    expect(records(second, context({ cursor }))).toMatchObject([{ parent_id: "D1" }, { parent_id: null }]);
    const third = listFiles.next(answer(second), context({ cursor }));
    expect(records({ value: [atTop] }, context({ cursor: third }))).toMatchObject([{ parent_id: null }]);
  });

  test.each([
    "https://evil.example/v1.0/me/drive/root/delta?token=a%2Fb%3D",
    "https://graph.microsoft.com/v1.0/me/drive/root/delta(token='a%2Fb%3D')",
    "https://graph.microsoft.com/v1.0/me/drive/root/delta(token=%27a%2Fb%3D%27)",
  ])("the next page is requested with the token of Graph's link: %s", (link) => {
    const cursor = listFiles.next(answer({ value: [root], "@odata.nextLink": link }), context());
    const request = listFiles.request(context({ cursor }));
    expect(request.path).toBe("/me/drive/root/delta");
    expect(request.locked).toEqual({ $top: 50, token: "a/b=" });
  });

  test("a link for the next changes is not a next page", () => {
    const last = { value: [atTop], "@odata.deltaLink": "https://graph.microsoft.com/v1.0/x/delta?token=t9" };
    expect(listFiles.next(answer(last), context({ cursor: { token: "t8", root: "R" } }))).toBeNull();
  });
});

test("the text of a search cannot end its quotes", () => {
  const pathOf = (input: object) => listFiles.request(context({ input })).path;
  expect(pathOf({ query: "it's a') OR x/y" })).toBe("/me/drive/root/search(q='it%20s%20a%20or%20x%20y')");
  expect(pathOf({ query: "a", folder_id: "root" })).toBe("/me/drive/root/search(q='a')");
  expect(pathOf({ query: "a", folder_id: "b!other:F1" })).toBe("/drives/b!other/items/F1/search(q='a')");
});

describe("shared items", () => {
  const shortcut = itemOf({
    id: "LOCAL",
    name: "Team",
    parentReference: { id: "D1", driveId: "b!own", path: "/drive/root:/Docs" },
    lastModifiedDateTime: "2020-01-01T00:00:00Z",
    remoteItem: {
      id: "REMOTE",
      name: "Team folder",
      folder: { childCount: 3 },
      size: 99,
      webUrl: "https://example.com/team",
      lastModifiedDateTime: "2026-01-01T00:00:00Z",
      parentReference: { id: "OR", driveId: "b!other" },
    },
  });

  test("an item of another drive has the id of that drive and the place of the shortcut", () => {
    expect(records({ value: [shortcut] })).toMatchObject([
      {
        id: "b!other:REMOTE",
        name: "Team",
        is_folder: true,
        size: null,
        url: "https://example.com/team",
        updated_at: "2026-01-01T00:00:00.000Z",
        parent_id: "D1",
      },
    ]);
  });

  test("the id of a shared item addresses the other drive, in every operation", async () => {
    const id = "b!other:REMOTE";
    const item = "/drives/b!other/items/REMOTE";
    expect(listFiles.request(context({ input: { folder_id: id } })).path).toBe(`${item}/children`);
    expect(getFile.request!(context({ input: { file_id: id } })).path).toBe(item);
    expect((await downloadFile.source(context({ input: { file_id: id } }))).request.path).toBe(`${item}/content`);
  });

  test("what is in a shared folder has ids of the same drive", () => {
    const child = itemOf({ id: "C", name: "c", file: {}, parentReference: { id: "REMOTE", driveId: "b!other" } });
    const given = context({ input: { folder_id: "b!other:REMOTE" } });
    expect(records({ value: [child] }, given)).toMatchObject([{ id: "b!other:C", parent_id: "b!other:REMOTE" }]);
  });
});

test.each(["../../me", "a/b", "b!other:../x"])("an id cannot change the path: %s", (id) => {
  const { path } = getFile.request!(context({ input: { file_id: id } }));
  expect(path.split("/")).toHaveLength(5);
});

test.each([
  [{ name: "Prüfung: 1/2.txt" }, "/me/drive/items/root:/Pr%C3%BCfung%3A%201%2F2.txt:/content"],
  [{ name: "a.txt", folder_id: "D1" }, "/me/drive/items/D1:/a.txt:/content"],
  [{ name: "a.txt", folder_id: "b!other:D1" }, "/drives/b!other/items/D1:/a.txt:/content"],
])("a file is uploaded by its folder and name, and replaces no other: %j", async (input, path) => {
  const { request } = await uploadFile.target(context({ input }), { contentType: "text/plain", size: 1 });
  expect(request).toMatchObject({ method: "PUT", path, query: { "@microsoft.graph.conflictBehavior": "rename" } });
});
