import { expect, test } from "vitest";
import { fileReply } from "./file.ts";

const read = (headers: Record<string, string> = {}) => fileReply({ headers }, "0123456789", { etag: '"e"' });

test("without a range the whole file is sent", () => {
  expect(read()).toMatchObject({ status: 200, body: "0123456789", headers: { etag: '"e"', "accept-ranges": "bytes" } });
});

test.each([
  ["bytes=2-4", "234", "bytes 2-4/10"],
  ["bytes=7-", "789", "bytes 7-9/10"],
  ["bytes=-2", "89", "bytes 8-9/10"],
  ["bytes=8-99", "89", "bytes 8-9/10"],
])("the range %s is %s", (range, body, contentRange) => {
  const { body: sent, ...reply } = read({ range });
  expect(String(sent)).toBe(body);
  expect(reply).toMatchObject({ status: 206, headers: { "content-range": contentRange } });
});

test("a range after the end is refused", () => {
  expect(read({ range: "bytes=10-" })).toMatchObject({ status: 416, headers: { "content-range": "bytes */10" } });
});

test("a file that the client has already is not sent again", () => {
  expect(read({ "if-none-match": '"e"' }).status).toBe(304);
  expect(read({ "if-none-match": '"other"' }).status).toBe(200);
});
