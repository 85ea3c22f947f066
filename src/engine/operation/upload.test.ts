import { Readable } from "node:stream";
import { beforeEach, expect, it, vi } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import type { Context, UploadTarget } from "../../contracts/provider.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { post } from "../../provider-kit/request.ts";
import { createCallWithRetries } from "../http/attempts.ts";
import type { TransportRequest } from "../http/transport.ts";
import { DryRun } from "./dry-run.ts";
import { createUploader } from "./upload.ts";
import type { OperationRun } from "./upstream.ts";

const telemetry = { upstream: vi.fn(), malformed: vi.fn(), skipped: vi.fn(), refresh: vi.fn(), warn: vi.fn() };
const tokens = { noteStatus: vi.fn(), isRefreshable: vi.fn(), refreshRefusedToken: vi.fn(), refusedAgain: vi.fn() };
const countStreamedBytes = vi.fn();
const release = vi.fn();
let sent: { headers: TransportRequest["headers"]; path: string; body: string }[];
let answers: { status?: number; body?: string }[];

const upload = createUploader(
  {
    async buffer({ path, headers, body }) {
      const chunks: Buffer[] = [];
      for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk);
      sent.push({ path, headers, body: Buffer.concat(chunks).toString() });
      const { status = 200, body: answer = '{"id":"f1"}' } = answers[Math.min(sent.length, answers.length) - 1]!;
      return { statusCode: status, headers: {}, bytes: Buffer.from(answer), release };
    },
    countStreamedBytes,
  },
  createCallWithRetries({ firstMs: 1000, retryMs: 1000 }, telemetry),
  tokens,
);

const refreshed = testConnection({ record: { credentials: { token: "refreshed" } } });
const beforeSending = vi.fn(async () => {});
const newRun = (change: Partial<OperationRun> = {}): OperationRun => ({
  connection: testConnection(),
  maxRetries: 0,
  repeatable: false,
  calls: 0,
  bytes: 0,
  write: { beforeSending, carriedOut: false },
  bodies: [],
  ...change,
});

interface Sent {
  target?: Partial<UploadTarget>;
  maxSize?: number;
  content?: string;
  size?: number | undefined;
}

const send = (run: OperationRun, { target = {}, maxSize, content = "content", ...file }: Sent = {}) =>
  upload(
    run,
    {
      target: () => ({ request: post("/files", {}), ...target }),
      record: (body) => body,
      ...(maxSize === undefined ? {} : { maxSize }),
    },
    {} as Context,
    {
      body: Readable.from([Buffer.from(content)], { objectMode: false }),
      contentType: "text/plain",
      size: "size" in file ? file.size : content.length,
    },
  );

beforeEach(() => {
  vi.resetAllMocks();
  sent = [];
  answers = [{}];
});

it("a file is sent within the provider's own frame, whose bytes count for its length, and the answer is returned", async () => {
  const run = newRun();
  expect(await send(run, { target: { before: "<ü>", after: "</>", contentType: "multipart/x" } })).toEqual({
    id: "f1",
  });
  expect(sent).toMatchObject([
    { path: "/v1/files", body: "<ü>content</>", headers: { "content-type": "multipart/x", "content-length": "14" } },
  ]);
  expect(run).toMatchObject({ calls: 1, bodies: [{ id: "f1" }], write: { carriedOut: true } });
  expect(beforeSending).toHaveBeenCalledOnce();
  expect(countStreamedBytes.mock.calls).toEqual([[7]]);
  expect(release).toHaveBeenCalledOnce();
});

it("a file of unknown length is sent without one, and as the type that the client says", async () => {
  await send(newRun(), { size: undefined });
  expect(sent).toMatchObject([{ body: "content", headers: { "content-type": "text/plain" } }]);
  expect(sent[0]!.headers).not.toHaveProperty("content-length");
});

it("a file that is larger than the provider takes, or may be, is not sent", async () => {
  for (const size of [8, undefined])
    await expect(send(newRun(), { maxSize: 7, size })).rejects.toMatchObject({ kind: "invalid_input" });
  expect(sent).toEqual([]);
  await send(newRun(), { maxSize: 7 });
  expect(sent).toHaveLength(1);
});

