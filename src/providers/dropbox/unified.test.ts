import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../../test/conformance/client.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import manifest from "./manifest.ts";
import { makeState, type SandboxFile } from "./sandbox/data.ts";

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
const { entries, contents } = makeState();
const named = (name: string) => entries.find((entry) => entry.name === name) as SandboxFile;

test("everything is listed, at every depth, without what was deleted meanwhile", async () => {
  const found = await client.walk(listFiles, {}, [20]);
  const existing = entries.filter((entry) => entry[".tag"] !== "deleted");
  expect(existing.length).toBeLessThan(entries.length);
  expect(found.map(({ id }) => id)).toEqual(existing.map(({ id }) => id));
});

test("folder_id lists exactly what is directly in a folder, by its ID or by the parent_id of a file in it", async () => {
  const math = named("Math");
  const wanted = entries.filter(({ path_lower }) => path_lower.replace(/\/[^/]*$/, "") === math.path_lower);
  const names = wanted.filter((entry) => entry[".tag"] !== "deleted").map(({ name }) => name);
  const byId = await client.walk(listFiles, {}, [25], { folder_id: math.id });
  expect(byId.map(({ name }) => name)).toEqual(names);
  expect(await client.walk(listFiles, {}, [25], { folder_id: byId[0].parent_id })).toEqual(byId);
  const parent = await client.call(getFile, { file_id: byId[0].parent_id });
  expect(parent.body.response.data.id).toBe(math.id);
});

test("a search of one folder is refused by name, because it would also be one of the folders in it", async () => {
  const seen = await client.requests(async () => {
    const { status, body } = await client.call(listFiles, {}, { query: "x", folder_id: named("Math").id });
    expect([status, body.errors[0].path, body.errors[0].detail]).toEqual([
      400,
      ["query", "folder_id"],
      expect.stringContaining("must be left out with `query`"),
    ]);
  });
  expect(seen).toEqual([]);
});

test("an empty folder has no files, and / is the top", async () => {
  const empty = await client.call(listFiles, {}, { folder_id: named("Empty folder").id });
  expect(empty.body.response).toEqual({ data: [], metadata: { next: null } });
  const top = await client.walk(listFiles, {}, [3], { folder_id: "/" });
  expect(top.length).toBeGreaterThan(3);
  expect(top.every(({ parent_id }) => parent_id === null)).toBe(true);
});

test("the download of a folder gets Dropbox's own error", async () => {
  const folder = await client.call(downloadFile, { file_id: named("Math").id });
  expect([folder.status, folder.body.error_summary]).toEqual([409, "path/not_file/.."]);
});

test("a file is found and downloaded by its path, also if that is not ASCII", async () => {
  const file = named("Zahl 7 – größer.md");
  const file_id = file.path_display.slice(1);
  const { body } = await client.call(getFile, { file_id });
  expect(body.response.data.id).toBe(file.id);
  const { text, headers } = await client.call(downloadFile, { file_id });
  expect(text).toBe(contents.get(file.id));
  expect(headers.get("content-type")).toBe("text/markdown");
  expect(headers.get("content-disposition")).toContain(`filename*=UTF-8''${encodeURIComponent(file.name)}`);
});

test("a Paper document is downloaded as Markdown", async () => {
  const file = named("Plan.paper");
  const { status, text, headers } = await client.call(downloadFile, { file_id: file.id });
  expect([status, text]).toEqual([200, contents.get(file.id)]);
  expect(headers.get("content-type")).toBe("text/markdown");
  expect(headers.get("content-disposition")).toContain('filename="Plan.md"');
});

test("a range of a file is passed through, and a file that has not changed is not sent again", async () => {
  const file = named("Welcome to the sandbox.txt");
  const part = await client.call(downloadFile, { file_id: file.id }, {}, { range: "bytes=0-3" });
  expect([part.status, part.text]).toEqual([206, contents.get(file.id)!.slice(0, 4)]);
  expect(part.headers.get("content-range")).toBe(`bytes 0-3/${file.size}`);
  const etag = part.headers.get("etag")!;
  expect((await client.call(downloadFile, { file_id: file.id }, {}, { "if-none-match": etag })).status).toBe(304);
});

test("an empty file is downloaded as an empty file", async () => {
  const { status, text, headers } = await client.call(downloadFile, { file_id: named("empty.txt").id });
  expect([status, text, headers.get("content-length")]).toEqual([200, "", "0"]);
});

test("an uploaded file is found in its folder, and has the uploaded bytes", async () => {
  const folder_id = named("Empty folder").id;
  const name = "Bericht – 1 👋.md";
  const { status, body } = await client.call(uploadFile, {}, { name, folder_id });
  const { data } = body.response;
  expect(status).toBe(200);
  expect(data).toMatchObject({ name, mime_type: "text/markdown", is_folder: false, parent_id: "empty folder" });
  expect(await client.walk(listFiles, {}, [10], { folder_id })).toEqual([data]);
  const downloaded = await client.call(downloadFile, { file_id: data.id });
  expect(Buffer.byteLength(downloaded.text)).toBe(data.size);
  expect(downloaded.text).toMatch(/^Grüße/);
});

test("an upload without a folder goes to the top, and never replaces a file", async () => {
  const before = named("LICENSE");
  const { body } = await client.call(uploadFile, {}, { name: "LICENSE" });
  expect(body.response.data).toMatchObject({ name: "LICENSE (1)", parent_id: null });
  const kept = await client.call(downloadFile, { file_id: before.id });
  expect(kept.text).toBe(contents.get(before.id));
  // The same content again is the same file.
  const again = await client.call(uploadFile, {}, { name: "LICENSE (1)" });
  expect(again.body.response.data).toEqual(body.response.data);
});

test("an upload to a folder that does not exist gets Dropbox's error, and a name with a slash is refused", async () => {
  const unknown = await client.call(uploadFile, {}, { name: "a.txt", folder_id: "id:unknown" });
  expect([unknown.status, unknown.body.error_summary]).toEqual([409, "path/malformed_path/.."]);
  const seen = await client.requests(async () => {
    const { status, body } = await client.call(uploadFile, {}, { name: "a/b.txt" });
    expect([status, body.errors[0].path]).toEqual([400, ["query", "name"]]);
  });
  expect(seen).toEqual([]);
});
