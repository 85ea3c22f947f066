import { beforeEach, expect, it, vi } from "vitest";
import { TIME, testConnection } from "../../../test/support/engine-parts.ts";
import { createRefusals } from "./refusals.ts";

const updateIfUnchanged = vi.fn();
const invalidate = vi.fn();
const warn = vi.fn();
let refusals: ReturnType<typeof createRefusals>;
beforeEach(() => {
  vi.resetAllMocks();
  updateIfUnchanged.mockResolvedValue({});
  refusals = createRefusals({
    store: { connections: { updateIfUnchanged } } as never,
    coordination: { invalidate },
    telemetry: { warn },
  });
});

const valid = testConnection();
const invalid = testConnection({ record: { is_valid: false, updated_at: "2026-01-02T00:00:00.000Z" } });
const refuse = async (times: number, connection = valid) => {
  for (let time = 0; time < times; time++) await refusals.refused(connection);
};

it("the third refusal in a row makes a connection invalid, with a reason, and names it in the log", async () => {
  await refuse(2);
  expect(updateIfUnchanged).not.toHaveBeenCalled();
  await refuse(1);
  const reason = expect.stringMatching(/401.*3 times in a row/);
  expect(updateIfUnchanged.mock.calls).toEqual([
    ["conn_1", { token: "secret" }, { is_valid: false, invalid_reason: reason }],
  ]);
  expect(invalidate).toHaveBeenCalledWith("connection", "conn_1");
  expect(warn.mock.calls).toEqual([
    [expect.any(String), { connection_id: "conn_1", workspace_id: "ws_1", provider: "acme", reason }],
  ]);
});

it("a success in between starts the count again", async () => {
  await refuse(2);
  expect(refusals.accepted(valid)).toBeUndefined();
  await refuse(2);
  expect(updateIfUnchanged).not.toHaveBeenCalled();
});

it("new credentials start the count again", async () => {
  await refuse(2);
  await refuse(2, testConnection({ record: { credentials: { token: "new" }, updated_at: invalid.record.updated_at } }));
  expect(updateIfUnchanged).not.toHaveBeenCalled();
});

it("calls in progress that are refused or accepted afterwards write nothing more", async () => {
  await refuse(20);
  expect(updateIfUnchanged).toHaveBeenCalledOnce();
  await Promise.all(Array.from({ length: 20 }, () => refusals.accepted(invalid)));
  expect(updateIfUnchanged).toHaveBeenCalledTimes(2);
});

it("a connection that is invalid already is not counted", async () => {
  await refuse(5, invalid);
  expect(updateIfUnchanged).not.toHaveBeenCalled();
});

it("the next success makes it valid again", async () => {
  await refusals.accepted(invalid);
  expect(updateIfUnchanged.mock.calls).toEqual([
    ["conn_1", { token: "secret" }, { is_valid: true, invalid_reason: null }],
  ]);
  expect(invalidate).toHaveBeenCalledWith("connection", "conn_1");
});

it("it becomes invalid again after it was valid in between", async () => {
  await refuse(3);
  await refusals.accepted(invalid);
  await refuse(3, testConnection({ record: { updated_at: "2026-01-03T00:00:00.000Z" } }));
  expect(updateIfUnchanged.mock.calls.map(([, , { is_valid }]) => is_valid)).toEqual([false, true, false]);
});

it("a store that is unavailable fails no call, and the next refusal tries again", async () => {
  updateIfUnchanged.mockRejectedValueOnce(new Error("unavailable"));
  await refuse(3);
  expect(invalidate).not.toHaveBeenCalled();
  await refuse(1);
  expect(invalidate).toHaveBeenCalledOnce();
});

it("credentials that were replaced meanwhile are left alone", async () => {
  updateIfUnchanged.mockResolvedValue(undefined);
  await refuse(3);
  expect(invalidate).not.toHaveBeenCalled();
  expect(warn).not.toHaveBeenCalled();
});

it("a connection that is not stored yet is not counted", async () => {
  const draft = testConnection({ record: { id: "", updated_at: TIME } });
  await refuse(5, draft);
  expect(updateIfUnchanged).not.toHaveBeenCalled();
});
