import { hash } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { TIME, testConnection } from "../../../test/support/engine-parts.ts";
import { EVERYTHING, roleScopes, UNBOUND } from "../../contracts/access.ts";
import type { OAuth2 } from "../../contracts/authentication.ts";
import type { Topic } from "../../contracts/coordination.ts";
import type { ApiKey, Workspace } from "../../contracts/entities.ts";
import type { OidcSettings, Person } from "../../contracts/people.ts";
import type { Provider } from "../../contracts/provider.ts";
import { createIdentities, LINK_ACTOR, type PeopleOptions } from "./identify.ts";

const NOW = Date.UTC(2026, 0, 1);
const at = (milliseconds: number) => new Date(NOW + milliseconds).toISOString();
const workspace = { id: "ws_1", name: "main" } as Workspace;
const key = { id: "key_1", name: "CI", scopes: ["unified:read"], ...UNBOUND, expires_at: null } as unknown as ApiKey;
const person: Person = {
  issuer: "https://id.example",
  subject: "ada",
  name: null,
  email: "ada@example.com",
  verified_domain: "example.com",
  groups: ["staff"],
};
const oidc = { issuer: person.issuer, roles: [{ group: "staff", role: "viewer", workspace: "*" }] } as OidcSettings;
const { record, integration, provider } = testConnection();
const user = { workspace, ...UNBOUND };

const store = {
  keys: { byHash: vi.fn(), used: vi.fn() },
  dashboard: { session: vi.fn() },
  mcpGrants: { byToken: vi.fn(), used: vi.fn() },
  customFields: { list: vi.fn() },
  connections: { load: vi.fn() },
};
let invalidate: (topic: Topic, id: string) => void;

const newIdentities = (people: PeopleOptions = {}, shared = [provider]) =>
  createIdentities({
    store: store as never,
    coordination: {
      cacheTtlMs: 60_000,
      onInvalidate(listener: typeof invalidate) {
        invalidate = listener;
      },
    } as never,
    providers: {
      known: (_, id) => shared.find(({ manifest }) => manifest.id === id),
      shared: new Map<string, Provider>(shared.map((one) => [one.manifest.id, one])),
    },
    sandboxUrl: undefined,
    telemetry: { warn: vi.fn() },
    ...people,
  });

beforeEach(() => {
  vi.resetAllMocks();
  vi.useFakeTimers({ now: NOW });
  store.keys.byHash.mockResolvedValue({ workspace, key });
  store.customFields.list.mockResolvedValue([]);
  store.connections.load.mockResolvedValue({ connection: record, integration, provider: undefined });
});
afterEach(() => vi.useRealTimers());

const refused = (message: string) => ({ kind: "unauthorized", message });

it("an API key is looked up by its hash, works until it expires, and its use is noted", async () => {
  const { caller, close } = newIdentities();
  expect(await caller("pb_secret")).toEqual({
    workspace,
    actor: { kind: "key", id: "key_1", name: "CI" },
    scopes: ["unified:read"],
    ...UNBOUND,
    expiresAt: Number.POSITIVE_INFINITY,
    keyExpiresAt: Number.POSITIVE_INFINITY,
  });
  expect(store.keys.byHash).toHaveBeenCalledExactlyOnceWith(hash("sha256", "pb_secret"));
  await close();
  expect(store.keys.used).toHaveBeenCalledExactlyOnceWith([{ id: "key_1", at: TIME }]);

  store.keys.byHash.mockResolvedValue({ workspace, key: { ...key, expires_at: at(1) } });
  const expiring = newIdentities();
  expect(await expiring.caller("pb_secret")).toMatchObject({ expiresAt: NOW + 1 });
  vi.setSystemTime(NOW + 1);
  await expect(Promise.try(() => expiring.caller("pb_secret"))).rejects.toMatchObject(
    refused("the API key has expired"),
  );

  await expect(Promise.try(() => caller(undefined))).rejects.toMatchObject(refused("the API key is missing"));
  store.keys.byHash.mockResolvedValue(undefined);
  await expect(Promise.try(() => caller("pb_other"))).rejects.toMatchObject(refused("the API key is unknown"));
});

