import { createSecretKey } from "node:crypto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { testConnection } from "../../../test/support/engine-parts.ts";
import type { Integration } from "../../contracts/entities.ts";
import type { Hooks, StoredHook } from "../../contracts/hooks.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import { get } from "../../provider-kit/request.ts";
import { createFormatGuard } from "../operation/format-guard.ts";
import type { OperationRun } from "../operation/upstream.ts";
import { createSigner } from "../signed.ts";
import { createHooks } from "./index.ts";

const call = vi.fn();
const warn = vi.fn();
const provider = vi.fn();
const made = { create: vi.fn(), renew: vi.fn(), remove: vi.fn(), account: vi.fn() };
const valid = testConnection({ record: { credentials: { token: "fresh" } } });

const hooksAt = (url: string) =>
  createHooks({
    call,
    guardFormat: createFormatGuard({ malformed() {} }),
    tokens: { withValidToken: async () => valid },
    signer: createSigner(() => [createSecretKey(Buffer.alloc(32, 1))]),
    url,
    localUrl: "http://127.0.0.1:1/hooks",
    providers: { of: provider },
    sandboxUrl: "http://127.0.0.1:1/sandbox",
    telemetry: { warn },
  });
const hooks = hooksAt("https://plugboard.example/hooks");

const connectionWith = (
  given: Partial<Exclude<Hooks, { per: "none" }>> | Hooks | undefined,
  integration: Partial<Integration> = {},
  manifest: Partial<Manifest> = {},
) => {
  const whole = given && { per: "connection", secret: "hook", lists: {}, ...made, ...given };
  return testConnection({ manifest: { ...manifest, ...(whole && { hooks: whole as Hooks }) }, integration });
};
const stored = (change: Partial<StoredHook> = {}) =>
  ({ id: "hook_1", target: "t", remote: { id: "9" }, ...change }) as StoredHook;

