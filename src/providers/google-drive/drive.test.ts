import { describe, expect, test } from "vitest";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import { ProviderFailure } from "../../contracts/fault.ts";
import type { DownloadImplementation } from "../../contracts/provider.ts";
import type { UpstreamRequest } from "../../contracts/upstream.ts";
import { googleFailureWithReason } from "../../emulator-kit/google.ts";
import implemented, { searchQuery } from "./drive.ts";
import manifest from "./manifest.ts";
import { toFile } from "./records.ts";

const listFiles = implemented.operations.listFiles as AnyList;
const downloadFile = implemented.operations.downloadFile as DownloadImplementation;

test.each([
  ["Grüße 日本語", "'Grüße 日本語'"],
  ["it's", String.raw`'it\'s'`],
  [String.raw`x' or name contains 'a\ `, String.raw`'x\' or name contains \'a\\ '`],
  [`"a" (b*) 100%`, `'"a" (b*) 100%'`],
])("the text of a search for %s cannot end its quotes", (query, text) => {
  expect(searchQuery({ query, folder_id: "1f" })).toBe(
    `'1f' in parents and fullText contains ${text} and trashed = false`,
  );
});

describe("a file", () => {
  test("a file with every field is mapped", () => {
    expect(
      toFile({
        id: "1a",
        name: "Grüße.txt",
        mimeType: "text/plain",
        size: "9007199254740",
        createdTime: "2026-03-29T00:59:59.123Z",
        modifiedTime: "2026-03-29T03:00:00.5+02:00",
        webViewLink: "https://drive.google.com/file/d/1a/view",
        parents: ["1folder"],
      }),
    ).toEqual({
      id: "1a",
      name: "Grüße.txt",
      mime_type: "text/plain",
      size: 9007199254740,
      created_at: "2026-03-29T00:59:59.123Z",
      updated_at: "2026-03-29T01:00:00.500Z",
      url: "https://drive.google.com/file/d/1a/view",
      is_folder: false,
      parent_id: "1folder",
    });
  });

  test("a file with nothing but an id has that as its name", () => {
    expect(toFile({ id: "1a" })).toEqual({
      id: "1a",
      name: "1a",
      mime_type: null,
      size: null,
      created_at: null,
      updated_at: null,
      url: null,
      is_folder: false,
      parent_id: null,
    });
  });

  test("an empty file has the size 0", () => {
    expect(toFile({ id: "1a", size: "0" }).size).toBe(0);
  });

  test("a folder has no type", () => {
    const folder = toFile({ id: "1a", mimeType: "application/vnd.google-apps.folder" });
    expect([folder.is_folder, folder.mime_type]).toEqual([true, null]);
  });

  test("a file at the top of My Drive or of a shared drive has no parent", () => {
    expect(toFile({ id: "1a", parents: ["0AExampleRootUk9PVA"] }).parent_id).toBeNull();
    expect(toFile({ id: "1a", driveId: "0AOther", parents: ["0AOther"] }).parent_id).toBeNull();
    expect(toFile({ id: "1a", driveId: "0AOther", parents: ["1folder"] }).parent_id).toBe("1folder");
  });
});

describe("the search query of a list", () => {
  const query = (input: object) =>
    listFiles.request({
      input,
      limit: 10,
      place: { query: {}, otherDrives: [] },
      select: [],
    } as unknown as AnyPageContext).query.q;

  test("the search query of a list leaves out what is in the trash", () => {
    expect(query({})).toBe("trashed = false");
    expect(query({ folder_id: "1a", updated_since: "2026-01-01T00:00:00.000Z" })).toBe(
      "'1a' in parents and modifiedTime >= '2026-01-01T00:00:00.000Z' and trashed = false",
    );
  });

  test("the search query of a list cannot be changed by the ID of a folder", () => {
    expect(query({ folder_id: "x' in parents or '\\" })).toBe(
      "'x\\' in parents or \\'\\\\' in parents and trashed = false",
    );
  });
});

describe("the places of a list", () => {
  const places = (input: object, upstream: (request: UpstreamRequest) => unknown) =>
    listFiles.places!({ input, upstream } as unknown as AnyPageContext);
  const failWith = (reason: string) => {
    const { status, body } = googleFailureWithReason(403, { reason });
    return () => Promise.reject(new ProviderFailure(status, {}, Buffer.from(JSON.stringify(body))));
  };

  test("a list reads the user's own files and every shared drive, on however many pages those are listed", async () => {
    const found = await places({}, ({ locked }) =>
      Promise.resolve({
        body: locked.pageToken ? { drives: [{ id: "c" }] } : { drives: [{ id: "a" }, { id: "b" }], nextPageToken: "2" },
      }),
    );
    expect(found.map(({ id }) => id)).toEqual(["user", "a", "b", "c"]);
    expect(found[0]).toMatchObject({ otherDrives: ["a", "b", "c"] });
  });

  test("a list reads all drives in one search if the scopes do not allow listing shared drives", async () => {
    const found = await places({}, failWith("insufficientPermissions"));
    expect(found).toEqual([{ id: "allDrives", query: { corpora: "allDrives" }, otherDrives: [] }]);
  });

  test("a list fails if the list of shared drives fails for another reason", async () => {
    await expect(places({}, failWith("forbidden"))).rejects.toThrow(ProviderFailure);
    const notJson = () => Promise.reject(new ProviderFailure(403, {}, Buffer.from("<html>")));
    await expect(places({}, notJson)).rejects.toThrow(ProviderFailure);
  });

  test("a list of a folder reads one place, without a further call", async () => {
    expect(await places({ folder_id: "1a" }, () => expect.unreachable())).toHaveLength(1);
  });
});

describe("the download of a Google document", () => {
  const source = (mimeType: string, name = "Plan") =>
    downloadFile.source({
      input: { file_id: "1a" },
      upstream: () => Promise.resolve({ body: { id: "1a", name, mimeType } }),
    } as unknown as AnyPageContext);

  test.each([
    ["document", "Plan.docx", /wordprocessingml/],
    ["spreadsheet", "Plan.xlsx", /spreadsheetml/],
    ["presentation", "Plan.pptx", /presentationml/],
    ["drawing", "Plan.pdf", /^application\/pdf$/],
    ["script", "Plan.json", /json$/],
  ])("a %s is exported as %s", async (type, fileName, contentType) => {
    const found = await source(`application/vnd.google-apps.${type}`);
    expect(found).toMatchObject({ fileName, contentType: expect.stringMatching(contentType) });
    expect(found.request).toMatchObject({ path: "/files/1a/export", query: { mimeType: found.contentType } });
  });

  test("the download of a Google document does not repeat an extension that its name has already", async () => {
    expect((await source("application/vnd.google-apps.document", "Plan.DOCX")).fileName).toBe("Plan.DOCX");
  });

  test("a Google document that cannot be exported is left to Google to refuse", async () => {
    const { request } = await source("application/vnd.google-apps.form");
    expect(request).toMatchObject({ path: "/files/1a", query: { alt: "media" } });
  });
});

test("a rate limit that Google reports as 403 is one for the engine as well", () => {
  const { body } = googleFailureWithReason(403, { reason: "userRateLimitExceeded" });
  expect(manifest.failed({ status: 403, headers: {}, body: body as object })).toBe(429);
});
