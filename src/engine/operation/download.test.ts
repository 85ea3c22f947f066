import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import type { Context, DownloadSource } from "../../contracts/provider.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { get } from "../../provider-kit/request.ts";
import { createCallWithRetries } from "../http/attempts.ts";
import { Cancellation, CancelledError } from "../http/cancellation.ts";
import type { BodyWriter, StreamedResponse } from "../http/stream-response.ts";
import type { TransportRequest } from "../http/transport.ts";
import { createDownloader } from "./download.ts";
import { createFormatGuard } from "./format-guard.ts";
import type { OperationRun } from "./upstream.ts";

interface FakeAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** The body begins, and its end never comes. */
  stalls?: boolean;
}

const telemetry = { upstream: vi.fn(), malformed: vi.fn(), skipped: vi.fn(), refresh: vi.fn(), warn: vi.fn() };
const tokens = { noteStatus: vi.fn(), isRefreshable: vi.fn(), refreshRefusedToken: vi.fn(), refusedAgain: vi.fn() };
const cancelled = vi.fn();
let sent: TransportRequest[];
let answers: FakeAnswer[];
/** How many bodies were read, or dropped. */
let read: number;

const download = createDownloader(
  {
    async stream(request, cancellation): Promise<StreamedResponse> {
      sent.push(request as TransportRequest);
      cancellation.onCancel({ cancel: cancelled });
      const { status = 200, headers = {}, body = "", stalls } = answers[Math.min(sent.length, answers.length) - 1]!;
      return {
        statusCode: status,
        headers,
        pipeTo(writer: BodyWriter) {
          read++;
          if (stalls) {
            writer.write(Buffer.from(body));
            cancellation.onCancel({ cancel: () => writer.fail(new CancelledError()) });
          } else writer.end(Buffer.from(body));
          return { resume() {}, cancel() {} };
        },
      };
    },
  },
  createCallWithRetries({ firstMs: 1000, retryMs: 1000 }, telemetry),
  tokens,
  createFormatGuard(telemetry),
);

const open = (
  source: Partial<DownloadSource> = {},
  headers: Record<string, string> = {},
  { maxRetries = 0, connection = testConnection(), client }: Partial<OperationRun> = {},
) => {
  const run: OperationRun = { connection, maxRetries, repeatable: true, calls: 0, bytes: 0, client };
  return download(run, { source: () => ({ request: get("/files/1"), ...source }) }, {} as Context, headers);
};

beforeEach(() => {
  vi.resetAllMocks();
  tokens.isRefreshable.mockReturnValue(false);
  sent = [];
  read = 0;
  answers = [{}];
});

it("a file keeps its type, length and name, and is always an attachment", async () => {
  answers = [{ headers: { "content-type": "image/png", "content-length": "7", etag: '"e"', "x-private": "no" } }];
  const { status, headers } = await open({ fileName: 'Grüße "1".png' });
  expect(status).toBe(200);
  expect(headers).toEqual({
    "content-type": "image/png",
    "content-length": "7",
    etag: '"e"',
    "content-disposition": `attachment; filename="Gr__e _1_.png"; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%221%22.png`,
    "x-content-type-options": "nosniff",
  });
});

it("the name and type that the implementation gives win over those of the response", async () => {
  answers = [{ headers: { "content-type": "text/html", "content-disposition": 'attachment; filename="a.html"' } }];
  expect((await open({ contentType: "text/markdown", fileName: "b.md" })).headers).toMatchObject({
    "content-type": "text/markdown",
    "content-disposition": expect.stringContaining('filename="b.md"'),
  });
});

it.each([
  ['attachment; filename="plain.txt"', "plain.txt"],
  ["attachment; filename=token.txt", "token.txt"],
  ["attachment; filename=\"x\"; filename*=UTF-8''na%C3%AFve.txt", "na_ve.txt"],
])("the name in %s is kept", async (disposition, name) => {
  answers = [{ headers: { "content-disposition": disposition } }];
  expect((await open()).headers["content-disposition"]).toContain(`filename="${name}"`);
});

