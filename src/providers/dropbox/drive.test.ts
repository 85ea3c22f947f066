import { describe, expect, test } from "vitest";
import { type AnyList, type AnyPageContext, keptItems } from "../../../test/support/implementation.ts";
import type { PageContext } from "../../contracts/provider.ts";
import drive, { sourceOf } from "./drive.ts";
import { type DropboxEntry, toFile } from "./records.ts";
import { headerJson } from "./requests.ts";

const file: DropboxEntry = {
  ".tag": "file",
  id: "id:a4ayc_80_OEAAAAAAAAAXw",
  name: "Prime_Numbers.txt",
  path_lower: "/homework/math/prime_numbers.txt",
  path_display: "/Homework/math/Prime_Numbers.txt",
  size: 7212,
  server_modified: "2015-05-12T15:50:38Z",
};
const folder: DropboxEntry = {
  ".tag": "folder",
  id: "id:a4ayc_80_OEAAAAAAAAAXz",
  name: "math & more",
  path_lower: "/homework/math & more",
  path_display: "/Homework/math & more",
};

describe("toFile", () => {
  test("a file has its folder's path as its parent, and a type that follows from its name", () => {
    expect(toFile(file)).toEqual({
      id: "id:a4ayc_80_OEAAAAAAAAAXw",
      name: "Prime_Numbers.txt",
      mime_type: "text/plain",
      size: 7212,
      created_at: null,
      updated_at: "2015-05-12T15:50:38.000Z",
      url: "https://www.dropbox.com/home/Homework/math?preview=Prime_Numbers.txt",
      is_folder: false,
      parent_id: "homework/math",
    });
  });

  test("a folder has no type, size or times", () => {
    expect(toFile(folder)).toEqual({
      id: "id:a4ayc_80_OEAAAAAAAAAXz",
      name: "math & more",
      mime_type: null,
      size: null,
      created_at: null,
      updated_at: null,
      url: "https://www.dropbox.com/home/Homework/math%20%26%20more",
      is_folder: true,
      parent_id: "homework",
    });
  });

  test("what is at the top has no parent, and what is not mounted has no page", () => {
    expect(toFile({ ...file, path_lower: "/a.txt", path_display: "/a.txt" })).toMatchObject({
      parent_id: null,
      url: "https://www.dropbox.com/home?preview=a.txt",
    });
    expect(toFile({ ...file, path_lower: null, path_display: null })).toMatchObject({ parent_id: null, url: null });
  });
});

describe("sourceOf", () => {
  test("a file is downloaded from the content host, with its name and type", () => {
    expect(sourceOf(file.id!, file)).toMatchObject({
      request: { method: "GET", to: "content", path: "/files/download" },
      fileName: "Prime_Numbers.txt",
      contentType: "text/plain",
    });
  });

  test.each([
    ["Plan.paper", "markdown", "Plan.md", "text/markdown"],
    ["Numbers.v2.gsheet", "xlsx", "Numbers.v2.xlsx", expect.stringContaining("spreadsheetml")],
    ["Notes", "html", "Notes.html", "text/html"],
    [".paper", "html", ".paper.html", "text/html"],
    ["Unknown.thing", null, "Unknown.thing", null],
  ])("%s is exported as %s and named %s", (name, export_as, fileName, contentType) => {
    const exported = { ...file, name, is_downloadable: false, export_info: { export_as } };
    expect(sourceOf(file.id!, exported)).toMatchObject({
      request: { to: "content", path: "/files/export" },
      fileName,
      contentType,
    });
  });

  test("a path that is not ASCII is escaped in the header, and stays the same path", () => {
    const path = "/Grüße 👋\u007f.txt";
    const { "dropbox-api-arg": header } = sourceOf(path, file).request.headers!;
    expect(header).toBe('{"path":"/Gr\\u00fc\\u00dfe \\ud83d\\udc4b\\u007f.txt"}');
    expect(JSON.parse(headerJson({ path }))).toEqual({ path });
  });
});

describe("listFiles", () => {
  const { request, next } = drive.operations.listFiles as never as {
    request(context: Partial<PageContext>): { path: string; locked: object };
    next(answer: { body: object }): unknown;
  };

  test("everything is one recursive list, and a folder is not", () => {
    expect(request({ input: {}, limit: 50 })).toMatchObject({
      path: "/files/list_folder",
      locked: { path: "", recursive: true, limit: 50 },
    });
    expect(request({ input: { folder_id: "id:1" }, limit: 50 })).toMatchObject({
      locked: { path: "id:1", recursive: false },
    });
    expect(request({ input: { folder_id: "homework/math" }, limit: 50 })).toMatchObject({
      locked: { path: "/homework/math", recursive: false },
    });
    expect(request({ input: { folder_id: "/" }, limit: 50 })).toMatchObject({ locked: { path: "", recursive: false } });
  });

  test("a continuation has nothing but the cursor, whatever the client asked for at first", () => {
    const { path, locked } = request({ input: {}, limit: 50, cursor: "abc" });
    expect(path).toBe("/files/list_folder/continue");
    expect(locked).toHaveProperty("recursive", undefined);
    expect(JSON.parse(JSON.stringify({ recursive: false, include_deleted: true, ...locked }))).toEqual({
      cursor: "abc",
    });
  });

  test("the cursor of the last page is not used, and deleted entries are left out", () => {
    expect(next({ body: { cursor: "abc", has_more: true } })).toBe("abc");
    expect(next({ body: { cursor: "abc", has_more: false } })).toBeNull();
    const body = { entries: [file, { ".tag": "deleted", name: "x" }, folder] };
    expect(keptItems(drive.operations.listFiles as AnyList, body, {} as AnyPageContext)).toEqual([file, folder]);
  });
});
