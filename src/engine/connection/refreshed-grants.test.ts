import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import { createRefreshedGrants } from "./refreshed-grants.ts";

const connection = testConnection();
const reloaded = testConnection();
const grant = { used: { refresh_token: "old" }, change: { credentials: { token: "new" } } };
const connections = { updateIfUnchanged: vi.fn(), get: vi.fn() };
const invalidate = vi.fn();
const revoke = vi.fn();
const warn = vi.fn();

const newGrants = () =>
  createRefreshedGrants({
    store: { connections },
    coordination: { invalidate },
    identities: { reload: async () => reloaded },
    revoke,
    telemetry: { warn },
  } as never);

beforeEach(() => {
  vi.resetAllMocks();
  vi.useFakeTimers();
  connections.updateIfUnchanged.mockResolvedValue(true);
});
afterEach(() => vi.useRealTimers());

it("a refreshed grant is stored while the connection has the old one, and every process is told", async () => {
  const grants = newGrants();
  expect(await grants.save(connection, grant)).toBe(reloaded);
  expect(connections.updateIfUnchanged).toHaveBeenCalledExactlyOnceWith("conn_1", grant.used, grant.change);
  expect(invalidate).toHaveBeenCalledExactlyOnceWith("connection", "conn_1");
  expect(grants.unsaved(connection)).toBeUndefined();
  expect(revoke).not.toHaveBeenCalled();
});

it("a grant of a connection that was deleted meanwhile is revoked, and one of a connection with a newer grant is not", async () => {
  connections.updateIfUnchanged.mockResolvedValue(false);
  connections.get.mockResolvedValueOnce(connection.record);
  await newGrants().save(connection, grant);
  expect(revoke).not.toHaveBeenCalled();
  connections.get.mockResolvedValueOnce(undefined);
  await newGrants().save(connection, grant);
  expect(connections.get).toHaveBeenLastCalledWith("ws_1", "conn_1");
  expect(revoke).toHaveBeenCalledExactlyOnceWith(
    { ...connection.record, credentials: { token: "new" } },
    connection.integration,
  );
});

it("a grant that cannot be stored for half a minute is kept until it can be, and the log says so", async () => {
  const grants = newGrants();
  const failure = new Error("unavailable");
  connections.updateIfUnchanged.mockRejectedValue(failure);
  const saving = grants.save(connection, grant).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(25_000);
  expect(warn).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await saving).toBe(failure);
  expect(grants.unsaved(connection)).toBe(grant);
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("could not be stored"), {
    connection_id: "conn_1",
  });
  expect(invalidate).not.toHaveBeenCalled();
  connections.updateIfUnchanged.mockResolvedValue(true);
  await grants.save(connection, grant);
  expect(grants.unsaved(connection)).toBeUndefined();
});

it("a connection whose grant was refused is marked as invalid, unless it has another one", async () => {
  await newGrants().markInvalid(connection, grant.used, "invalid_grant");
  expect(connections.updateIfUnchanged).toHaveBeenCalledExactlyOnceWith("conn_1", grant.used, {
    is_valid: false,
    invalid_reason: "invalid_grant",
  });
  expect(invalidate).toHaveBeenCalledExactlyOnceWith("connection", "conn_1");
});