it("a range is passed on, and so is the answer to it", async () => {
  answers = [{ status: 206, headers: { "content-range": "bytes 0-1/7", "content-length": "2" } }];
  const { status, headers } = await open({}, { range: "bytes=0-1" });
  expect(sent[0]!.headers).toMatchObject({ range: "bytes=0-1", authorization: "Bearer secret", accept: "*/*" });
  expect([status, headers["content-range"]]).toEqual([206, "bytes 0-1/7"]);
});

it("a redirect to another origin is followed without credentials, and with the range", async () => {
  answers = [{ status: 302, headers: { location: "https://storage.example/signed?x=1" } }, { body: "bytes" }];
  await open({}, { range: "bytes=5-" });
  expect(sent[1]).toEqual({
    origin: "https://storage.example",
    path: "/signed?x=1",
    method: "GET",
    headers: { "user-agent": "plugboard", range: "bytes=5-" },
    pathSecrets: [],
  });
});

it("a redirect within the origin keeps the credentials", async () => {
  answers = [{ status: 307, headers: { location: "/v1/blobs/1" } }, {}];
  await open();
  expect(sent[1]).toMatchObject({ path: "/v1/blobs/1", headers: { authorization: "Bearer secret" } });
});

it.each(["file:///etc/passwd", "javascript:alert(1)"])("a redirect to %s is not followed", async (location) => {
  answers = [{ status: 302, headers: { location } }];
  await expect(open()).rejects.toMatchObject({ status: 302 });
  expect(sent).toHaveLength(1);
});

it.each([
  ["a redirect to an address that cannot be read", { status: 302, headers: { location: "http://[bad" } }],
  ["a status above 599", { status: 600 }],
])("a file with %s is a malformed answer, and its body is not left waiting", async (_, answer) => {
  answers = [answer];
  await expect(open()).rejects.toMatchObject({ kind: "upstream_malformed" });
  expect(telemetry.upstream.mock.calls.map(([, status]) => status)).toEqual(["malformed"]);
  expect(cancelled).toHaveBeenCalledOnce();
});

it("a file whose description has another format than documented is a malformed answer", async () => {
  const run: OperationRun = { connection: testConnection(), maxRetries: 0, repeatable: true, calls: 0, bytes: 0 };
  const source = async () => {
    throw new TypeError("Cannot read properties of null");
  };
  await expect(download(run, { source }, {} as Context, {})).rejects.toMatchObject({ kind: "upstream_malformed" });
  expect(telemetry.malformed).toHaveBeenCalledOnce();
});

it("at most three redirects are followed", async () => {
  answers = [{ status: 302, headers: { location: "/again" } }];
  await expect(open()).rejects.toMatchObject({ status: 302 });
  expect(sent).toHaveLength(4);
});

it("the provider's error is passed on with its body", async () => {
  answers = [{ status: 404, headers: { "content-type": "application/json" }, body: '{"message":"no such file"}' }];
  await expect(open()).rejects.toMatchObject({ status: 404, body: Buffer.from('{"message":"no such file"}') });
});

it("an error has the status that it should have had by the rules of its provider, and is repeated by it", async () => {
  const failed = ({ status, body }: Answer) =>
    status === 403 && (body as { error?: string } | null)?.error === "rateLimit" ? 429 : undefined;
  const connection = testConnection({ manifest: { failed, retryAfter: () => 0 } });
  answers = [{ status: 403, body: '{"error":"rateLimit"}' }];
  await expect(open({}, {}, { connection })).rejects.toMatchObject({ status: 429 });
  sent = [];
  answers = [{ status: 403, body: '{"error":"rateLimit"}' }, { body: '{"error":"rateLimit"}' }];
  expect(await open({}, {}, { connection, maxRetries: 1 })).toMatchObject({ status: 200 });
  answers = [{ status: 403, body: "no" }];
  await expect(open({}, {}, { connection })).rejects.toMatchObject({ status: 403 });
});

