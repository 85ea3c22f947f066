import { createHash } from "node:crypto";
import { PassThrough, Readable } from "node:stream";
import { expect, it } from "vitest";
import { type FileContent, hasContent, hashWhileRead } from "./file-content.ts";

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const fileOf = (chunks: string[], size?: number) => ({
  body: Readable.from(
    chunks.map((chunk) => Buffer.from(chunk)),
    { objectMode: false },
  ),
  contentType: "text/plain",
  size,
});

it("a file is hashed while it is read, and is whole at its end or after all the bytes that it should have", async () => {
  const read = async (size?: number) => {
    const body = new PassThrough();
    const { file, content } = hashWhileRead({ ...fileOf([], size), body });
    const chunks = file.body.iterator();
    body.write("ab");
    await chunks.next();
    const begun = content();
    body.end("cd");
    for await (const _ of chunks);
    return [begun, content()];
  };
  expect(await read()).toEqual([
    { sha256: sha256("ab"), size: 2, isWhole: false },
    { sha256: sha256("abcd"), size: 4, isWhole: true },
  ]);
  const [begun] = await read(2);
  expect(begun).toMatchObject({ size: 2, isWhole: true });
});

const whole: FileContent = { sha256: sha256("abcd"), size: 4, isWhole: true };
const part: FileContent = { ...whole, isWhole: false };

it.each<[string, boolean, FileContent, string[], number?]>([
  ["the same file", true, whole, ["abcd"]],
  ["the same file in other chunks, with its length", true, whole, ["a", "bcd"], 4],
  ["a file of the same length", false, whole, ["abcx"]],
  ["a longer file", false, whole, ["abcd", "e"]],
  ["a longer file in one chunk", false, whole, ["abcde"]],
  ["a shorter file", false, whole, ["abc"]],
  ["a file whose length says enough", false, whole, ["abcd"], 5],
  ["a file that starts with the part that was read", true, part, ["ab", "cdef", "gh"], 8],
  ["a file that ends where the reading did", true, part, ["abcd"]],
  ["a file that starts in another way", false, part, ["abxdef"]],
  ["a file that ends before that", false, part, ["abc"]],
])("%s is recognized: %s", async (_, isSame, content, chunks, size) => {
  expect(await hasContent(fileOf(chunks, size), content)).toBe(isSame);
});

it("a file that is not read to its end stays open, because the response goes over the same connection", async () => {
  const body = new PassThrough();
  const { file } = hashWhileRead({ ...fileOf([]), body });
  // More than is read ahead: the reading ends with a chunk, and not while it waits for one.
  for (let count = 0; count < 3; count++) body.write(Buffer.alloc(100_000));
  for await (const _ of file.body) break;
  await new Promise(setImmediate);
  expect([file.body.destroyed, body.destroyed]).toEqual([true, false]);
});

it("what is not needed of a file is drained, so that its client gets an answer", async () => {
  const file = fileOf(["abcd", "e", "f"]);
  await hasContent(file, part);
  await new Promise((resolve) => file.body.once("close", resolve));
  expect(file.body.readableEnded).toBe(true);
});
