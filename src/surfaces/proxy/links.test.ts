import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Forwarded } from "../../engine/index.ts";
import { isPlainJson, rewriteBodyLinks, rewriteLinks } from "./links.ts";

const rewrite = { from: "https://acme.example.com/api/v2", to: "http://127.0.0.1:8080/proxy" };
const FIELDS = ["next_page", "@odata.nextLink", "next"];

/** The body after it went through in chunks that end at the given places, as bytes. */
function pipe(body: string, ends: number[] = [], { endsWithChunk = false } = {}): string {
  const bytes = Buffer.from(body);
  const cuts = [...new Set(ends.map((end) => end % (bytes.length + 1)))].sort((a, b) => a - b);
  const chunks = [0, ...cuts].map((start, index) => bytes.subarray(start, cuts[index]));
  const written: Buffer[] = [];
  const pipeTo: Forwarded["pipeTo"] = (writer) => {
    const last = endsWithChunk ? chunks.pop() : undefined;
    for (const chunk of chunks) writer.write(chunk);
    writer.end(last);
    return { resume() {}, cancel() {} };
  };
  rewriteBodyLinks(
    pipeTo,
    FIELDS,
    rewrite,
  )({
    write: (chunk) => written.push(chunk) > 0,
    end: (last) => void (last && written.push(last)),
    fail() {},
  });
  return Buffer.concat(written).toString();
}

describe("links to other pages in a body", () => {
  it.each([
    [`{"next_page":"${rewrite.from}/tickets?page=2"}`, `{"next_page":"${rewrite.to}/tickets?page=2"}`],
    [`{"next_page" : "${rewrite.from}?page=2"}`, `{"next_page" : "${rewrite.to}?page=2"}`],
    [`{\n  "@odata.nextLink": "${rewrite.from}"\n}`, `{\n  "@odata.nextLink": "${rewrite.to}"\n}`],
    [
      `{"a":[{"next":"${rewrite.from}/1"},{"next":"${rewrite.from}/2"}]}`,
      `{"a":[{"next":"${rewrite.to}/1"},{"next":"${rewrite.to}/2"}]}`,
    ],
    [`{"next":"${rewrite.from.replaceAll("/", "\\/")}\\/x"}`, `{"next":"${rewrite.to}\\/x"}`],
  ])("%s becomes %s", (body, rewritten) => {
    expect(pipe(body)).toBe(rewritten);
    expect(JSON.parse(pipe(body))).toBeTypeOf("object");
  });

  it.each([
    "",
    "[]",
    `{"next_page":null}`,
    `{"url":"${rewrite.from}/tickets/1"}`,
    `{"next_page":"https://acme.example.com/api/v20/x"}`,
    `{"next_page":"https://other.example/api/v2/x"}`,
    `{"next_page":["${rewrite.from}/x"]}`,
    `{"xnext":"${rewrite.from}/x"}`,
    `{"note":"\\"next_page\\":\\"${rewrite.from}/x"}`,
  ])("%s is unchanged", (body) => {
    expect(pipe(body)).toBe(body);
  });

  it("neither the places where chunks end nor the text around a link make a difference", () => {
    const text = fc.constantFrom(
      ...[`"next_page":"${rewrite.from}/p?x=1"`, `"next":"${rewrite.from}"`, '"title":"Grüße 👋"', '"next_page":null'],
      ...[`"note":"${"long ".repeat(60)}"`, `"next_page":"${rewrite.from.slice(0, 20)}"`, "\n  "],
    );
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 6 }),
        fc.array(fc.nat(2000)),
        fc.boolean(),
        (texts, ends, endsWithChunk) => {
          const body = `{${texts.join(",")}}`;
          const expected = body.replaceAll(
            /("next(?:_page)?":")https:\/\/acme\.example\.com\/api\/v2(?=[/"])/g,
            `$1${rewrite.to}`,
          );
          expect(pipe(body, ends, { endsWithChunk })).toBe(expected);
        },
      ),
    );
  });

  it("only JSON that is not compressed is searched", () => {
    for (const type of ["application/json", "application/json; charset=utf-8", "application/hal+json"])
      expect(isPlainJson({ "content-type": type })).toBe(true);
    for (const headers of [
      {},
      { "content-type": "text/plain" },
      { "content-type": "application/jsonl" },
      { "content-type": "application/json", "content-encoding": "gzip" },
    ])
      expect(isPlainJson(headers as Forwarded["headers"])).toBe(false);
  });
});

it("Link headers: only targets below the provider's address are rewritten", () => {
  expect(rewriteLinks(`<${rewrite.from}/x?page=2>; rel="next", <${rewrite.from}0/x>; rel="odd"`, rewrite)).toBe(
    `<${rewrite.to}/x?page=2>; rel="next", <${rewrite.from}0/x>; rel="odd"`,
  );
});
