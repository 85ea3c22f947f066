// The hooks of every provider against its emulator: they are made, renewed and removed as its own description says, and
// what the emulator sends for a change is verified, and is about the list that was changed.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import Fastify from "fastify";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ConnectionHooks, HookRequest } from "../../src/contracts/hooks.ts";
import { authTypes, hooksOf } from "../../src/contracts/manifest.ts";
import type { Provider } from "../../src/contracts/provider.ts";
import type { Upstream } from "../../src/contracts/upstream.ts";
import { readHook } from "../../src/engine/index.ts";
import { loadEvidence } from "../../src/providers/evidence.gen.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { emulators } from "../../src/providers/sandboxes.gen.ts";
import { createSandbox, type Exchange } from "../../src/sandbox/index.ts";
import { availableDescriptions, checkExchanges, specsFolder } from "../support/contract/index.ts";
import { givenParameters } from "./hooks-client.ts";

/** Much longer than it takes. */
const ARRIVES = { timeout: 30_000 };
const KINDS = ["create", "update", "delete"] as const;
/** What emulated providers sign with, if it is a secret of the application. */
const SECRETS = { hook_secret: "sandbox-hook-secret", client_secret: "sandbox" };

/** Those of `emulated-crm.test.ts` and `emulated-tasks.test.ts`. */
const ELSEWHERE = new Set([
  ...["zendesk", "pipedrive", "attio", "zoho", "help-scout"],
  ...["gitlab", "gitea", "bitbucket", "linear", "asana", "trello", "clickup", "jira", "monday", "shortcut"],
]);

const evidence = await loadEvidence();

