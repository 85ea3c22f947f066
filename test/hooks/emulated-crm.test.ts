// Hooks of CRMs and help desks between a manifest and its emulator: they are made, sent, verified, understood and
// removed, and the calls match the provider's own description.
import { randomBytes } from "node:crypto";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { ApplicationHooks, ConnectionHooks, HookRequest } from "../../src/contracts/hooks.ts";
import { authTypes } from "../../src/contracts/manifest.ts";
import type { Provider } from "../../src/contracts/provider.ts";
import type { Answer, UpstreamRequest } from "../../src/contracts/upstream.ts";
import { loadEvidence } from "../../src/providers/evidence.gen.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { emulators } from "../../src/providers/sandboxes.gen.ts";
import { verifyHook } from "../../src/runtime/hook-signature.ts";
import { createSandbox, type Exchange } from "../../src/sandbox/index.ts";
import { availableDescriptions, checkExchanges, specsFolder } from "../support/contract/index.ts";

const IDS = ["zendesk", "pipedrive", "attio", "hubspot", "zoho", "help-scout", "intercom", "front"];
/** Those whose published descriptions include webhooks. */
const DESCRIBED = ["pipedrive", "attio"];
const SECRET = randomBytes(32).toString("hex");
/** Changes that the provider reports to nobody. */
const UNREPORTED: Record<string, string[]> = {
  zendesk: ["helpdesk.listComments update", "helpdesk.listComments delete"],
  "help-scout": ["helpdesk.listComments update", "helpdesk.listComments delete"],
  intercom: [
    "helpdesk.listTickets delete",
    "ticketing.listTickets delete",
    "helpdesk.listComments update",
    "helpdesk.listComments delete",
  ],
  front: ["helpdesk.listComments update", "helpdesk.listComments delete"],
};

const sandbox = createSandbox({ providers, emulators, secret: randomBytes(32) });
const exchanges: Exchange[] = [];
const received: HookRequest[] = [];
const server: FastifyInstance = Fastify();
let address: string;