it("a dry run shows the request, and sends nothing", async () => {
  const dryRun = new DryRun();
  await dryRun.record(() => send(newRun({ dryRun })));
  expect(dryRun.requests).toMatchObject([{ method: "POST", headers: { "content-type": "text/plain" } }]);
  expect(sent).toEqual([]);
});

it("a small file is sent again with a new token if the provider refuses the token", async () => {
  tokens.isRefreshable.mockReturnValue(true);
  tokens.refreshRefusedToken.mockResolvedValue(refreshed);
  answers = [{ status: 401 }, {}];
  const run = newRun();
  expect(await send(run, { target: { before: "<", after: ">" } })).toEqual({ id: "f1" });
  expect(sent.map(({ body, headers }) => [body, headers.authorization])).toEqual([
    ["<content>", "Bearer secret"],
    ["<content>", "Bearer refreshed"],
  ]);
  expect(run).toMatchObject({ connection: refreshed, calls: 2 });
  expect(tokens.noteStatus).toHaveBeenCalledExactlyOnceWith(expect.anything(), 401);
  expect(tokens.refusedAgain).not.toHaveBeenCalled();
  expect(release).toHaveBeenCalledTimes(2);
});

it("a new token that is refused as well is noted", async () => {
  tokens.isRefreshable.mockReturnValue(true);
  tokens.refreshRefusedToken.mockResolvedValue(refreshed);
  answers = [{ status: 401 }];
  await expect(send(newRun())).rejects.toMatchObject({ status: 401 });
  expect(sent).toHaveLength(2);
  expect(tokens.refusedAgain).toHaveBeenCalledExactlyOnceWith(refreshed);
});

it("a file is sent once if it is too large to be kept, if there is no new token, or if the status is another one", async () => {
  tokens.isRefreshable.mockReturnValue(true);
  tokens.refreshRefusedToken.mockResolvedValueOnce(refreshed).mockResolvedValueOnce(undefined);
  answers = [{ status: 401 }];
  await expect(send(newRun(), { content: "x".repeat(64 * 1024 + 1) })).rejects.toMatchObject({ status: 401 });
  await expect(send(newRun())).rejects.toMatchObject({ status: 401 });
  expect(tokens.refreshRefusedToken).toHaveBeenCalledTimes(2);
  answers = [{ status: 403 }];
  await expect(send(newRun())).rejects.toMatchObject({ status: 403 });
  tokens.isRefreshable.mockReturnValue(false);
  answers = [{ status: 401 }];
  await expect(send(newRun())).rejects.toMatchObject({ status: 401 });
  expect(sent).toHaveLength(4);
  expect(tokens.refreshRefusedToken).toHaveBeenCalledTimes(2);
});

it("a file that the provider refuses was not carried out, and the answer is passed on without secrets of the path", async () => {
  const authorization = ({ token }: { token?: string }) => ({ path: `/${token}` });
  const connection = testConnection({ manifest: { authorization }, record: { credentials: { token: "hush-hush" } } });
  answers = [{ status: 300, body: "no file at /hush-hush/files" }];
  const run = newRun({ connection });
  const refusal = await send(run).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ status: 300 });
  expect(String((refusal as { body: Buffer }).body)).toBe("no file at /[redacted]/files");
  expect(run.write!.carriedOut).toBe(false);
});

it("a failure has the status that it should have had by the rules of its provider", async () => {
  const failed = ({ body }: Answer) => ((body as { error?: string }).error === "rateLimit" ? 429 : undefined);
  const connection = testConnection({ manifest: { failed } });
  answers = [{ status: 403, body: '{"error":"rateLimit"}' }];
  await expect(send(newRun({ connection }))).rejects.toMatchObject({ status: 429 });
  answers = [{ status: 200, body: '{"error":"rateLimit"}' }];
  const run = newRun({ connection });
  await expect(send(run)).rejects.toMatchObject({ status: 429 });
  expect(run.write!.carriedOut).toBe(false);
});
