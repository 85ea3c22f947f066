import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../../test/conformance/client.ts";
import { connectClient, oneCredential, textOf } from "../../../test/mcp/support.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import manifest from "./manifest.ts";
import { makeState, type SandboxItem, TOP } from "./sandbox/data.ts";

let service: TestService;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  service = await startService();
  client = createClient(service, { manifest, categories: [] });
});
afterAll(() => service.close());

const operation = (id: string) => operations.find((operation) => operation.id === id)!;
const listFiles = operation("drive.listFiles");
const getFile = operation("drive.getFile");
const downloadFile = operation("drive.downloadFile");
const uploadFile = operation("drive.uploadFile");
const { items, contents } = makeState();
const named = (name: string) => items.find((item) => item.name === name)!;

const isListed = ({ type, item_status }: SandboxItem) => type !== "web_link" && item_status === "active";
const ids = (records: { id: string }[]) => records.map(({ id }) => id);

test("everything is listed, folder by folder, without bookmarks and without the trash", async () => {
  const found = await client.walk(listFiles, {}, [100]);
  const trashed = ids(items.filter(({ item_status }) => item_status === "trashed"));
  const listed = items.filter((item) => isListed(item) && item.id !== TOP && !trashed.includes(item.folder!));
  expect(ids(found).sort()).toEqual(ids(listed).sort());
  expect(trashed.length).toBeGreaterThan(0);
  expect(new Set(ids(found)).size).toBe(found.length);
});

test("a search of a folder finds what is directly in it", async () => {
  const all = await client.walk(listFiles, {}, [100]);
  const { parent_id: folder_id, name } = all.find(({ is_folder, parent_id }) => !is_folder && parent_id !== null);
  const [query] = name.match(/\p{L}{2,}/u);
  const found = await client.walk(listFiles, {}, [100], { folder_id, query });
  expect(found.length).toBeGreaterThan(0);
  expect(new Set(found.map(({ parent_id }) => parent_id))).toEqual(new Set([folder_id]));
});

test("each folder is read once, page by page", async () => {
  const seen = await client.exchanges(() => client.walk(listFiles, {}, [100]));
  const pages = seen.map(({ request }) => `${request.path} ${request.query.get("marker")}`);
  // A page of the list may end inside one of the provider's, which is then read again.
  const distinct = [...new Set(pages)];
  const folders = items.filter(({ type, item_status }) => type === "folder" && item_status === "active");
  expect(new Set(distinct.map((page) => page.split(" ")[0])).size).toBe(folders.length);
  expect(distinct.length).toBeGreaterThan(folders.length);
});

test("folder_id lists exactly what is directly in a folder", async () => {
  const folder = named("Projects");
  const found = await client.walk(listFiles, {}, [30], { folder_id: folder.id });
  expect(ids(found)).toEqual(ids(items.filter((item) => item.folder === folder.id)));
  expect(found.every(({ parent_id }) => parent_id === folder.id)).toBe(true);
});

test("the folder 0 is the top, and an empty folder has no files", async () => {
  const top = await client.walk(listFiles, {}, [2], { folder_id: TOP });
  expect(ids(top)).toEqual(ids(items.filter((item) => item.folder === TOP && isListed(item))));
  expect(top.every(({ parent_id }) => parent_id === null)).toBe(true);
  const empty = await client.call(listFiles, {}, { folder_id: named("Empty folder").id });
  expect(empty.body.response).toEqual({ data: [], metadata: { next: null } });
});

test("a folder is found by its ID as well as a file", async () => {
  const folder = named("Projects");
  const { body } = await client.call(getFile, { file_id: folder.id });
  expect(body.response.data).toMatchObject({ id: folder.id, name: "Projects", is_folder: true });
});

test("the ID of a file that is not a number gets Box's own error", async () => {
  expect((await client.call(getFile, { file_id: "no-number" })).body.status).toBe(405);
});

test("a download follows the redirect to the storage server, with the range and the file's name", async () => {
  const file = named("Welcome to the sandbox – Grüße.txt");
  const seen = await client.exchanges(async () => {
    const { status, text, headers } = await client.call(downloadFile, { file_id: file.id }, {}, { range: "bytes=-8" });
    expect([status, text]).toEqual([206, contents.get(file.id)!.slice(-8)]);
    expect(headers.get("content-disposition")).toContain(`filename*=UTF-8''${encodeURIComponent(file.name)}`);
  });
  expect(seen.map(({ reply }) => reply.status)).toEqual([302, 206]);
});

test("an uploaded file is found in its folder, and has the uploaded bytes", async () => {
  const folder_id = named("Empty folder").id;
  const name = 'Bericht "1" – 👋.md';
  const { status, body } = await client.call(uploadFile, {}, { name, folder_id });
  const { data } = body.response;
  expect(status).toBe(200);
  expect(data).toMatchObject({ name, mime_type: "text/markdown", is_folder: false, parent_id: folder_id });
  expect(await client.walk(listFiles, {}, [10], { folder_id })).toEqual([data]);
  const downloaded = await client.call(downloadFile, { file_id: data.id });
  expect(Buffer.byteLength(downloaded.text)).toBe(data.size);
  expect(downloaded.text).toMatch(/^Grüße/);
});

test("an upload without a folder goes to the top, and a name that is in use is refused by Box", async () => {
  const { body } = await client.call(uploadFile, {}, { name: "new.txt" });
  expect(body.response.data).toMatchObject({ name: "new.txt", parent_id: null });
  const again = await client.call(uploadFile, {}, { name: "NEW.txt" });
  expect([again.status, again.body.code]).toEqual([409, "item_name_in_use"]);
  const unknown = await client.call(uploadFile, {}, { name: "a.txt", folder_id: "404" });
  expect([unknown.status, unknown.body.code]).toEqual([404, "not_found"]);
});

test("the tools of the MCP server, which is at the root of its host, can be called", async () => {
  const { client: mcp, close } = await connectClient(`${service.url}/mcp`, oneCredential(service, "box"));
  try {
    const listed = await mcp.callTool({
      name: "list_folder_content_by_folder_id",
      arguments: { folder_id: TOP, limit: 2 },
    });
    const { entries } = JSON.parse(textOf(listed)) as { entries: SandboxItem[] };
    expect(ids(entries)).toEqual(ids(items.filter(({ folder }) => folder === TOP).slice(0, 2)));
    const me = await mcp.callTool({ name: "who_am_i", arguments: {} });
    expect(JSON.parse(textOf(me))).toMatchObject({ type: "user", login: "zoe@example.com" });
  } finally {
    await close();
  }
});
