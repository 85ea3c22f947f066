import { createSecretKey, type KeyObject } from "node:crypto";
import { expect, it } from "vitest";
import { type CursorBinding, createCursors, type Position } from "./cursor.ts";

const [current, former, foreign] = [1, 2, 3].map((fill) => createSecretKey(Buffer.alloc(32, fill))) as [
  KeyObject,
  KeyObject,
  KeyObject,
];
const cursors = createCursors(() => [current, former]);
const binding: CursorBinding = {
  operation: "git.listIssues",
  provider: "acme",
  origin: "https://api.acme.example",
  params: { repo: "a/b" },
};
const position: Position = { size: 50, cursor: { page: "2" }, skip: 3, last: "x" };

it("a cursor is opened to the position that it was sealed with", () => {
  expect(cursors.open(binding, cursors.seal(binding, position))).toEqual(position);
});

it("a cursor that was sealed with a former key is still accepted, one with a foreign key is not", () => {
  expect(createCursors(() => [former]).seal(binding, position)).toSatisfy(
    (cursor: string) => cursors.open(binding, cursor).size === 50,
  );
  const forged = createCursors(() => [foreign]).seal(binding, position);
  expect(() => cursors.open(binding, forged)).toThrow(/invalid cursor/);
});

it.each<Partial<CursorBinding>>([
  { operation: "git.listPullRequests" },
  { provider: "other" },
  { origin: "https://evil.example" },
  { params: { repo: "a/c" } },
])("a cursor is refused with another %o", (other) => {
  const cursor = cursors.seal(binding, position);
  expect(() => cursors.open({ ...binding, ...other }, cursor)).toThrow(/invalid cursor/);
});

it("a cursor is refused if any of its characters was changed, added or removed", () => {
  const cursor = cursors.seal(binding, position);
  for (let index = 0; index < cursor.length; index++) {
    const changed = cursor.slice(0, index) + (cursor[index] === "A" ? "B" : "A") + cursor.slice(index + 1);
    expect(() => cursors.open(binding, changed), `character ${index}`).toThrow(/invalid cursor/);
  }
  for (const changed of [`${cursor}A`, cursor.slice(0, -1), `${cursor}=`, "", "AAAA", cursor.slice(0, 22)])
    expect(() => cursors.open(binding, changed), changed).toThrow(/invalid cursor/);
});
