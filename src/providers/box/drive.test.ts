import { describe, expect, test } from "vitest";
import { nextFound, nextPage } from "./drive.ts";
import { type BoxItem, toFile } from "./records.ts";

const file: BoxItem = {
  type: "file",
  id: "1204",
  name: "Zahlen.xlsx",
  size: 629_644,
  created_at: "2012-12-12T10:53:43-08:00",
  modified_at: "2012-12-12T10:53:44-08:00",
  parent: { id: "12" },
  item_status: "active",
};
const folder = (id: string, more: Partial<BoxItem> = {}): BoxItem => ({ type: "folder", id, name: id, ...more });

describe("toFile", () => {
  test("a file has times in UTC, and a type that follows from its name", () => {
    expect(toFile(file)).toEqual({
      id: "1204",
      name: "Zahlen.xlsx",
      mime_type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      size: 629_644,
      created_at: "2012-12-12T18:53:43.000Z",
      updated_at: "2012-12-12T18:53:44.000Z",
      url: "https://app.box.com/file/1204",
      is_folder: false,
      parent_id: "12",
    });
  });

  test("a folder has neither a type nor a size, and a page of its own", () => {
    expect(toFile(folder("12", { name: "Numbers.xlsx", size: 99, parent: { id: "0" } }))).toMatchObject({
      mime_type: null,
      size: null,
      url: "https://app.box.com/folder/12",
      is_folder: true,
    });
  });

  test("what is at the top has no parent, and neither has what is in a folder that the user cannot see", () => {
    expect(toFile({ ...file, parent: { id: "0" } }).parent_id).toBeNull();
    expect(toFile({ ...file, parent: null }).parent_id).toBeNull();
  });

  test("the folder at the top has no times", () => {
    expect(toFile(folder("0", { created_at: null, modified_at: null, parent: null }))).toMatchObject({
      created_at: null,
      updated_at: null,
      parent_id: null,
    });
  });
});

describe("nextPage", () => {
  const here = { folder: "1", pending: ["8", "9 m"] };

  test("the folders of a page come before the rest of their parent, and that before what was pending", () => {
    const entries = [folder("2"), file, folder("3")];
    expect(nextPage({ entries, next_marker: "m1" }, here, true)).toEqual({
      folder: "2",
      marker: "",
      pending: ["3", "1 m1", "8", "9 m"],
    });
  });

  test("the rest of a folder continues at its marker", () => {
    const entries = [file];
    expect(nextPage({ entries, next_marker: "m1" }, here, true)).toEqual({
      folder: "1",
      marker: "m1",
      pending: ["8", "9 m"],
    });
    expect(nextPage({ entries, next_marker: "" }, { folder: "1", pending: ["9 m", "10"] }, true)).toEqual({
      folder: "9",
      marker: "m",
      pending: ["10"],
    });
  });

  test.each([null, undefined, ""])(
    "a walk ends with the last page of the last folder, whose marker is %j",
    (marker) => {
      const body = { entries: [file], ...(marker === undefined ? {} : { next_marker: marker }) };
      expect(nextPage(body, { folder: "1", pending: [] }, true)).toBeNull();
    },
  );

  test("folders in the trash are not read", () => {
    const entries = [folder("2", { item_status: "trashed" }), folder("3", { item_status: "active" })];
    expect(nextPage({ entries }, { folder: "1", pending: [] }, true)).toMatchObject({ folder: "3", pending: [] });
  });

  test("a list of one folder does not descend into others", () => {
    expect(nextPage({ entries: [folder("2")] }, { folder: "1", pending: [] }, false)).toBeNull();
  });
});

test("a search has no page at an offset above 10,000, which Box would refuse", () => {
  const nextAfter = (marker: string) =>
    nextFound({ entries: [file], total_count: 20_000 }, { folder: "0", marker, pending: [] })?.marker;
  expect([nextAfter(""), nextAfter("9999"), nextAfter("10000")]).toEqual(["1", "10000", undefined]);
});
