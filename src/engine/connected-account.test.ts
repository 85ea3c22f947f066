import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { testConnection } from "../../test/support/engine-parts.ts";
import type { BoundOperation } from "../contracts/operation.ts";
import { createAccountReader } from "./connected-account.ts";
import type { Cancellation } from "./http/cancellation.ts";

const connection = testConnection();
const operation = { id: "users.getMe" } as BoundOperation;
const runner = { run: vi.fn(), supports: vi.fn() };
const read = (data: unknown) => {
  runner.run.mockResolvedValueOnce({ data });
  return createAccountReader({ runner, operation })(connection);
};

beforeEach(() => {
  vi.resetAllMocks();
  runner.supports.mockReturnValue(true);
});
afterEach(() => vi.useRealTimers());

it("an account has what the provider says of it, shortened, if that is anything", async () => {
  expect(await read({ id: "7", name: "n".repeat(501), email: "" })).toEqual({
    id: "7",
    name: "n".repeat(500),
    email: null,
  });
  expect(await read({ name: "Ada" })).toEqual({ id: null, name: "Ada", email: null });
  expect(await read({ email: "ada@example.com" })).toMatchObject({ email: "ada@example.com" });
  expect(await read({ id: 7, name: null })).toBeNull();
  expect(runner.run.mock.calls[0]![0]).toMatchObject({ operation, connection, maxRetries: 0 });
});

it("a provider that does not offer it, fails or takes too long costs the connection nothing else", async () => {
  expect(await createAccountReader({ runner, operation: undefined })(connection)).toBeNull();
  runner.supports.mockReturnValueOnce(false);
  expect(await createAccountReader({ runner, operation })(connection)).toBeNull();
  expect(runner.run).not.toHaveBeenCalled();
  expect(await read(null)).toBeNull();

  vi.useFakeTimers();
  runner.run.mockImplementation(
    ({ client }: { client: Cancellation }) =>
      new Promise((_, reject) => client.onCancel({ cancel: () => reject(new Error("canceled")) })),
  );
  const account = createAccountReader({ runner, operation })(connection);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await account).toBeNull();
});
