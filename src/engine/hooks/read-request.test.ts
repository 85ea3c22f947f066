import { expect, it } from "vitest";
import type { ApplicationHooks, ConnectionHooks, HookHandshake, HookRequest } from "../../contracts/hooks.ts";
import { readHook } from "./read-request.ts";

const signed = { "x-secret": "hush" };
const base = { signature: { kind: "token", in: { header: "x-secret" } }, lists: {} } as const;
const hooksWith = (change: Partial<ConnectionHooks>) => ({ ...base, per: "connection", ...change }) as ConnectionHooks;
const application = (change: Partial<ApplicationHooks>) =>
  ({ ...base, per: "application", accounts: () => [], ...change }) as ApplicationHooks;

const read = (hooks: ConnectionHooks | ApplicationHooks, request: Partial<HookRequest> = {}, expectsSecret = false) => {
  const whole = { method: "POST", url: "https://p.example/h", headers: signed, bytes: Buffer.from(""), body: {} };
  return readHook(hooks, ["hush"], { ...whole, query: new URLSearchParams(), ...request }, expectsSecret);
};

const refused = { kind: "refused" };
const unsigned = { headers: {} };

it("only a signed POST is a hint, and HEAD is answered", () => {
  const hooks = hooksWith({});
  expect(read(hooks)).toMatchObject({ kind: "hint", accounts: [], targets: undefined });
  expect(read(hooks, unsigned)).toEqual(refused);
  expect(read(hooks, { method: "GET" })).toEqual(refused);
  expect(read(hooks, { method: "HEAD", ...unsigned })).toEqual({ kind: "handshake", answer: { status: 200 } });
});

it("a challenge is found where the provider sends it, and sent back as it wants it", () => {
  const answer = (handshake: HookHandshake, request: Partial<HookRequest>) => {
    const found = read(hooksWith({ handshake }), { ...unsigned, ...request });
    return found.kind === "handshake" ? found.answer : undefined;
  };
  const name = "challenge";
  expect(answer({ in: "query", name, answer: "text" }, { query: new URLSearchParams({ challenge: "c" }) })).toEqual({
    status: 200,
    headers: { "content-type": "text/plain; charset=utf-8" },
    body: "c",
  });
  expect(answer({ in: "header", name, answer: "header" }, { headers: { challenge: "c" } })).toEqual({
    status: 200,
    headers: { challenge: "c" },
  });
  expect(answer({ in: "body", name, answer: "json" }, { body: { challenge: "c" } })).toEqual({
    status: 200,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: '{"challenge":"c"}',
  });
  expect(answer({ in: "body", name, answer: "none" }, { body: { challenge: "c" } })).toEqual({ status: 200 });
  expect(answer({ in: "body", name, answer: "none" }, { body: { challenge: "c".repeat(1_000) } })).toBeDefined();
  for (const challenge of ["", "c".repeat(1_001), 7, null])
    expect(answer({ in: "body", name, answer: "none" }, { body: { challenge } })).toBeUndefined();
  for (const body of [undefined, null, "text", Object.create({ challenge: "c" })])
    expect(answer({ in: "body", name, answer: "none" }, { body })).toBeUndefined();
});

it("a challenge that has to be signed is, and one that is the secret counts only while none is known", () => {
  const handshake = { in: "body", name: "challenge", answer: "none" } as const;
  const body = { challenge: "c" };
  const mustBeSigned = hooksWith({ handshake: { ...handshake, isSigned: true } });
  expect(read(mustBeSigned, { body })).toMatchObject({ kind: "handshake" });
  expect(read(mustBeSigned, { body, ...unsigned })).toEqual(refused);
  expect(read(hooksWith({ handshake }), { body }, true)).not.toHaveProperty("secret");
  const bringsSecret = hooksWith({ handshake: { ...handshake, isSecret: true } });
  expect(read(bringsSecret, { body, ...unsigned }, true)).toMatchObject({ kind: "handshake", secret: "c" });
  expect(read(bringsSecret, { body, ...unsigned }, false)).toEqual(refused);
});

it("a hint is about the lists of its events, and about all if they cannot be read", () => {
  const lists = {
    issues: { events: ["issue", "label"], deletes: ["issue.deleted"] },
    comments: { events: ["comment"], deletes: ["comment"] },
    all: {},
  };
  const hint = (events: ConnectionHooks["events"]) => read(hooksWith({ lists, ...(events && { events }) }));
  expect(hint(() => ["issue.opened"])).toMatchObject({ operations: ["issues", "all"], deletes: [] });
  expect(hint(() => ["issue.deleted", "x"])).toMatchObject({ operations: ["issues", "all"], deletes: ["issues"] });
  expect(hint(() => ["comment"])).toMatchObject({ operations: ["comments", "all"], deletes: ["comments"] });
  expect(hint(() => ["issues"])).toMatchObject({ operations: ["all"], deletes: [] });
  expect(hint(() => [])).toMatchObject({ operations: [], deletes: [] });
  const unknown = { kind: "hint", operations: undefined, deletes: [] };
  expect(hint(undefined)).toMatchObject(unknown);
  expect(hint(({ body }) => body.none.at(0))).toMatchObject(unknown);
});

it("a hint of an application names accounts and targets, as far as they can be read", () => {
  const named = application({ accounts: () => ["a", "", 7 as never], targets: () => ["t"] });
  expect(read(named)).toMatchObject({ kind: "hint", accounts: ["a"], targets: ["t"] });
  expect(read(application({ accounts: ({ body }) => body.none.at(0) }))).toMatchObject({
    kind: "hint",
    accounts: [],
    targets: undefined,
  });
});