beforeAll(async () => {
  sandbox.onExchange((exchange) => exchanges.push(exchange));
  await server.register(sandbox.plugin, { prefix: "/sandbox" });
  server.addContentTypeParser("*", { parseAs: "buffer" }, async (_: unknown, bytes: Buffer) => bytes);
  server.removeContentTypeParser("application/json");
  server.all("/received", async ({ method, headers, url, body }, reply) => {
    const bytes = (body as Buffer | undefined) ?? Buffer.alloc(0);
    const whole = new URL(url, address);
    const request = { method, url: whole.href, headers: headers as HookRequest["headers"], query: whole.searchParams };
    received.push({ ...request, bytes, body: bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined });
    return reply.send(headers["x-front-challenge"] ?? "");
  });
  address = await server.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => server.close());
beforeEach(() => {
  received.length = 0;
});

/** Calls the emulated provider with a connection's credentials. */
const upstreamOf =
  ({ manifest }: Provider) =>
  async <Body>({ method, to, path, query, body }: UpstreamRequest): Promise<Answer<Body>> => {
    const type = authTypes(manifest)[0]!;
    const { credentials } = sandbox.credentials(manifest.id, type);
    const base = new URL(manifest.addresses[to]!.replace(/\{\w+\}/g, "x")).pathname.replace(/\/$/, "");
    const parameters = new URLSearchParams(query as Record<string, string>);
    const response = await fetch(`${address}/sandbox/${manifest.id}${base}${path}?${parameters}`, {
      method,
      headers: {
        ...(manifest.authorization?.(credentials, type).headers ?? { authorization: `Bearer ${credentials.token}` }),
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const headers = Object.fromEntries(response.headers);
    const answer = { status: response.status, headers, body: text === "" ? null : JSON.parse(text) };
    const status = manifest.failed?.(answer) ?? answer.status;
    if (status >= 400) throw new Error(`${status} ${text}`);
    return answer;
  };

const control = async (path: string, body: object) => {
  const response = await fetch(`${address}/sandbox/${path}`, { method: "POST", body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
};

/** The hook that a change is reported with; undefined if it cannot be made. */
async function hookOf(provider: string, list: string, kind: string): Promise<HookRequest | undefined> {
  received.length = 0;
  const { status, text } = await control("_changes", { provider, list, [kind]: 1 });
  if (status === 400 && text.includes("impossible")) return undefined;
  expect(status, text).toBe(201);
  const arrived = () => {
    expect(received, `${list} ${kind}`).toHaveLength(1);
    return received[0];
  };
  return vi.waitFor(arrived, { timeout: 30_000 });
}

const concerns = (named: readonly string[] | undefined, events: readonly string[]): boolean =>
  named === undefined || events.some((event) => named.some((name) => event === name || event.startsWith(`${name}.`)));

async function checkList(provider: Provider, hooks: ConnectionHooks | ApplicationHooks, list: string, secret: string) {
  const { manifest } = provider;
  const { events, deletes } = hooks.lists[list]!;
  for (const kind of ["create", "update", "delete"] as const) {
    if (UNREPORTED[manifest.id]?.includes(`${list} ${kind}`)) continue;
    const hook = await hookOf(manifest.id, list, kind);
    if (!hook) continue;
    expect(verifyHook(hooks.signature, [secret], hook)).toBe(true);
    expect(verifyHook(hooks.signature, [`${secret}x`], hook)).toBe(false);
    const named = hooks.events!(hook);
    expect(concerns(events, named), `${list} is read after ${named}`).toBe(true);
    expect(concerns(deletes ?? [], named), `the whole ${list} is read after ${named}`).toBe(kind === "delete");
    if (hooks.per === "application") expect(hooks.accounts(hook)).toEqual([await hooks.account(contextOf(provider))]);
  }
}

const contextOf = (provider: Provider) => ({
  upstream: upstreamOf(provider),
  settings: {},
  address: (name: string) => provider.manifest.addresses[name]!,
  sleep: async () => {},
  auth: authTypes(provider.manifest)[0]!,
});

describe.each(IDS)("%s", (id) => {
  const provider = providers.find(({ manifest }) => manifest.id === id)!;
  const { hooks } = provider.manifest;
  if (hooks?.per === "application")
    it(`${id} reports each change to the address of the application, with the account`, async () => {
      const set = await control("_hooks", { provider: id, url: `${address}/received`, secret: SECRET });
      expect(set.status, set.text).toBeLessThan(300);
      for (const list of Object.keys(hooks.lists)) await checkList(provider, hooks, list, SECRET);
    });
  if (hooks?.per !== "connection") return;

  it(`${id} reports each change to the hook that was made for it, until it is removed`, async () => {
    for (const [list, { target }] of Object.entries(hooks.lists)) {
      const context = { ...contextOf(provider), target: target?.({}) ?? "" };
      const made = await hooks.create({ ...context, url: `${address}/received`, secret: SECRET });
      if (made.expires_at) expect(Date.parse(made.expires_at)).toBeGreaterThan(Date.now());
      await checkList(provider, hooks, list, made.secret ?? SECRET);
      await hooks.remove(context, made.remote);
      received.length = 0;
      await control("_changes", { provider: id, list, create: 1 });
      await expect(hooks.remove(context, made.remote)).rejects.toThrow(/^40/);
      expect(received).toEqual([]);
    }
  });

  const folder = specsFolder();
  if (!DESCRIBED.includes(id)) return;
  it.skipIf(!folder)(`${id} has hooks that are made and removed as its description says`, async () => {
    const [{ target }] = Object.values(hooks.lists) as [ConnectionHooks["lists"][string]];
    const context = { ...contextOf(provider), target: target?.({}) ?? "" };
    exchanges.length = 0;
    const { remote } = await hooks.create({ ...context, url: "https://plugboard.example/hooks/1", secret: SECRET });
    await hooks.remove(context, remote);
    const { [id]: evidence } = await loadEvidence();
    const result = checkExchanges(provider, availableDescriptions(evidence, folder), exchanges, folder!);
    expect(result.violations).toEqual([]);
    expect(result.checked).toBeGreaterThan(1);
  });
});
