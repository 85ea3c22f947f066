import { expect, it } from "vitest";
import { redact, redactHeaders, redactResponse, redactStream } from "./redact.ts";
import type { BodyWriter, StreamedResponse } from "./stream-response.ts";

const SECRETS = ["bot12:secret", "12:secret", "bot12"];

/** A body in chunks of this size. */
const inChunks =
  (text: string, size: number): StreamedResponse["pipeTo"] =>
  (writer) => {
    for (let at = 0; at < text.length; at += size) writer.write(Buffer.from(text.slice(at, at + size)));
    writer.end();
    return { resume() {}, cancel() {} };
  };

function read(pipeTo: StreamedResponse["pipeTo"]): string[] {
  const chunks: string[] = [];
  const writer: BodyWriter = {
    write(chunk) {
      chunks.push(chunk.toString());
      return true;
    },
    end: (last) => void chunks.push(last?.toString() ?? ""),
    fail() {},
  };
  pipeTo(writer);
  return chunks;
}

const TEXTS = [
  "https://x/bot12:secret/a and 12:secret",
  "bot12:secret",
  "bot12",
  "bot12:secrex bot12:secret",
  "bobot12:secretbot12:secret",
  "no secret, bot1 at the end: bot1",
  "ä bot12:secret ö",
  "",
];

it.each(TEXTS)("%j has no secret wherever its chunks end", (text) => {
  const expected = redact(text, SECRETS);
  for (const secret of SECRETS) expect(expected).not.toContain(secret);
  for (let size = 1; size <= text.length + 1; size++)
    expect(read(redactStream(inChunks(text, size), SECRETS)).join("")).toBe(expected);
});

it("nothing is held back that cannot be the beginning of a secret", () => {
  expect(read(redactStream(inChunks("event one\n\nevent two\n\n", 11), SECRETS))).toEqual([
    "event one\n\n",
    "event two\n\n",
    "",
  ]);
});

it("headers have no secret, and a text that changes has no length", () => {
  const headers = { location: "https://x/bot12:secret/b", link: ["<https://x/bot12>"], "content-length": "9" };
  expect(redactHeaders(headers, SECRETS)).toEqual({
    location: "https://x/[redacted]/b",
    link: ["<https://x/[redacted]>"],
    "content-length": "9",
  });
  const response = { statusCode: 200, headers, pipeTo: inChunks("bot12", 9) };
  expect(redactResponse(response, SECRETS).headers).not.toHaveProperty("content-length");
  const file = { ...response, headers: { ...headers, "content-type": "image/png" } };
  expect(redactResponse(file, SECRETS)).toMatchObject({ headers: { "content-length": "9" }, pipeTo: file.pipeTo });
  expect(redactResponse(response, [])).toBe(response);
});
