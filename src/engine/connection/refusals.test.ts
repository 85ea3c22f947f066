import { beforeEach, expect, it, vi } from "vitest";
import { TIME, testConnection } from "../../../test/support/engine-parts.ts";
import { createRefusals } from "./refusals.ts";

const isRefusedByApi = vi.fn();
const updateIfUnchanged = vi.fn();
const invalidate = vi.fn();
const warn = vi.fn();
let refusals: ReturnType<typeof createRefusals>;
beforeEach(() => {
  vi.resetAllMocks();
  isRefusedByApi.mockResolvedValue(true);
  updateIfUnchanged.mockResolvedValue({});
  refusals = createRefusals({
    isRefusedByApi,
    store: { connections: { updateIfUnchanged } } as never,
    coordination: { invalidate },
    telemetry: { warn },
  });
});

const valid = testConnection();
const changed = testConnection({
  record: { credentials: { token: "new" }, updated_at: "2026-01-02T00:00:00.000Z" },
});
const refuse = async (times: number, connection = valid) => {
  for (let time = 0; time < times; time++) await refusals.refused(connection);
};

it("the third refusal in a row makes a connection invalid, with a reason, and names it in the log", async () => {
  await refuse(2);
  expect(isRefusedByApi).not.toHaveBeenCalled();
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
  refusals.accepted(valid);
  await refuse(2);
  expect(isRefusedByApi).not.toHaveBeenCalled();
});

it("credentials that the provider's API accepts leave the connection valid, and the count starts again", async () => {
  isRefusedByApi.mockResolvedValue(false);
  await refuse(5);
  expect(isRefusedByApi.mock.calls).toEqual([[valid]]);
  await refuse(1);
  expect(isRefusedByApi).toHaveBeenCalledTimes(2);
  expect(updateIfUnchanged).not.toHaveBeenCalled();
});

it("new credentials start the count again", async () => {
  await refuse(2);
  await refuse(2, changed);
  expect(updateIfUnchanged).not.toHaveBeenCalled();
});

it("calls in progress that are refused afterwards write nothing more", async () => {
  await Promise.all(Array.from({ length: 20 }, () => refusals.refused(valid)));
  expect(updateIfUnchanged).toHaveBeenCalledOnce();
});

it("a connection becomes invalid again after the user has connected again", async () => {
  await refuse(3);
  await refuse(3, changed);
  expect(updateIfUnchanged.mock.calls.map(([, { token }]) => token)).toEqual(["secret", "new"]);
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
