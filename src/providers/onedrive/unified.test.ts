import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../../test/conformance/client.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import implemented from "./drive.ts";
import manifest from "./manifest.ts";
import { contentOf, makeState } from "./sandbox/data.ts";

let service: TestService;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  service = await startService();
  client = createClient(service, { manifest, categories: [implemented] });
});
afterAll(() => service.close());

const operation = (name: string) => operations.find(({ id }) => id === `drive.${name}`)!;
const files = (query: Record<string, string> = {}) => client.walk(operation("listFiles"), {}, [100], query);
const { drives, ownDrive } = makeState();
const own = drives.get(ownDrive)!;
const named = (name: string) => own.find((item) => item.name === name)!;

test("every item that is not deleted is listed once, with its folder", async () => {
  const all = await files();
  const living = own.filter(({ root, deleted }) => !root && !deleted);
  expect(all.map(({ name }) => name)).toEqual(living.map(({ name }) => name));
  const top = all.filter(({ parent_id }) => parent_id === null);
  expect(top.map(({ name }) => name)).toEqual(
    living
      .filter(({ parentReference }) => (parentReference as { path: string }).path.endsWith("root:"))
      .map(({ name }) => name),
  );
});

test("a folder's list has what is directly in it, and nothing of its folders", async () => {
  const documents = named("Documents");
  const listed = await files({ folder_id: documents.id });
  expect(listed).toHaveLength(documents.folder!.childCount);
  expect(listed.length).toBeGreaterThan(200);
  expect(new Set(listed.map(({ parent_id }) => parent_id))).toEqual(new Set([documents.id]));
  expect(await files({ folder_id: named("Empty folder").id })).toEqual([]);
});

test("the top of the drive is the folder root", async () => {
  const all = await files();
  const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
  const top = (await files({ folder_id: "root" })).sort(byId);
  expect(top).toEqual(all.filter(({ parent_id }) => parent_id === null).sort(byId));
});

test("a shared folder is listed with its own id, and its files are found and downloaded", async () => {
  const shared = (await files()).find(({ name }) => name.startsWith("Shared with everyone"))!;
  expect(shared).toMatchObject({ is_folder: true, parent_id: null });
  const inside = await files({ folder_id: shared.id });
  expect(inside.length).toBeGreaterThan(30);
  const file = inside.find(({ is_folder }) => !is_folder)!;
  const { body } = await client.call(operation("getFile"), { file_id: file.id });
  expect(body.response.data).toEqual(file);
  const { text } = await client.call(operation("downloadFile"), { file_id: file.id });
  expect(text).toContain(file.name);
});

test("a download follows the redirect and keeps the name and the type of the file", async () => {
  const item = own.find(({ name, file }) => name?.startsWith("日本語") && file)!;
  const seen = await client.requests(async () => {
    const { status, headers, text } = await client.call(operation("downloadFile"), { file_id: item.id });
    expect([status, text]).toEqual([200, contentOf(item)]);
    expect(headers.get("content-type")).toBe(item.file!.mimeType ?? "application/octet-stream");
    expect(headers.get("content-disposition")).toContain(`filename*=UTF-8''${encodeURIComponent(item.name!)}`);
  });
  expect(seen).toHaveLength(2);
});

test("a range of a file is passed on", async () => {
  const item = own.find(({ file, size }) => file && size)!;
  const range = { range: "bytes=3-9" };
  const { status, headers, text } = await client.call(operation("downloadFile"), { file_id: item.id }, {}, range);
  expect([status, text]).toEqual([206, contentOf(item).slice(3, 10)]);
  expect(headers.get("content-range")).toMatch(/^bytes 3-9\//);
});

test("a folder and a notebook cannot be downloaded", async () => {
  for (const name of ["Documents", "Notes & <ideas>"]) {
    const { status, body } = await client.call(operation("downloadFile"), { file_id: named(name).id });
    expect([status, body.error.code]).toEqual([400, "invalidRequest"]);
  }
});

test("an uploaded file is listed in its folder and downloaded again, and one of the same name gets another", async () => {
  const folder_id = named("Empty folder").id;
  const upload = async () =>
    (await client.call(operation("uploadFile"), {}, { name: "Prüfung.txt", folder_id })).body.response.data;
  const first = await upload();
  expect(first).toMatchObject({ name: "Prüfung.txt", mime_type: "text/plain", is_folder: false, parent_id: folder_id });
  const second = await upload();
  expect(second.name).toBe("Prüfung 1.txt");
  expect(await files({ folder_id })).toEqual([first, second]);
  const { text } = await client.call(operation("downloadFile"), { file_id: first.id });
  expect(Buffer.byteLength(text)).toBe(first.size);
  expect(text).not.toBe("");
});

test("a file whose name has a line break is uploaded with a space in its place", async () => {
  const { body } = await client.call(operation("uploadFile"), {}, { name: "two\r\nlines.txt" });
  expect(body.response?.data).toMatchObject({ name: "two lines.txt" });
});

test("a file without a folder is uploaded to the top of the drive, and an unknown folder gives Graph's own error", async () => {
  const { body } = await client.call(operation("uploadFile"), {}, { name: "top.txt" });
  expect(body.response.data).toMatchObject({ name: "top.txt", parent_id: null });
  const unknown = await client.call(operation("uploadFile"), {}, { name: "x.txt", folder_id: "01NONE" });
  expect([unknown.status, unknown.body.error.code]).toEqual([404, "itemNotFound"]);
});

test("a search of a folder finds what is directly in it", async () => {
  const inDocuments = await files({ query: "日本語", folder_id: named("Documents").id });
  expect(inDocuments.map(({ name }) => name)).toEqual(["日本語のフォルダ"]);
  const atTop = await files({ folder_id: "root" });
  const found = await files({ query: "docx", folder_id: "root" });
  expect(found.length).toBeGreaterThan(5);
  for (const file of found) expect(atTop).toContainEqual(file);
  const shared = (await files()).find(({ name }) => name.startsWith("Shared with everyone"))!;
  const inShared = await files({ query: "shared", folder_id: shared.id });
  expect(inShared.length).toBeGreaterThan(30);
  expect(new Set(inShared.map(({ parent_id }) => parent_id))).toEqual(new Set([shared.id]));
});