/** Somebody to whom hooks are sent, and who answers like Plugboard. */
async function startReceiver(hooks: ConnectionHooks, secrets: () => string[]) {
  const hints: { operations: readonly string[]; deletes: readonly string[] }[] = [];
  const refused: HookRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const bytes = Buffer.concat(await incoming.toArray());
    const { searchParams: query } = new URL(incoming.url!, "http://localhost");
    const request: HookRequest = {
      method: incoming.method!,
      url,
      headers: incoming.headers as HookRequest["headers"],
      query,
      bytes,
      body: bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined,
    };
    const read = readHook(hooks, secrets(), request, true);
    if (read.kind === "hint") hints.push({ operations: read.operations!, deletes: read.deletes });
    if (read.kind === "refused") refused.push(request);
    if (read.kind !== "handshake") return void response.writeHead(read.kind === "hint" ? 200 : 401).end();
    response.writeHead(read.answer.status, read.answer.headers).end(read.answer.body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  onTestFinished(() => void server.close());
  return { url, hints, refused };
}

/** A provider's emulator, its controls, and calls to it as a connection makes them. */
async function startEmulated({ manifest }: Provider) {
  const { id } = manifest;
  const sandbox = createSandbox({
    providers: [{ manifest, categories: [] }],
    emulators: { [id]: emulators[id]! },
    secret: randomBytes(32),
  });
  const exchanges: Exchange[] = [];
  sandbox.onExchange((exchange) => exchanges.push(exchange));
  const server = Fastify();
  await server.register(sandbox.plugin);
  const origin = await server.listen({ port: 0, host: "127.0.0.1" });
  onTestFinished(() => server.close());
  const auth = authTypes(manifest)[0]!;
  const { credentials, settings } = sandbox.credentials(id, auth);
  const authorization = manifest.authorization?.(credentials, auth) ?? {
    headers: { authorization: `Bearer ${credentials.token}` },
  };
  const address = (name: string) => {
    const { pathname } = new URL(manifest.addresses[name]!.replace(/\{(\w+)\}/g, (_, key: string) => settings[key]!));
    return `${origin}/${id}${pathname.replace(/\/$/, "")}`;
  };
  const upstream: Upstream = async <Body>({ method, to, path, query, body, headers }: Parameters<Upstream>[0]) => {
    const search = new URLSearchParams(authorization.query);
    for (const [name, value] of Object.entries(query)) if (value != null) search.set(name, String(value));
    const response = await fetch(`${address(to)}${path}?${search}`, {
      method,
      headers: {
        ...manifest.headers,
        ...headers,
        ...authorization.headers,
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return { status: response.status, headers: {}, body: (text && JSON.parse(text)) as Body };
  };
  async function control(path: string, body: object): Promise<any> {
    const response = await fetch(`${origin}${path}`, {
      method: "POST",
      body: JSON.stringify({ provider: id, ...body }),
    });
    const text = await response.text();
    return text && JSON.parse(text);
  }
  const context = { upstream, settings, address, sleep: async () => {}, auth };
  return { context, control, exchanges };
}

const hooked = providers.flatMap((provider) => {
  const { id } = provider.manifest;
  const hooks = hooksOf(provider.manifest, authTypes(provider.manifest)[0]!);
  return hooks?.per === "connection" && !ELSEWHERE.has(id) ? [[id, provider, hooks] as const] : [];
});

describe.each(hooked)("%s", (id, provider, hooks) => {
  it(`${id} makes hooks, sends what is verified, and removes them`, async () => {
    const { context, control, exchanges } = await startEmulated(provider);
    const made = new Map<string, { secret: string; remote: Record<string, string> }>();
    let secrets: string[] = [];
    const receiver = await startReceiver(hooks, () => secrets);
    const covered: { list: string; parameters: object }[] = [];
    for (const [list, { target: targetOf = () => "", deletes = [] }] of Object.entries(hooks.lists)) {
      const given = givenParameters(id, list);
      const { parameters } = await control("/_changes", { list, parameters: given });
      const target = targetOf(parameters);
      if (target === undefined) continue;
      covered.push({ list, parameters: given });
      if (!made.has(target)) {
        const secret = hooks.secret === "hook" ? randomBytes(24).toString("hex") : SECRETS[hooks.secret];
        secrets = [secret];
        const created = await hooks.create({ ...context, target, url: receiver.url, secret });
        made.set(target, { secret: created.secret ?? secret, remote: created.remote });
      }
      secrets = made.get(target)!.secret.split(/\s+/);
      // Some deletes are reported to nobody.
      for (const kind of deletes.length > 0 ? KINDS : KINDS.slice(0, 2)) {
        receiver.hints.length = 0;
        const changed = await control("/_changes", { list, parameters: given, [kind]: 1 });
        // Some changes are impossible.
        if (!changed.parameters) continue;
        await vi.waitFor(() => expect(receiver.hints).not.toEqual([]), ARRIVES);
        expect(receiver.hints.some(({ operations }) => operations.includes(list))).toBe(true);
        if (kind === "delete") expect(receiver.hints.some(({ deletes }) => deletes.includes(list))).toBe(true);
      }
      expect(receiver.refused).toEqual([]);
    }
    expect(covered).not.toEqual([]);

    // Nobody else can send them.
    receiver.hints.length = 0;
    await control("/_hooks", { forge: 100 });
    for (const kind of ["create", "update"]) await control("/_changes", { ...covered.at(-1), [kind]: 1 });
    await vi.waitFor(() => expect(receiver.refused).not.toEqual([]), ARRIVES);
    expect(receiver.hints).toEqual([]);

    for (const [target, { remote }] of made) {
      const renewed = await hooks.renew?.({ ...context, target }, remote);
      if (renewed) expect(Date.parse(renewed.expires_at!)).toBeGreaterThan(Date.now());
      await hooks.remove({ ...context, target }, remote);
    }
    await control("/_hooks", { forge: 0 });
    for (const one of covered) await control("/_changes", { ...one, update: 1 });
    await wait(50);
    expect(receiver.hints).toEqual([]);

    const folder = specsFolder();
    if (!folder && process.env.CI) throw new Error("CONTRACT_SPECS is not set: see docs/contract-suite.md");
    const descriptions = folder ? availableDescriptions(evidence[id], folder) : [];
    const { violations } = checkExchanges(provider, descriptions, exchanges, folder!);
    expect(violations).toEqual([]);
  });
});
