import { describe, expect, it } from "vitest";
import { EVERYTHING, includesScope, mayUse, type Permissions, roleOf, strongerBy, UNBOUND } from "./access.ts";

describe("scopes", () => {
  it.each([
    [["connections:read"], "connections:read", true],
    [["connections:write"], "connections:read", true],
    [["connections:read"], "connections:write", false],
    [["events:write"], "connections:read", false],
    [["unified:write"], "proxy", false],
    [["proxy"], "mcp", false],
    [["*"], "keys:write", true],
    [[], "providers:read", false],
  ] as const)("%j include %s: %s", (granted, needed, expected) => {
    expect(includesScope(granted, needed)).toBe(expected);
  });
});

describe("roles", () => {
  const areas = ["connections", "integrations", "events", "logs", "keys", "workspace", "providers"] as const;
  const reads = areas.map((area) => `${area}:read` as const);
  const developer = [...reads, "connections:write", "events:write", "unified:write", "proxy", "mcp"] as const;
  it.each([
    [reads, "viewer"],
    [developer, "developer"],
    [["*"], "admin"],
    // A scope more or less.
    [reads.slice(1), undefined],
    [[...reads, "keys:write"], "viewer"],
    [developer.slice(0, -1), "viewer"],
    [
      [...developer, "integrations:write", "keys:write", "workspace:write", "logs:write", "providers:write"],
      "developer",
    ],
    [[], undefined],
  ] as const)("the scopes %j are the role %s", (scopes, role) => {
    expect(roleOf({ scopes: [...scopes] })).toBe(role);
  });
});

describe("a binding", () => {
  const connection = { id: "conn_1", external_id: "user-1" };
  it.each([
    [UNBOUND, true],
    [{ external_id: "user-1", connection_ids: null }, true],
    [{ external_id: "user-2", connection_ids: null }, false],
    [{ external_id: null, connection_ids: ["conn_2", "conn_1"] }, true],
    [{ external_id: null, connection_ids: ["conn_2"] }, false],
    [{ external_id: null, connection_ids: [] }, false],
    [{ external_id: "user-1", connection_ids: ["conn_2"] }, false],
  ])("%j allows a connection of user-1: %s", (binding, expected) => {
    expect(mayUse(binding, connection)).toBe(expected);
  });

  it("to a user does not allow a connection without one", () => {
    expect(mayUse({ external_id: "user-1", connection_ids: null }, { id: "conn_1", external_id: null })).toBe(false);
  });
});

describe("a new key", () => {
  const soon = Date.parse("2030-01-01");
  type Key = Permissions & { expiresAt: number; tool_pack_id?: string; toolPack?: { id: string } };
  const key = (change: Partial<Key> = {}) => ({
    ...EVERYTHING,
    expiresAt: Number.POSITIVE_INFINITY,
    ...change,
  });

  it.each([
    ["everything", key(), key()],
    ["less", key({ scopes: ["logs:read", "proxy"], expiresAt: soon, external_id: "a" }), key()],
    ["what its creator may", key({ scopes: ["logs:read"] }), key({ scopes: ["logs:write", "keys:write"] })],
    [
      "fewer of the creator's connections",
      key({ connection_ids: ["conn_1"] }),
      key({ connection_ids: ["conn_1", "conn_2"] }),
    ],
    ["a tool pack", key({ tool_pack_id: "tp_1" }), key()],
    ["the tool pack of its creator", key({ tool_pack_id: "tp_1" }), key({ toolPack: { id: "tp_1" } })],
    ["an earlier end", key({ expiresAt: soon - 1 }), key({ expiresAt: soon })],
  ])("may have %s", (_, wanted, creator) => {
    expect(strongerBy(wanted, creator)).toBeUndefined();
  });

  it.each([
    ["scopes", "it does not have *", key(), key({ scopes: ["keys:write"] })],
    ["scopes", "proxy", key({ scopes: ["proxy", "keys:read"] }), key({ scopes: ["keys:write"] })],
    ["external_id", "bound to a", key(), key({ external_id: "a" })],
    ["external_id", "bound to a", key({ external_id: "b" }), key({ external_id: "a" })],
    ["connection_ids", "conn_1", key(), key({ connection_ids: ["conn_1"] })],
    ["connection_ids", "conn_1", key({ connection_ids: ["conn_1", "conn_2"] }), key({ connection_ids: ["conn_1"] })],
    ["expires_at", "2030-01-01", key(), key({ expiresAt: soon })],
    ["tool_pack_id", "tp_1", key(), key({ toolPack: { id: "tp_1" } })],
    ["tool_pack_id", "tp_1", key({ tool_pack_id: "tp_2" }), key({ toolPack: { id: "tp_1" } })],
  ])("is refused for its %s", (field, message, wanted, creator) => {
    expect(strongerBy(wanted, creator)).toEqual({ field, message: expect.stringContaining(message) });
  });
});