it("an error whose body stalls is passed on as far as it came, after the timeout or when the client disconnects", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  answers = [{ status: 404, body: "no su", stalls: true }];
  const passedOn = expect(open()).rejects.toMatchObject({ status: 404, body: Buffer.from("no su") });
  await vi.runAllTimersAsync();
  await passedOn;
  const client = new Cancellation();
  const ended = expect(open({}, {}, { client })).rejects.toMatchObject({ status: 404 });
  await vi.advanceTimersByTimeAsync(0);
  client.cancel();
  await ended;
});

it("a file that is not ready yet is tried again, and otherwise reported as unavailable", async () => {
  answers = [{ status: 202, headers: { "retry-after": "0" } }, { body: "bytes" }];
  expect((await open({}, {}, { maxRetries: 1 })).status).toBe(200);
  expect(sent).toHaveLength(2);
  sent = [];
  answers = [{ status: 202, headers: { "retry-after": "5" } }];
  await expect(open()).rejects.toMatchObject({ status: 503, headers: { "retry-after": "5" } });
});

it("a refused token is refreshed once, and the download opened again", async () => {
  tokens.isRefreshable.mockReturnValue(true);
  tokens.refreshRefusedToken.mockResolvedValue(testConnection({ record: { credentials: { token: "fresh" } } }));
  answers = [{ status: 401 }, { body: "bytes" }];
  expect((await open()).status).toBe(200);
  expect(sent.map(({ headers }) => headers.authorization)).toEqual(["Bearer secret", "Bearer fresh"]);
  expect(tokens.refusedAgain).not.toHaveBeenCalled();
  expect(read).toBe(1);
});

it("the status is noted for the connection, and a second refusal as well", async () => {
  await open();
  expect(tokens.noteStatus.mock.calls.map(([{ record }, status]) => [record.id, status])).toEqual([["conn_1", 200]]);
  tokens.isRefreshable.mockReturnValue(true);
  tokens.refreshRefusedToken.mockResolvedValue(testConnection({ record: { credentials: { token: "fresh" } } }));
  sent = [];
  answers = [{ status: 401 }];
  await expect(open()).rejects.toMatchObject({ status: 401 });
  expect(sent).toHaveLength(2);
  expect(tokens.refusedAgain).toHaveBeenCalledOnce();
});

it("a file that was not modified is answered with 304, and other errors do not refresh a token", async () => {
  tokens.isRefreshable.mockReturnValue(true);
  answers = [{ status: 304, headers: { etag: '"e"' } }];
  expect((await open({}, { "if-none-match": '"e"' })).status).toBe(304);
  answers = [{ status: 403 }];
  sent = [];
  await expect(open()).rejects.toMatchObject({ status: 403 });
  expect(tokens.refreshRefusedToken).not.toHaveBeenCalled();
});

it.each([301, 303, 308])("a %i is followed", async (status) => {
  answers = [{ status, headers: { location: "/v1/blobs/1" } }, {}];
  expect((await open()).status).toBe(200);
});

it("the body of a refused answer is not left waiting if the token cannot be refreshed, and is passed on if there is no new one", async () => {
  tokens.isRefreshable.mockReturnValue(true);
  tokens.refreshRefusedToken.mockRejectedValueOnce(new Error("no token"));
  answers = [{ status: 401, body: "who are you?" }];
  await expect(open()).rejects.toThrow("no token");
  expect(read).toBe(1);
  tokens.refreshRefusedToken.mockResolvedValueOnce(undefined);
  await expect(open()).rejects.toMatchObject({ status: 401, body: Buffer.from("who are you?") });
  expect(sent).toHaveLength(2);
});

it("a file that is stored compressed is marked as such: its bytes are not those of its type", async () => {
  answers = [{ headers: { "content-type": "text/csv", "content-encoding": "gzip" } }];
  const { headers } = await open();
  expect(headers).toMatchObject({ "content-type": "text/csv", "content-encoding": "gzip" });
});
