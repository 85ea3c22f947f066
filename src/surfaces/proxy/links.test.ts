import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ConnectionContext, Forwarded, RequestTarget } from "../../engine/index.ts";
import { createLinkRewriter, hasRewritableBody } from "./links.ts";

const API = "https://acme.example.com/api/v2";
const OWN = "http://127.0.0.1:8080/proxy";
const connection = {
  address: () => ({ origin: "https://acme.example.com", path: "/api/v2" }),
  linkAddresses: () => [
    { to: "uploads", url: "https://uploads.example.com" },
    { to: "api", url: "https://*.eu.example.com/api/v2" },
    { to: "api", url: API },
    { to: "site", url: "https://acme.example.com" },
  ],
  provider: { manifest: { webPages: ["site"], publicLinks: /\/avatars\// } },
} as unknown as ConnectionContext;
const links = createLinkRewriter(connection, { to: "api", prefix: "" } as RequestTarget, OWN);

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
  links.body(pipeTo)({
    write: (chunk) => written.push(chunk) > 0,
    end: (last) => void (last && written.push(last)),
    fail() {},
  });
  return Buffer.concat(written).toString();
}

describe("links in a body", () => {
  it.each([
    [`{"next_page":"${API}/tickets?page=2"}`, `{"next_page":"${OWN}/tickets?page=2"}`],
    [`{\n  "@odata.nextLink" : "${API}"\n}`, `{\n  "@odata.nextLink" : "${OWN}"\n}`],
    [`["${API}?page=2","${API}#x"]`, `["${OWN}?page=2","${OWN}#x"]`],
    [`{"next":"${API.replaceAll("/", "\\/")}\\/x\\u0026y"}`, `{"next":"${OWN}\\/x\\u0026y"}`],
    [`{"next":"http://acme.example.com/api/v2/x"}`, `{"next":"${OWN}/x"}`],
    [`{"next":"https://a-b.eu.example.com/api/v2/x"}`, `{"next":"${OWN}/x"}`],
    [`{"upload_url":"https://uploads.example.com/x{?name}"}`, `{"upload_url":"${OWN}/@uploads/x{?name}"}`],
    [`{"all_url":"${API}{/id}"}`, `{"all_url":"${OWN}{/id}"}`],
    [`"${API}/whole"`, `"${OWN}/whole"`],
  ])("%s becomes %s", (body, rewritten) => {
    expect(pipe(body)).toBe(rewritten);
    expect(JSON.parse(pipe(body))).toBeDefined();
  });

  it.each([
    "",
    "[]",
    `{"next_page":"https://acme.example.com/api/v20/x"}`,
    `{"next_page":"https://other.example/api/v2/x"}`,
    `{"next_page":"https://acme.example.com.evil.example/api/v2/x"}`,
    `{"web_url":"https://acme.example.com/tickets/1"}`,
    `{"avatar":"${API}/avatars/1.png"}`,
    `{"text":"${API}/x is broken"}`,
    `{"text":"${API}/x\\nis broken"}`,
    `{"text":"see ${API}/x"}`,
    `{"text":"\\"${API}/x\\""}`,
    `{"text":"${API}/${"x".repeat(20_000)} y"}`,
    `{"unfinished":"${API}/x`,
  ])("%s is unchanged", (body) => {
    expect(pipe(body)).toBe(body);
  });

  it("neither the places where chunks end nor the text around a link make a difference", () => {
    const text = fc.constantFrom(
      ...[`"next_page":"${API}/p?x=1"`, `"next":"${API}"`, '"title":"Grüße 👋"', `"quoted":"\\"${API}/x\\""`],
      ...[`"note":"${"long ".repeat(60)}"`, `"next_page":"${API.slice(0, 20)}"`, "\n  ", `"text":"${API} x"`],
      ...[`"quoted":"\\"${API}/x"`, `"escaped":"\\\\"`, `"text":"${API}\\"x"`, `"http":"h","next":"${API}"`],
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
            `$1${OWN}`,
          );
          expect(pipe(body, ends, { endsWithChunk })).toBe(expected);
        },
      ),
    );
  });

  it("what is not the beginning of a link is passed on with the chunk that it came in", () => {
    const seen: string[] = [];
    let source: Parameters<Forwarded["pipeTo"]>[0];
    const flow = { resume() {}, cancel() {} };
    links.body((writer) => {
      source = writer;
      return flow;
    })({ write: (chunk) => seen.push(String(chunk)) > 0, end: (last) => void seen.push(String(last)), fail() {} });
    for (const chunk of ['{"a":1}\n', '{"b":"', 'text"}\n', `{"c":"${API.slice(0, 12)}`, `${API.slice(12)}/x"}`])
      source!.write(Buffer.from(chunk));
    expect(seen).toEqual(['{"a":1}\n', '{"b"', ':"text"}\n', '{"c"', `:"${OWN}/x"`, "}"]);
  });

  it("a chunk is not copied because a link has begun before it", () => {
    const written: Buffer[] = [];
    const chunks = [`{"next":"${API}/`, `x","text":"${"long ".repeat(60)}"}`].map((text) => Buffer.from(text));
    links.body((writer) => {
      for (const chunk of chunks) writer.write(chunk);
      return { resume() {}, cancel() {} };
    })({ write: (chunk) => written.push(chunk) > 0, end() {}, fail() {} });
    expect(written.map(({ length }) => length)).toEqual([7, `:"${OWN}/x"`.length, chunks[1]!.length - 2]);
    expect(written[2]!.byteOffset).toBe(chunks[1]!.byteOffset + 2);
    expect(written[2]!.buffer).toBe(chunks[1]!.buffer);
  });

  it("only JSON that is neither compressed nor a file is searched", () => {
    for (const type of ["application/json", "application/json; charset=utf-8", "application/hal+json"])
      expect(hasRewritableBody({ "content-type": type })).toBe(true);
    for (const headers of [
      {},
      { "content-type": "text/plain" },
      { "content-type": "application/jsonl" },
      { "content-type": "application/json", "content-encoding": "gzip" },
      { "content-type": "application/json", "content-disposition": 'attachment; filename="a.json"' },
      { "content-type": "application/vnd.github.raw+json; charset=utf-8" },
    ])
      expect(hasRewritableBody(headers as Forwarded["headers"])).toBe(false);
  });
});

