import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../../test/conformance/client.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import implemented from "./drive.ts";
import manifest from "./manifest.ts";
import { contentOf, DRIVES, makeState, ROOT } from "./sandbox/data.ts";

let service: TestService;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  service = await startService();
  client = createClient(service, { manifest, categories: [implemented] });
});
afterAll(() => service.close());

const operation = (name: string) => operations.find(({ id }) => id === `drive.${name}`)!;
const { files, opened } = makeState();
const named = (name: string) => files.find((file) => file.name === name)!;
const walk = (query: Record<string, string> = {}) => client.walk(operation("listFiles"), {}, [100], query);
const download = (file_id: string, headers = {}) => client.call(operation("downloadFile"), { file_id }, {}, headers);
const ids = (found: { id: string }[]) => found.map(({ id }) => id).sort();

test("the list has everything but the trash, and what the user opened in a shared drive only once", async () => {
  const found = await walk();
  expect(ids(found)).toEqual(ids(files.filter(({ trashed }) => !trashed)));
  expect(files.some(({ trashed, explicitlyTrashed }) => trashed && !explicitlyTrashed)).toBe(true);
  const [marketing] = DRIVES;
  expect(files.some(({ id, driveId }) => driveId === marketing!.id && opened.has(id))).toBe(true);
});

test.each([
  ["the top of My Drive", "root", ROOT],
  ["the top of a shared drive", DRIVES[0]!.id, DRIVES[0]!.id],
  ["a folder", named("Projects").id, named("Projects").id],
  ["a folder of a shared drive", named("Campaigns").id, named("Campaigns").id],
])("folder_id lists exactly what is directly in it: %s", async (_, folder_id, parent) => {
  const wanted = files.filter(({ parents, trashed }) => parents?.[0] === parent && !trashed);
  expect(wanted.length).toBeGreaterThan(5);
  const found = await walk({ folder_id });
  expect(ids(found)).toEqual(ids(wanted));
  const isTop = parent === ROOT || parent === DRIVES[0]!.id;
  for (const { parent_id } of found) expect(parent_id).toBe(isTop ? null : parent);
});

test("an empty folder has nothing in it", async () => {
  expect(await walk({ folder_id: named("Empty folder").id })).toEqual([]);
});

test("updated_since is passed on to Google, for each drive", async () => {
  const updated_since = files
    .map(({ modifiedTime }) => modifiedTime)
    .sort()
    .at(-20)!;
  const seen = await client.exchanges(() => walk({ updated_since }));
  const searches = seen.filter(({ request }) => request.path.endsWith("/files"));
  expect(searches.map(({ request }) => request.query.get("driveId"))).toEqual([null, ...DRIVES.map(({ id }) => id)]);
  for (const { request } of searches) expect(request.query.get("q")).toContain(`modifiedTime >= '${updated_since}'`);
});

test("a client can search with its own query", async () => {
  const { body } = await client.call(
    operation("listFiles"),
    {},
    { params: JSON.stringify({ q: "trashed = true and name = 'Old.txt'" }) },
  );
  expect(ids(body.response.data)).toEqual([named("Old.txt").id]);
});

test("a file of a shared drive, a trashed one and the top of My Drive can be read by their ids", async () => {
  const read = async (file_id: string) => (await client.call(operation("getFile"), { file_id })).body.response.data;
  expect(await read(named("Campaigns").id)).toMatchObject({ name: "Campaigns", is_folder: true, parent_id: null });
  expect(await read(named("Old.txt").id)).toMatchObject({ name: "Old.txt" });
  expect(await read("root")).toMatchObject({ id: ROOT, name: "My Drive", is_folder: true });
});

test("a large file is downloaded whole, under its own name and type", async () => {
  const file = named("Backup.bin");
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  const { status, text, headers } = await download(file.id);
  expect([status, text.length, headers.get("content-type")]).toEqual([200, Number(file.size), file.mimeType]);
  expect(hash(text)).toBe(hash(contentOf(file)));
  expect(headers.get("content-disposition")).toContain('filename="Backup.bin"');
});

test("a range of a file is passed on, and one outside of the file is refused", async () => {
  const file = named("Backup.bin");
  const { status, text, headers } = await download(file.id, { range: "bytes=16-19" });
  expect([status, text, headers.get("content-range")]).toEqual([206, "0123", `bytes 16-19/${file.size}`]);
  expect((await download(file.id, { range: `bytes=${file.size}-` })).status).toBe(416);
});

test("an empty file is downloaded", async () => {
  const { status, text } = await download(named("Empty.txt").id);
  expect([status, text]).toEqual([200, ""]);
});

test("a Google document is exported", async () => {
  const file = named("Report.DOCX");
  const { status, text, headers } = await download(file.id);
  const type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
  expect([status, text, headers.get("content-type")]).toEqual([200, `${file.id} as ${type}`, type]);
});

test("a shortcut is downloaded as what it points to: a file or a document", async () => {
  const { text, headers } = await download(named("Shortcut to Grüße.txt").id);
  expect(text).toBe(contentOf(named("Grüße.txt")));
  expect(headers.get("content-disposition")).toContain("filename*=UTF-8''Gr%C3%BC%C3%9Fe.txt");
  const sheet = files.find(({ mimeType, trashed }) => mimeType.endsWith(".spreadsheet") && !trashed)!;
  const exported = await download(named(`Shortcut to ${sheet.name}`).id);
  expect(exported.headers.get("content-disposition")).toContain(".xlsx");
});

test.each([
  ["a shortcut to a deleted file", "Shortcut to a deleted file", 404, "notFound"],
  ["a folder", "Projects", 403, "fileNotDownloadable"],
  ["a document that is too large to export", "Too large to export", 403, "exportSizeLimitExceeded"],
])("the download of %s gets Google's own error", async (_, name, status, reason) => {
  const answer = await download(named(name).id);
  expect([answer.status, answer.body.error.errors[0].reason]).toEqual([status, reason]);
});

const upload = async (query: Record<string, string>, content: string, type = "text/plain") => {
  const response = await fetch(`${service.url}/unified/v1/drive/files?${new URLSearchParams(query)}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${service.apiKey}`,
      "SVC-Connection-ID": service.connections[manifest.id]!,
      "content-type": type,
    },
    body: content,
  });
  return { status: response.status, body: (await response.json()) as any };
};

test.each([
  ["the top of My Drive", {}, null],
  ["a folder", { folder_id: named("Empty folder").id }, named("Empty folder").id],
  ["the top of a shared drive", { folder_id: DRIVES[2]!.id }, null],
  ["a folder of a shared drive", { folder_id: named("Campaigns").id }, named("Campaigns").id],
])("an uploaded file can be listed and downloaded: in %s", async (_, folder, parent_id) => {
  const content = "Größe,Wert\r\n--part\r\n1,2";
  const { status, body } = await upload({ name: "Prüfbericht.csv", ...folder }, content, "text/csv");
  expect([status, body.response?.data]).toMatchObject([
    200,
    { name: "Prüfbericht.csv", mime_type: "text/csv", size: Buffer.byteLength(content), is_folder: false, parent_id },
  ]);
  const { id } = body.response.data;
  expect((await download(id)).text).toBe(content);
  expect((await walk({ folder_id: "root", ...folder })).map((file) => file.id)).toContain(id);
});

test("an upload to an unknown folder gets Google's own error", async () => {
  const { status, body } = await upload({ name: "a.txt", folder_id: "1unknown" }, "a");
  expect([status, body.error.errors[0].reason]).toEqual([404, "notFound"]);
});
