// Streams of the SDK: lists that are read from one response, and content that is uploaded.
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type * as sdk from "../../sdk/src/index.ts";
import { clientOf, ok, page, settled } from "./stub-client.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("a streamed list", () => {
  /** A response in pieces; without an end, the connection is lost after them. */
  const stream =
    (pieces: (object | string)[], { ends = true } = {}) =>
    () => {
      const parts = pieces.map((piece) => (typeof piece === "string" ? piece : `${JSON.stringify(piece)}\n`));
      const body = new ReadableStream({
        pull(controller) {
          const part = parts.shift();
          if (part !== undefined) controller.enqueue(new TextEncoder().encode(part));
          else if (ends) controller.close();
          else controller.error(new TypeError("terminated"));
        },
      });
      return new Response(body, { headers: { "x-request-id": "req_1" } });
    };
  const end = (next: string | null) => ({ metadata: { next } });
  const records = (...ids: number[]) => ids.map((id) => ({ id }));
  const idsOf = (all: object[]) => all.map((one) => (one as { id: number }).id);
  const streamed = (connection: sdk.ConnectionClient, query = {}) => connection.git.repos.list(query, { stream: true });

  it("a streamed list is read from one response, in pieces that end anywhere, with spaces before its lines", async () => {
    const lines = [...records(1, 2), end("c1"), { id: 3, name: "Größe" }, end(null)]
      .map((line) => `  ${JSON.stringify(line)}\n`)
      .join("");
    const pieces = Array.from({ length: Math.ceil(lines.length / 7) }, (_, at) => lines.slice(at * 7, at * 7 + 7));
    const { connection, requests } = clientOf([stream(pieces)]);
    const pages = [];
    for await (const { data, next, response } of streamed(connection, { limit: 2 }).pages())
      pages.push([idsOf(data), next, response.requestId]);
    expect(pages).toEqual([
      [[1, 2], "c1", "req_1"],
      [[3], null, "req_1"],
    ]);
    expect(requests.map(({ url, headers }) => [url.search, headers.get("accept")])).toEqual([
      ["?limit=2", "application/x-ndjson"],
    ]);
  });

  it("an error in a streamed list is thrown, the provider's own with its body, after the records before it", async () => {
    const provider = { status: 403, body: '{"message":"no"}' };
    const failed = { success: false, errors: [{ code: 7006, message: "Provider Error", provider }] };
    const { connection } = clientOf([stream([...records(1), end("c1"), failed])]);
    const seen: object[] = [];
    const read = async () => {
      for await (const one of streamed(connection)) seen.push(one);
    };
    await expect(read()).rejects.toMatchObject({ name: "ProviderError", status: 403, body: { message: "no" } });
    expect(seen).toEqual(records(1));
    const busy = { success: false, errors: [{ code: 7005, message: "Service Unavailable" }] };
    const again = clientOf([stream([...records(1), end("c1"), busy]), stream([...records(2), end(null)])]);
    expect(idsOf(await settled(streamed(again.connection).toArray()))).toEqual([1, 2]);
  });

  it("nothing is sent before a streamed list is read, and awaiting it loads one page", async () => {
    const { connection, requests } = clientOf([page([{ id: 1 }], "c1")]);
    const list = streamed(connection);
    expect(requests).toHaveLength(0);
    expect((await list).data).toEqual([{ id: 1 }]);
    await list;
    expect(requests.map(({ headers }) => headers.get("accept"))).toEqual([null]);
  });

  it("a streamed list that is left closes its response", async () => {
    let closed = 0;
    const endless = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new TextEncoder().encode('{"id":1}\n{"metadata":{"next":"c1"}}\n')),
          cancel: () => void closed++,
        }),
      );
    const { connection } = clientOf([endless]);
    for await (const _ of streamed(connection)) break;
    expect(closed).toBe(1);
  });
});

describe("streams as content", () => {
  async function* chunks() {
    yield "Grü";
    yield new TextEncoder().encode("ße");
  }
  const sentBy = async (content: sdk.Content, options?: sdk.UploadOptions) => {
    const { connection, requests } = clientOf([ok({ id: "1" })]);
    await connection.drive.upload(content, { name: "a" }, options);
    const [{ headers, body }] = requests as [(typeof requests)[number]];
    const text = await new Response(body as ReadableStream).text();
    return [text, headers.get("content-length"), headers.get("content-type")];
  };

  it.each<[string, () => sdk.Content]>([
    ["a web stream", () => new Blob(["Grüße"]).stream()],
    ["a Node stream", () => Readable.from([Buffer.from("Grüße")])],
    ["an async iterable of text and bytes", chunks],
  ])("%s is uploaded as it is, with its size if that is given", async (_, content) => {
    expect(await sentBy(content())).toEqual(["Grüße", null, null]);
    expect(await sentBy(content(), { size: 7 })).toEqual(["Grüße", "7", null]);
  });

  it("a download is uploaded with its own size and type", async () => {
    const headers = { "content-length": "7", "content-type": "text/x-greeting" };
    const file = await clientOf([() => new Response("Grüße", { headers })]).connection.drive.download("1");
    expect(await sentBy(file)).toEqual(["Grüße", "7", "text/x-greeting"]);
  });

  it("a response is uploaded with its type, and with its size unless that is the size before decoding", async () => {
    const headers = { "content-length": "7", "content-type": "text/x-greeting" };
    expect(await sentBy(new Response("Grüße", { headers }))).toEqual(["Grüße", "7", "text/x-greeting"]);
    const decoded = new Response("Grüße", { headers: { ...headers, "content-encoding": "gzip" } });
    expect(await sentBy(decoded)).toEqual(["Grüße", null, "text/x-greeting"]);
    expect(await sentBy(new Response(null, { status: 204 }))).toEqual(["", null, null]);
  });

  it.each<[string, () => unknown]>([
    ["Undefined", () => undefined],
    ["Number", () => 5],
    ["Array", () => ["a", "b"]],
    ["Promise", () => Promise.resolve("a")],
    ["FormData", () => new FormData()],
    ["URLSearchParams", () => new URLSearchParams("a=b")],
    ["Generator", () => (function* () {})()],
  ])("content that is no text, bytes or stream is refused: %s", async (kind, content) => {
    const { connection, requests } = clientOf([ok()]);
    const upload = connection.drive.upload(content() as sdk.Content, { name: "a" });
    const reason = `content has to be text, bytes, a Blob, a stream, a Response or a download, not ${kind}`;
    await expect(upload).rejects.toThrow(new TypeError(reason));
    expect(requests).toHaveLength(0);
  });

  it.each<[string, () => unknown]>([
    ["an ArrayBuffer", () => new TextEncoder().encode("Hi").buffer],
    ["a DataView", () => new DataView(new TextEncoder().encode("Hi").buffer)],
    ["a Buffer", () => Buffer.from("Hi")],
    ["a Blob", () => new Blob(["Hi"])],
    ["a File", () => new File(["Hi"], "a")],
  ])("%s is uploaded as its bytes", async (_, content) => {
    expect((await sentBy(content() as sdk.Content))[0]).toBe("Hi");
  });

  it("a stream that is not read to its end is closed", async () => {
    let closed = false;
    async function* endless() {
      try {
        for (;;) yield "a";
      } finally {
        closed = true;
      }
    }
    const { connection, requests } = clientOf([ok()]);
    await connection.drive.upload(endless(), { name: "a" });
    const reader = (requests[0]!.body as ReadableStream).getReader();
    await reader.read();
    await reader.cancel();
    expect(closed).toBe(true);
  });
});
