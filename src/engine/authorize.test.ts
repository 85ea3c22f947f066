import { beforeEach, expect, it, vi } from "vitest";
import { testConnection } from "../../test/support/engine-parts.ts";
import type { Workspace } from "../contracts/entities.ts";
import { Fault } from "../contracts/fault.ts";
import type { BoundOperation } from "../contracts/operation.ts";
import { createAuthorizer } from "./authorize.ts";

const workspace = { id: "ws_1" } as Workspace;
const operation = { id: "git.listIssues" } as BoundOperation;
const stale = testConnection();
const fresh = testConnection({ record: { credentials: { token: "fresh" } } });
const allowed = { allowed: true, remaining: 2, resetSeconds: 60 };
const refusedFor = (resetSeconds: number) => ({ allowed: false, remaining: 0, resetSeconds });
const limit = { points: 3, seconds: 60, group: "unified" };

const identities = { workspace: vi.fn(), connection: vi.fn(), reload: vi.fn() };
const tokens = { withValidToken: vi.fn() };
const coordination = { consume: vi.fn() };
const supports = vi.fn();
const { authenticate, authorize } = createAuthorizer({
  identities,
  tokens: tokens as never,
  coordination: coordination as never,
  supports,
});

beforeEach(() => {
  vi.resetAllMocks();
  identities.connection.mockReturnValue(stale);
  tokens.withValidToken.mockReturnValue(fresh);
  coordination.consume.mockReturnValue(allowed);
  supports.mockReturnValue(true);
});

const use = { workspace, connectionId: "conn_1", limit };

it("a call with everything cached is authorized without a promise, and gets the connection with a valid token", () => {
  expect(authorize({ ...use, requires: operation })).toBe(fresh);
  expect(identities.connection).toHaveBeenCalledWith(workspace, "conn_1");
  expect(coordination.consume).toHaveBeenCalledExactlyOnceWith("unified:conn_1", limit);
});

it("every step of an authorization may return a promise", async () => {
  identities.connection.mockResolvedValue(stale);
  tokens.withValidToken.mockResolvedValue(fresh);
  coordination.consume.mockResolvedValue(allowed);
  expect(await authorize(use)).toBe(fresh);
});

it("an operation that the provider does not support is refused before the token is refreshed or the call counted", () => {
  supports.mockReturnValue(false);
  expect(() => authorize({ ...use, requires: operation })).toThrow("Acme does not support this operation");
  expect(tokens.withValidToken).not.toHaveBeenCalled();
  expect(coordination.consume).not.toHaveBeenCalled();
});

it("MCP is refused for a provider without an MCP server, and allowed for one with", () => {
  expect(() => authorize({ ...use, requires: "mcp" })).toThrow("Acme has no known MCP server");
  identities.connection.mockReturnValue(testConnection({ integration: { mcp_url: "https://mcp.acme.example" } }));
  expect(authorize({ ...use, requires: "mcp" })).toBe(fresh);
});

it("MCP is refused with an auth type whose credentials the provider's MCP server does not accept", () => {
  const addressesWith = { basic: { mcp: "https://mcp.acme.example" } };
  identities.connection.mockReturnValue(testConnection({ manifest: { addressesWith } }));
  expect(() => authorize({ ...use, requires: "mcp" })).toThrow("Acme has no known MCP server");
  identities.connection.mockReturnValue(
    testConnection({ manifest: { addressesWith }, integration: { type: "basic" } }),
  );
  expect(authorize({ ...use, requires: "mcp" })).toBe(fresh);
});

it("a token that cannot be refreshed is refused before the call is counted", () => {
  tokens.withValidToken.mockImplementation(() => {
    throw new Fault("refresh_failed", "connect again");
  });
  expect(() => authorize(use)).toThrow("connect again");
  expect(coordination.consume).not.toHaveBeenCalled();
});

it("a call that needs its token later is counted and gets the connection as it is", () => {
  expect(authorize({ ...use, tokenLater: true })).toBe(stale);
  expect(tokens.withValidToken).not.toHaveBeenCalled();
  expect(coordination.consume).toHaveBeenCalledOnce();
});

it("a call over the limit is refused with the seconds that are left, or with those that the surface gives", () => {
  coordination.consume.mockReturnValue(refusedFor(7));
  const refused = (retryAfter?: number) => {
    try {
      authorize({ ...use, limit: { ...limit, ...(retryAfter === undefined ? {} : { retryAfter }) } });
    } catch (error) {
      return error;
    }
  };
  expect(refused()).toMatchObject({ kind: "rate_limited", retryAfter: 7 });
  expect(refused(60)).toMatchObject({ kind: "rate_limited", retryAfter: 60 });
});

it("a batch counts as many calls as it contains, and stops at the limit", async () => {
  authorize({ ...use, calls: 3 });
  expect(coordination.consume).toHaveBeenCalledTimes(3);
  coordination.consume.mockReset().mockResolvedValueOnce(allowed).mockResolvedValue(refusedFor(9));
  await expect(async () => authorize({ ...use, calls: 5 })).rejects.toMatchObject({ kind: "rate_limited" });
  expect(coordination.consume).toHaveBeenCalledTimes(2);
});

it("the surface learns what is left of the limit, also for the call that is refused", () => {
  const onCounted = vi.fn();
  authorize({ ...use, onCounted });
  coordination.consume.mockReturnValue(refusedFor(7));
  expect(() => authorize({ ...use, onCounted })).toThrow("rate limit");
  expect(onCounted.mock.calls).toEqual([[allowed], [refusedFor(7)]]);
});

it("an API key is looked up unchanged", () => {
  identities.workspace.mockReturnValue(workspace);
  expect(authenticate("sk_1")).toBe(workspace);
  expect(identities.workspace).toHaveBeenCalledWith("sk_1");
});