it("a session ends at its time or with its key, whichever is first", async () => {
  const { caller } = newIdentities();
  store.dashboard.session.mockResolvedValueOnce({ workspace, expires_at: at(10) });
  expect(await caller("pbs_link")).toEqual({ workspace, actor: LINK_ACTOR, ...EVERYTHING, expiresAt: NOW + 10 });
  const ofKey = { workspace, key: { ...key, expires_at: at(5) }, expires_at: at(10) };
  store.dashboard.session.mockResolvedValueOnce(ofKey);
  expect(await caller("pbs_key")).toMatchObject({ actor: { kind: "key" }, expiresAt: NOW + 5 });
  vi.setSystemTime(NOW + 5);
  await expect(Promise.try(() => caller("pbs_key"))).rejects.toMatchObject(refused("the session has ended"));
  expect(await caller("pbs_link")).toMatchObject({ expiresAt: NOW + 10 });
  await expect(Promise.try(() => caller("pbs_unknown"))).rejects.toMatchObject(refused("the session has ended"));
  expect(store.keys.byHash).not.toHaveBeenCalled();
});

it("a person's session has their role of today, and other sessions can be refused", async () => {
  const ofPerson = { workspace, person, expires_at: at(10) };
  store.dashboard.session.mockResolvedValue(ofPerson);
  expect(await newIdentities({ oidc, peopleOnly: true }).caller("pbs_1")).toMatchObject({
    actor: { kind: "person", id: "https://id.example#ada", name: "ada@example.com" },
    scopes: roleScopes.viewer,
    person,
  });
  await expect(Promise.try(() => newIdentities({ oidc: { ...oidc, roles: [] } }).caller("pbs_1"))).rejects.toThrow(
    "has ended",
  );
  store.dashboard.session.mockResolvedValue({ workspace, expires_at: at(10) });
  await expect(Promise.try(() => newIdentities({ oidc, peopleOnly: true }).caller("pbs_2"))).rejects.toThrow(
    "has ended",
  );
});

it("the token of an MCP client works until it expires, for its own address alone, and its use is noted", async () => {
  const grant = {
    id: "grant_1",
    resource: "https://a.example/mcp",
    actor: LINK_ACTOR,
    external_id: "u",
    access: "read",
  };
  store.mcpGrants.byToken.mockResolvedValue({ workspace, grant, expires_at: at(10) });
  const { mcpClient, close } = newIdentities();
  expect(await mcpClient("pbm_1", grant.resource)).toMatchObject({
    scopes: ["mcp"],
    external_id: "u",
    grant: { id: "grant_1", access: "read" },
    expiresAt: NOW + 10,
  });
  await expect(mcpClient("pbm_1", "https://b.example/mcp")).rejects.toMatchObject(
    refused("the access token is for another address"),
  );
  vi.setSystemTime(NOW + 10);
  const gone = refused("the access token is unknown or has expired");
  await expect(mcpClient("pbm_1", grant.resource)).rejects.toMatchObject(gone);
  store.mcpGrants.byToken.mockResolvedValue(undefined);
  await expect(mcpClient("pbm_2", grant.resource)).rejects.toMatchObject(gone);
  await close();
  expect(store.mcpGrants.used).toHaveBeenCalledExactlyOnceWith([{ id: "grant_1", at: at(0) }]);
});