it("in headers, the targets of Link and values that are links are rewritten, web pages included", () => {
  const headers: Forwarded["headers"] = {
    link: [`<${API}/x?page=2>; rel="next", <${API}0/x>; rel="odd"`, `<https://other.example/>; rel="last"`],
    location: "https://uploads.example.com/session/1",
    "content-location": `${API}/x`,
    "x-page": "https://acme.example.com/page",
    "x-text": `see ${API}/x`,
    server: "acme",
  };
  links.headers(headers);
  expect(headers).toEqual({
    link: [
      `<${OWN}/x?page=2>; rel="next", <${OWN}/@site/api/v20/x>; rel="odd"`,
      `<https://other.example/>; rel="last"`,
    ],
    location: `${OWN}/@uploads/session/1`,
    "content-location": `${OWN}/x`,
    "x-page": `${OWN}/@site/page`,
    "x-text": `see ${API}/x`,
    server: "acme",
  });
});

it("in headers, a link without a host is one to the provider", () => {
  const withoutSite = { ...connection, linkAddresses: () => [{ to: "api", url: API }] };
  const headers: Forwarded["headers"] = {
    link: `</api/v2/x?page=2>; rel="next", </help>; rel="help", <?page=1>; rel="first"`,
    location: "/api/v2/tickets/1",
    "content-location": "/login",
    "x-path": "/api/v2/x",
  };
  createLinkRewriter(withoutSite, { to: "api", prefix: "" } as RequestTarget, OWN).headers(headers);
  expect(headers).toEqual({
    link: `<${OWN}/x?page=2>; rel="next", </help>; rel="help", <?page=1>; rel="first"`,
    location: `${OWN}/tickets/1`,
    "content-location": "/login",
    "x-path": "/api/v2/x",
  });
  const elsewhere: Forwarded["headers"] = { location: "//other.example/api/v2/x" };
  links.headers(elsewhere);
  expect(elsewhere).toEqual({ location: "//other.example/api/v2/x" });
});
