import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import { createCallWithRetries } from "../http/attempts.ts";
import type { Cancellation } from "../http/cancellation.ts";
import { createCredentialsCheck } from "./credentials-check.ts";

const telemetry = { upstream: vi.fn(), malformed: vi.fn(), skipped: vi.fn(), refresh: vi.fn(), warn: vi.fn() };
const buffer = vi.fn();
const answer = (statusCode: number) => ({ statusCode, headers: {}, bytes: Buffer.from("{}"), release() {} });
const connection = testConnection();
let isRefusedByApi: ReturnType<typeof createCredentialsCheck>;

beforeEach(() => {
  vi.useFakeTimers();
  buffer.mockReset();
  isRefusedByApi = createCredentialsCheck(
    { buffer },
    createCallWithRetries({ firstMs: 20_000, retryMs: 1000 }, telemetry),
  );
});
afterEach(() => vi.useRealTimers());

it.each([
  [200, false],
  [401, true],
  [403, false],
  [429, false],
  [500, false],
])("credentials whose check is answered with %i count as refused: %s", async (status, refused) => {
  buffer.mockResolvedValue(answer(status));
  expect(await isRefusedByApi(connection)).toBe(refused);
  expect(vi.getTimerCount()).toBe(0);
  expect(buffer).toHaveBeenCalledOnce();
  expect(buffer.mock.calls[0]![0]).toMatchObject({ path: "/v1/me", headers: { authorization: "Bearer secret" } });
});

it("a connection is checked once at a time and once in 30 seconds, and again with other credentials", async () => {
  buffer.mockResolvedValue(answer(200));
  await Promise.all([isRefusedByApi(connection), isRefusedByApi(connection)]);
  vi.advanceTimersByTime(29_999);
  await isRefusedByApi(connection);
  expect(buffer).toHaveBeenCalledOnce();
  await isRefusedByApi(testConnection({ record: { updated_at: "2026-01-02T00:00:00.000Z" } }));
  expect(buffer).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(1);
  await isRefusedByApi(connection);
  expect(buffer).toHaveBeenCalledTimes(3);
});

it("a check that is not answered within 3 seconds says nothing against the credentials", async () => {
  buffer.mockImplementation(
    (_, call: Cancellation) =>
      new Promise((_, reject) => call.onCancel({ cancel: () => reject(new Error("canceled")) })),
  );
  const outcome = isRefusedByApi(connection);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await outcome).toBe(false);
});
