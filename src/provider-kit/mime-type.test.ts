import { expect, test } from "vitest";
import { mimeTypeOf } from "./mime-type.ts";

test.each([
  ["report.pdf", "application/pdf"],
  ["PHOTO.JPG", "image/jpeg"],
  ["archive.tar.gz", "application/gzip"],
  ["Grüße.md", "text/markdown"],
  ["no extension", null],
  [".txt", null],
  ["ends with a dot.", null],
  ["program.unusual", null],
  ["trap.constructor", null],
])("the type of %j is %j", (name, type) => {
  expect(mimeTypeOf(name)).toBe(type);
});