beforeEach(() => {
  vi.resetAllMocks();
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

it("an address is recognized by its signature, and emulated providers get the local one", () => {
  const address = hooks.addressOf({ base_url: null }, "hook_1");
  expect(address).toMatch(/^https:\/\/plugboard\.example\/hooks\/hook_1\.[\w-]{43}$/);
  expect(hooks.addressOf({ base_url: "sandbox" }, "hook_1")).toMatch(/^http:\/\/127\.0\.0\.1:1\/hooks\/hook_1\./);
  const text = address.split("/").at(-1)!;
  expect(hooks.readAddress(text)).toBe("hook_1");
  for (const other of [text.replace("1", "2"), text.replace(".", ""), `${text}.`, "hook_1", "hook_1.", ".", ""])
    expect(hooks.readAddress(other)).toBeUndefined();
});

it("a list is planned with the target that its hook watches, or with the reason why there is none", () => {
  const lists = { "a.all": {}, "a.one": { target: ({ of }: Record<string, string>) => of } };
  const plan = (id: string, parameters = {}, given: Parameters<typeof connectionWith>[0] = { lists }) =>
    hooks.plan(connectionWith(given), { id } as BoundOperation, parameters);
  expect(plan("a.all")).toEqual({ integration_id: "int_1", target: "" });
  expect(plan("a.one", { of: "repo" })).toEqual({ integration_id: "int_1", target: "repo" });
  const none = { reason: "Acme has no webhook for this list" };
  expect([plan("a.one"), plan("a.other"), plan("constructor")]).toEqual([none, none, none]);
  expect(plan("a.all", {}, { per: "none", because: "nobody asked" })).toEqual({ reason: "nobody asked" });
  expect(hooks.plan(connectionWith(undefined), { id: "a.all" } as BoundOperation, {})).toEqual({
    reason: "Acme has no webhooks that Plugboard knows",
  });
});

it("a hook needs its secret, and an address that the provider can reach", () => {
  expect(hooks.obstacle(connectionWith({}))).toBeUndefined();
  const secret = "hook_secret";
  expect(hooks.obstacle(connectionWith({ secret }))).toMatch("the integration has no hook_secret");
  expect(hooks.obstacle(connectionWith({ secret }, { hook_secret: "s" }))).toBeUndefined();
  const local = hooksAt("http://localhost:3000/hooks");
  expect(local.obstacle(connectionWith({}))).toBe("Acme cannot reach localhost: set BASE_URL to a public address");
  expect(local.obstacle(connectionWith({}, { base_url: "sandbox" }))).toBeUndefined();
  expect(local.obstacle(connectionWith({}, {}, { addresses: { api: "http://127.0.0.1:2" } }))).toBeUndefined();
  for (const without of [undefined, { per: "none", because: "" } as const])
    expect(() => hooks.obstacle(connectionWith(without))).toThrow("the provider has no hooks");
});

it("a hook is made with a valid token, its address and its secret, and ends after 30 seconds", async () => {
  made.create.mockImplementation(async ({ upstream }) => {
    await upstream(get("/hooks"));
    return { remote: { id: "9" } };
  });
  const connection = connectionWith({});
  let run: OperationRun | undefined;
  call.mockImplementation(async (given: OperationRun) => {
    run = given;
    await vi.advanceTimersByTimeAsync(29_999);
    expect(given.client!.cancelled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    return { status: 200, headers: {}, body: {} };
  });
  expect(await hooks.make(connection, { id: "hook_1", target: "t" }, "hush")).toEqual({ remote: { id: "9" } });
  expect(made.create.mock.calls[0]![0]).toMatchObject({
    target: "t",
    url: hooks.addressOf({ base_url: null }, "hook_1"),
    secret: "hush",
    auth: "api_key",
  });
  expect(run).toMatchObject({ connection: valid, maxRetries: 1, repeatable: false, client: { cancelled: true } });
  call.mockResolvedValue({});
  await hooks.make(connection, { id: "hook_1", target: "t" }, "hush");
  expect(vi.getTimerCount()).toBe(0);
});

it("a hook is renewed if its provider can do that, and removed if the provider has made it", async () => {
  const connection = connectionWith({});
  made.renew.mockResolvedValue({ expires_at: null });
  expect(await hooks.renew(connection, stored())).toEqual({ expires_at: null });
  await hooks.renew(connection, stored({ remote: null }));
  expect(made.renew.mock.calls.map(([{ target }, remote]) => [target, remote])).toEqual([
    ["t", { id: "9" }],
    ["t", {}],
  ]);
  expect(await hooks.renew(connectionWith({ renew: undefined } as never), stored())).toBeUndefined();

  await hooks.remove(connection, stored());
  expect(made.remove.mock.calls.map(([{ target }, remote]) => [target, remote])).toEqual([["t", { id: "9" }]]);
  await hooks.remove(connection, stored({ remote: null }));
  await hooks.remove(connectionWith({ per: "application" } as never), stored());
  await hooks.remove(connectionWith(undefined), stored());
  expect(made.remove).toHaveBeenCalledOnce();
});

it("the hooks of a deleted connection are removed within 5 seconds each, and what is left is reported", async () => {
  const { record, integration, provider: known } = connectionWith({});
  const all = [stored(), stored({ id: "hook_2", remote: { id: "stuck" } })];
  made.remove.mockImplementation(async ({ sleep }, { id }) => {
    if (id === "stuck") await sleep(60_000);
  });
  provider.mockResolvedValue(known);
  const removal = hooks.removeAll(record, integration, all);
  await vi.advanceTimersByTimeAsync(5_000);
  await removal;
  expect(warn.mock.calls).toEqual([
    ["could not remove webhooks of a deleted connection", { connection_id: "conn_1", hooks: ["hook_2"] }],
  ]);
  await hooks.removeAll(record, integration, [stored()]);
  expect([warn.mock.calls.length, made.remove.mock.calls.length]).toEqual([1, 3]);
  await hooks.removeAll({ ...record, unreadable: true }, integration, all);
  await hooks.removeAll(record, { ...integration, unreadable: true }, all);
  provider.mockResolvedValue(undefined);
  await hooks.removeAll(record, integration, all);
  expect(made.remove).toHaveBeenCalledTimes(3);
});

it("what else is known of hooks comes from the manifest, and a secret is random", async () => {
  made.account.mockResolvedValue("team-1");
  const connection = connectionWith({ per: "application", needs: "a role" } as never);
  expect(await hooks.account(connection)).toBe("team-1");
  expect([hooks.per(connection), hooks.needs(connection)]).toEqual(["application", "a role"]);
  expect(hooks.newSecret()).toMatch(/^[0-9a-f]{48}$/);
  expect(hooks.newSecret()).not.toBe(hooks.newSecret());
});
