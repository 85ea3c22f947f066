import { beforeEach, expect, it, vi } from "vitest";
import { testConnection } from "../../test/support/engine-parts.ts";
import { EVERYTHING, roleScopes, UNBOUND } from "../contracts/access.ts";
import { Fault } from "../contracts/fault.ts";
import type { BoundOperation } from "../contracts/operation.ts";
import { MCP_ACCESS, UNIFIED_MCP_ACCESS } from "../surfaces/shared/forwarding.ts";
import { assertAllowed, createAuthorizer } from "./authorize.ts";

const user = { workspace: { id: "ws_1" }, ...UNBOUND };
const operation = { id: "git.listIssues" } as BoundOperation;
const stale = testConnection();
const fresh = testConnection({ record: { credentials: { token: "fresh" } } });
const allowed = { allowed: true, remaining: 2, resetSeconds: 60 };
const refusedFor = (resetSeconds: number) => ({ allowed: false, remaining: 0, resetSeconds });
const limit = { points: 3, seconds: 60, group: "unified" };

const identities = { caller: vi.fn(), close: vi.fn(), mcpClient: vi.fn(), connection: vi.fn(), reload: vi.fn() };
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
  identities.connection.mockResolvedValue(stale);
  tokens.withValidToken.mockResolvedValue(fresh);
  coordination.consume.mockReturnValue(allowed);
  supports.mockReturnValue(true);
});

const use = { user, connectionId: "conn_1", limit };

it("an authorized call gets the connection with a valid token, and is counted", async () => {
  expect(await authorize({ ...use, requires: operation })).toBe(fresh);
  expect(identities.connection).toHaveBeenCalledWith(user, "conn_1");
  expect(coordination.consume).toHaveBeenCalledExactlyOnceWith("conn_1", limit);
});

it("an operation that the provider does not support is refused before the token is refreshed or the call counted", async () => {
  supports.mockReturnValue(false);
  await expect(authorize({ ...use, requires: operation })).rejects.toThrow("Acme does not support this operation");
  expect(tokens.withValidToken).not.toHaveBeenCalled();
  expect(coordination.consume).not.toHaveBeenCalled();
});

it("MCP is refused for a provider without an MCP server, and allowed for one with", async () => {
  await expect(authorize({ ...use, requires: "mcp" })).rejects.toThrow("Acme has no known MCP server");
  identities.connection.mockResolvedValue(testConnection({ integration: { mcp_url: "https://mcp.acme.example" } }));
  expect(await authorize({ ...use, requires: "mcp" })).toBe(fresh);
});

it("MCP is refused with an auth type whose credentials the provider's MCP server does not accept", async () => {
  const addressesWith = { basic: { mcp: "https://mcp.acme.example" } };
  identities.connection.mockResolvedValue(testConnection({ manifest: { addressesWith } }));
  await expect(authorize({ ...use, requires: "mcp" })).rejects.toThrow("Acme has no known MCP server");
  identities.connection.mockResolvedValue(
    testConnection({ manifest: { addressesWith }, integration: { type: "basic" } }),
  );
  expect(await authorize({ ...use, requires: "mcp" })).toBe(fresh);
});

it("a token that cannot be refreshed is refused before the call is counted", async () => {
  tokens.withValidToken.mockRejectedValue(new Fault("refresh_failed", "connect again"));
  await expect(authorize(use)).rejects.toThrow("connect again");
  expect(coordination.consume).not.toHaveBeenCalled();
});

it("a call that needs its token later is counted and gets the connection as it is", async () => {
  expect(await authorize({ ...use, tokenLater: true })).toBe(stale);
  expect(tokens.withValidToken).not.toHaveBeenCalled();
  expect(coordination.consume).toHaveBeenCalledOnce();
});

it("a call over the limit is refused with the seconds that are left, or with those that the surface gives", async () => {
  coordination.consume.mockReturnValue(refusedFor(7));
  await expect(authorize(use)).rejects.toMatchObject({ kind: "rate_limited", retryAfter: 7 });
  const withRetryAfter = { ...use, limit: { ...limit, retryAfter: 60 } };
  await expect(authorize(withRetryAfter)).rejects.toMatchObject({ kind: "rate_limited", retryAfter: 60 });
});

it("a batch takes as many points as it contains calls, and stops at the limit", async () => {
  await authorize({ ...use, points: 3 });
  expect(coordination.consume).toHaveBeenCalledTimes(3);
  coordination.consume.mockReset().mockResolvedValueOnce(allowed).mockResolvedValue(refusedFor(9));
  await expect(authorize({ ...use, points: 5 })).rejects.toMatchObject({ kind: "rate_limited" });
  expect(coordination.consume).toHaveBeenCalledTimes(2);
});

it("the surface learns what is left of the limit, also for the call that is refused", async () => {
  const onCounted = vi.fn();
  await authorize({ ...use, onCounted });
  coordination.consume.mockReturnValue(refusedFor(7));
  await expect(authorize({ ...use, onCounted })).rejects.toThrow("rate limit");
  expect(onCounted.mock.calls).toEqual([[allowed], [refusedFor(7)]]);
});

it("an API key is looked up unchanged", async () => {
  identities.caller.mockResolvedValue(user);
  expect(await authenticate("sk_1")).toBe(user);
  expect(identities.caller).toHaveBeenCalledWith("sk_1");
});

it("a caller with a tool pack is allowed only where the tool pack is kept to", () => {
  const toolPack = { id: "tp_1", name: "Sales", categories: null, tools: null, access: "read" as const, hide: [] };
  const caller = { ...EVERYTHING, toolPack };
  expect(() => assertAllowed(caller, UNIFIED_MCP_ACCESS)).not.toThrow();
  for (const access of ["key", MCP_ACCESS, { scope: "unified:read" }, { role: "viewer" }] as const)
    expect(() => assertAllowed(caller, access)).toThrow("the tool pack Sales allows nothing but Unified MCP");
  expect(() => assertAllowed(EVERYTHING, UNIFIED_MCP_ACCESS)).not.toThrow();
  const other = { ...caller, scopes: ["proxy" as const] };
  expect(() => assertAllowed(other, UNIFIED_MCP_ACCESS)).toThrow("the API key lacks the scope mcp");
});

it("a route for a role is for callers with at least that role who are not bound, and one for a scope for those who have it", () => {
  const developer = { ...UNBOUND, scopes: roleScopes.developer };
  for (const role of ["viewer", "developer"] as const) expect(() => assertAllowed(developer, { role })).not.toThrow();
  expect(() => assertAllowed(developer, { role: "admin" })).toThrow(
    "this needs the role admin, and you have developer",
  );
  expect(() => assertAllowed({ ...UNBOUND, scopes: [] }, { role: "viewer" })).toThrow("you have none");
  const bound = { ...EVERYTHING, external_id: "u" };
  expect(() => assertAllowed(bound, { role: "viewer" })).toThrow("this needs the role viewer");
  expect(() => assertAllowed(bound, { scope: "logs:read" })).not.toThrow();
  expect(() => assertAllowed(bound, { scope: "logs:read", wholeWorkspace: true })).toThrow("bound to some connections");
  expect(() => assertAllowed(developer, { scope: "logs:read", wholeWorkspace: true })).not.toThrow();
  expect(() => assertAllowed(developer, { scope: "keys:write" })).toThrow("the API key lacks the scope keys:write");
  for (const access of ["public", "key"] as const)
    expect(() => assertAllowed({ ...UNBOUND, scopes: [] }, access)).not.toThrow();
});