it("a connection is found in its own workspace, by those who may use it", async () => {
  const { connection } = newIdentities();
  expect((await connection(user, "conn_1")).record).toBe(record);
  const missing = { kind: "connection_missing" };
  await expect(Promise.try(() => connection(user, undefined))).rejects.toMatchObject(missing);
  await expect(Promise.try(() => connection({ ...user, workspace: { id: "ws_2" } }, "conn_1"))).rejects.toMatchObject(
    missing,
  );
  await expect(Promise.try(() => connection({ ...user, external_id: "somebody" }, "conn_1"))).rejects.toMatchObject(
    missing,
  );
  store.connections.load.mockResolvedValue(undefined);
  await expect(Promise.try(() => connection(user, "conn_2"))).rejects.toMatchObject(missing);
});

it("a connection that cannot be used says why", async () => {
  const { connection } = newIdentities();
  const load = (change: object) =>
    store.connections.load.mockResolvedValueOnce({ connection: record, integration, provider: undefined, ...change });
  load({ connection: { ...record, unreadable: true } });
  await expect(Promise.try(() => connection(user, "conn_1"))).rejects.toMatchObject({ kind: "credentials_unreadable" });
  load({ integration: undefined });
  await expect(Promise.try(() => connection(user, "conn_2"))).rejects.toMatchObject({ kind: "integration_missing" });
  load({ integration: { ...integration, type: "basic" } });
  await expect(Promise.try(() => connection(user, "conn_4"))).rejects.toMatchObject({
    kind: "integration_missing",
    message: "Acme no longer has basic, the type of the connection's integration",
  });
  load({ integration: { ...integration, identifier: "unknown" } });
  await expect(Promise.try(() => connection(user, "conn_3"))).rejects.toMatchObject({ kind: "integration_missing" });
});

it("what is cached is loaded again after a change that it may depend on, and not after others", async () => {
  const { caller, connection, mcpClient, reload } = newIdentities();
  const grant = { id: "grant_1", resource: "r", actor: LINK_ACTOR };
  store.mcpGrants.byToken.mockResolvedValue({ workspace, grant, expires_at: at(10) });
  store.dashboard.session.mockResolvedValue({ workspace, expires_at: at(10) });
  const useAll = async () => {
    vi.clearAllMocks();
    await Promise.all([caller("pb_1"), caller("pbs_1"), mcpClient("pbm_1", "r"), connection(user, "conn_1")]);
    return [
      store.keys.byHash,
      store.dashboard.session,
      store.mcpGrants.byToken,
      store.connections.load,
      store.customFields.list,
    ].map(({ mock }) => mock.calls.length);
  };
  expect(await useAll()).toEqual([1, 1, 1, 1, 1]);
  expect(await useAll()).toEqual([0, 0, 0, 0, 0]);
  invalidate("connection", "conn_1");
  expect(await useAll()).toEqual([0, 0, 0, 1, 0]);
  invalidate("connection", "conn_2");
  expect(await useAll()).toEqual([0, 0, 0, 0, 0]);
  invalidate("key", hash("sha256", "pb_1"));
  expect(await useAll()).toEqual([1, 1, 1, 0, 0]);
  invalidate("custom_field", "cf_1");
  expect(await useAll()).toEqual([1, 1, 1, 1, 1]);
  const known = await connection(user, "conn_1");
  vi.clearAllMocks();
  expect((await reload(known)).record).toBe(record);
  expect(store.connections.load).toHaveBeenCalledOnce();
});

it("a connection that is loaded again has the provider as it is now, or is at the same relative of it", async () => {
  expect((await newIdentities().reload(testConnection())).provider).toBe(provider);
  const [own, relative] = ["acme", "acme-mail"].map((id) => {
    const oauth2 = { login: "acme", scopes: [id] } as unknown as OAuth2;
    return testConnection({ manifest: { id, auth: { oauth2 } } }).provider;
  });
  const requested = { ...integration, type: "oauth2", scopes: ["acme-mail"] };
  store.connections.load.mockResolvedValue({ connection: record, integration: requested });
  const { connection, reload } = newIdentities({}, [own!, relative!]);
  const loaded = await connection(user, "conn_1");
  expect((await reload(loaded)).provider).toBe(own);
  expect((await reload(loaded.at(relative!))).provider).toBe(relative);
});
