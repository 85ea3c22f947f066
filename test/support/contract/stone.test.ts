import { describe, expect, test } from "vitest";
import type { ObservedExchange } from "./index.ts";
import { createStoneChecker } from "./stone.ts";

const files = `namespace files
    "Files. It may \\"quote\\"
    over several lines."

import common
# A comment
alias Cursor = String(min_length=1)
alias MaybePath = String?

struct ListArg
    path String(pattern="(/(.|[\\\\r\\\\n])*)?|id:.*")
        "A path."
    limit UInt32(max_value=2000, min_value=1)?
    recursive Boolean = false

    example default
        path = "/a"

struct Entry
    union_closed
        file FileEntry
        folder FolderEntry
    name String

struct FileEntry extends Entry
    size UInt64
    modified common.Time
    lock Lock?
    elsewhere missing.Thing?

struct FolderEntry extends Entry

struct Result
    entries List(Entry)
    cursor Cursor

union Lock
    unlocked
    held Holder
    reason String

struct Holder
    by String

union LookupError
    malformed MaybePath
    not_found

union_closed ListError
    path LookupError

route list:2 (ListArg, Result, ListError)
    "Lists."
    attrs
        scope = "files.read"

route get (ListArg, FileEntry, ListError)
    attrs
        host = "content"
        style = "download"

route me (Void, Void, Void)
`;
const common = `namespace common
alias Time = Timestamp("%Y-%m-%dT%H:%M:%SZ")
`;
const auth = `namespace auth
union AuthError
    invalid_access_token
`;
const check = createStoneChecker([files, common, auth]);

interface Seen {
  path?: string;
  method?: string;
  sent?: unknown;
  headers?: Record<string, string>;
  status?: number;
  body?: unknown;
  replied?: Record<string, string>;
}
const problems = ({
  path = "/files/list_v2",
  method = "POST",
  sent,
  headers = {},
  status = 200,
  body,
  replied,
}: Seen) =>
  check({
    path,
    request: { method, path, query: new URLSearchParams(), headers, body: sent },
    reply: { status, headers: replied ?? {}, body },
  } as ObservedExchange);

const file = { ".tag": "file", name: "a", size: 1, modified: "2024-01-01T00:00:00Z" };
const result = (...entries: object[]) => ({ entries, cursor: "c" });
const replyTo = (body: unknown) => problems({ sent: { path: "" }, body });

test("an exchange that follows the description has no problems", () => {
  const folder = { ".tag": "folder", name: "b" };
  expect(problems({ sent: { path: "/a", limit: 5, recursive: true }, body: result(file, folder) })).toEqual([]);
});

test("a path that is not a route is not described", () => {
  expect(problems({ path: "/files/list" })).toBeUndefined();
});

describe("a request", () => {
  test.each([
    [{}, "body/path is missing"],
    [{ path: "x" }, "body/path must match"],
    [{ path: "", limit: 0 }, "body/limit must be UInt32 within its range"],
    [{ path: "", limit: 2001 }, "body/limit must be UInt32 within its range"],
    [{ path: "", recursive: "yes" }, "body/recursive must be a boolean"],
    [{ path: "", depth: 1 }, "body/depth is not described"],
    ["text", "body must be an object"],
  ])("a request with %j is refused", (sent, problem) => {
    expect(problems({ sent, body: result() })).toEqual([expect.stringContaining(problem)]);
  });

  test("a request to a function without arguments has no body", () => {
    expect(problems({ path: "/files/me", body: null })).toEqual([]);
    expect(problems({ path: "/files/me", sent: {}, body: null })).toEqual(["/files/me body must be null"]);
    expect(problems({ path: "/files/me", method: "GET", body: null })).toEqual(["/files/me must be a POST"]);
  });
});

describe("a reply", () => {
  test.each([
    [{ entries: [] }, "reply 200/cursor is missing"],
    [{ entries: [], cursor: "" }, "reply 200/cursor is too short"],
    [{ entries: {}, cursor: "c" }, "reply 200/entries must be a list"],
    [result({ name: "a" }), "reply 200/entries/*/.tag must name a subtype"],
    [result({ ...file, ".tag": "folder", modified: undefined }), "reply 200/entries/*/size is not described"],
    [result({ ...file, size: undefined }), "reply 200/entries/*/size is missing"],
    [result({ ...file, size: -1 }), "reply 200/entries/*/size must be UInt64 within its range"],
    [result({ ...file, modified: "2024-01-01T00:00:00.000Z" }), "reply 200/entries/*/modified must be a time like"],
    [result({ ...file, lock: { ".tag": "lost" } }), "reply 200/entries/*/lock/.tag is not one of the union's"],
    [result({ ...file, lock: { ".tag": "held" } }), "reply 200/entries/*/lock/by is missing"],
    [result({ ...file, lock: { ".tag": "reason", reason: 1 } }), "reply 200/entries/*/lock/reason must be a string"],
    [result({ ...file, lock: { ".tag": "unlocked", by: "me" } }), "reply 200/entries/*/lock/by is not described"],
  ])("a reply with %j is refused", (body, problem) => {
    expect(replyTo(body)).toEqual([expect.stringContaining(problem)]);
  });

  test.each([
    null,
    { ".tag": "unlocked" },
    "unlocked",
    { ".tag": "other" },
    { ".tag": "held", by: "me" },
    { ".tag": "reason", reason: "x" },
  ])("a reply may have a union as %j", (lock) => {
    expect(replyTo(result({ ...file, lock, elsewhere: { any: 1 } }))).toEqual([]);
  });
});

describe("an error", () => {
  const error = (status: number, body: unknown) => problems({ sent: { path: "" }, status, body });

  test("an error of a route is the route's, and others are the same for all", () => {
    const notFound = { ".tag": "path", path: { ".tag": "not_found" } };
    expect(error(409, { error_summary: "path/not_found/..", error: notFound })).toEqual([]);
    expect(error(409, { error_summary: "x", error: { ".tag": "path", path: { ".tag": "malformed" } } })).toEqual([]);
    expect(error(401, { error_summary: "x", error: { ".tag": "invalid_access_token" } })).toEqual([]);
    expect(error(400, "plain text")).toEqual([]);
  });

  test("an error without a summary, or of another type, is refused", () => {
    expect(error(409, { error: { ".tag": "reset" } })).toEqual([
      "/files/list_v2 reply 409/error_summary must be a string",
      "/files/list_v2 reply 409/error/.tag is not one of the union's",
    ]);
    // A closed union has no `other`.
    expect(error(409, { error_summary: "other/..", error: { ".tag": "other" } })).toHaveLength(1);
    expect(error(401, { error_summary: "x", error: { ".tag": "expired" } })).toHaveLength(1);
  });
});

test("a download has its argument and its result in headers, both in ASCII", () => {
  const { ".tag": _, ...metadata } = file;
  const download = (argument: string | undefined, replied: object) =>
    problems({
      path: "/files/get",
      method: "GET",
      headers: argument === undefined ? {} : { "dropbox-api-arg": argument },
      body: "bytes",
      replied: { "dropbox-api-result": JSON.stringify(replied) },
    });
  expect(download('{"path":"id:1"}', metadata)).toEqual([]);
  expect(download(undefined, metadata)).toEqual(["/files/get header dropbox-api-arg is missing"]);
  expect(download('{"path":"/ü"}', metadata)).toEqual(["/files/get header dropbox-api-arg must be ASCII"]);
  expect(download('{"path":"id:1"}', {})).toHaveLength(3);
});
