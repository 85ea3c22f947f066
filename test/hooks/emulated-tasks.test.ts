// Hooks of Git hosts and providers of tasks between a manifest and its emulator: they are made, sent, verified,
// understood, renewed and removed, and the calls match the provider's own description.
import { randomBytes } from "node:crypto";
import Fastify from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { AuthType } from "../../src/contracts/authentication.ts";
import type { ConnectionHooks, HookRequest, MadeHook, NewHook } from "../../src/contracts/hooks.ts";
import { addressTemplate, authTypes, hooksOf } from "../../src/contracts/manifest.ts";
import type { Answer, UpstreamRequest } from "../../src/contracts/upstream.ts";
import { readHook } from "../../src/engine/index.ts";
import { loadEvidence } from "../../src/providers/evidence.gen.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { emulators } from "../../src/providers/sandboxes.gen.ts";
import { createSandbox, type Exchange } from "../../src/sandbox/index.ts";
import { availableDescriptions, checkExchanges, specsFolder } from "../support/contract/index.ts";

type Parameters = Record<string, string>;

const SECRET = randomBytes(24).toString("hex");
/** What the emulated application signs with. */
const APP_SECRETS = { client_secret: "sandbox", hook_secret: "sandbox-hook-secret" };

/** Every kind of hook: a provider may have another one for an auth type. */
const KINDS: [id: string, auth: AuthType][] = [
  ["gitlab", "oauth2"],
  ["gitea", "oauth2"],
  ["bitbucket", "oauth2"],
  ["linear", "oauth2"],
  ["asana", "oauth2"],
  ["trello", "oauth2"],
  ["trello", "basic"],
  ["clickup", "oauth2"],
  ["jira", "oauth2"],
  ["jira", "basic"],
  ["monday", "oauth2"],
  ["shortcut", "api_key"],
];

/** A project of those whose hooks watch only one, by the emulator's data. */
const PROJECTS: Record<string, (state: any) => string> = {
  asana: ({ projects }) => projects[0].gid,
  trello: ({ boards }) => boards[0].id,
  monday: ({ boards }) => boards.find(({ type, state }: Parameters) => type === "board" && state === "active").id,
};

/** What the provider reports to nobody. */
const UNREPORTED: Record<string, string[]> = {
  gitlab: ["git.listIssues delete", "git.listPullRequests delete", "git.listIssueComments delete"],
  clickup: ["tasks.listComments delete"],
};
/** What never goes away at the provider, although the sandbox can delete it. */
const NEVER_GONE: Record<string, string[]> = { bitbucket: ["git.listPullRequests delete"] };

/** Where we are right and the description is wrong. */
const DEVIATIONS: Record<string, string[]> = {
  // https://docs.gitlab.com/api/project_webhooks/#add-a-webhook-to-a-project
  gitlab: [
    "POST /projects/{id}/hooks query url is missing",
    "POST /projects/{id}/hooks body/url is not described",
    "POST /projects/{id}/hooks body/releases_events is not described",
    "POST /projects/{id}/hooks reply 201 is not described",
    "DELETE /projects/{id}/hooks/{hook_id} reply 204 is not described",
  ],
  // A time, as in the description's own example.
  jira: ["PUT /rest/api/3/webhook/refresh reply 200/expirationDate must be integer"],
  // It returns the webhook: https://help.shortcut.com/hc/en-us/articles/34734717380756
  shortcut: ["POST /api/v3/integrations/webhook reply 201 is not described"],
};

const sandbox = createSandbox({ providers, emulators, secret: randomBytes(32) });
const server = Fastify();
const exchanges: Exchange[] = [];
const hints: Extract<ReturnType<typeof readHook>, { kind: "hint" }>[] = [];
const refused: HookRequest[] = [];
let address: string;
/** The hook that is received now. */
let current: { hooks: ConnectionHooks; secret: string };

beforeAll(async () => {
  sandbox.onExchange((exchange) => exchanges.push(exchange));
  await server.register(sandbox.plugin, { prefix: "/sandbox" });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, async (_: unknown, bytes: Buffer) => bytes);
  server.all("/received", async ({ method, headers, url, body }, reply) => {
    const bytes = (body as Buffer | undefined) ?? Buffer.alloc(0);
    const whole = new URL(url, address);
    const request: HookRequest = {
      method,
      url: whole.href,
      headers: headers as HookRequest["headers"],
      query: whole.searchParams,
      bytes,
      body: bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined,
    };
    const read = readHook(current.hooks, [current.secret], request, true);
    if (read.kind === "handshake")
      return reply
        .code(read.answer.status)
        .headers(read.answer.headers ?? {})
        .send(read.answer.body);
    if (read.kind === "refused") refused.push(request);
    else hints.push(read);
    return reply.code(read.kind === "refused" ? 401 : 200).send();
  });
  address = await server.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => server.close());
beforeEach(() => {
  hints.length = 0;
  refused.length = 0;
});

const control = async (path: string, body: object) => {
  const response = await fetch(`${address}/sandbox/${path}`, { method: "POST", body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as any };
};

describe.each(KINDS)("%s with %s", (id, auth) => {
  const provider = providers.find(({ manifest }) => manifest.id === id)!;
  const { manifest } = provider;
  const hooks = hooksOf(manifest, auth) as ConnectionHooks;

  /** Calls the emulated provider with a connection's credentials. */
  async function upstream<Body>({ method, to, path, query, body }: UpstreamRequest): Promise<Answer<Body>> {
    const { credentials, settings = {} } = sandbox.credentials(id, auth);
    const sent = manifest.authorization?.(credentials, auth) ?? {
      headers: {
        authorization:
          auth === "basic"
            ? `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString("base64")}`
            : `Bearer ${credentials.token}`,
      },
    };
    const template = addressTemplate(manifest, to, auth)!;
    const base = new URL(template.replace(/\{(\w+)\}/g, (_, name) => settings[name] ?? name)).pathname;
    const parameters = new URLSearchParams({ ...(query as Parameters), ...sent.query });
    const response = await fetch(`${address}/sandbox/${id}${base.replace(/\/$/, "")}${path}?${parameters}`, {
      method,
      headers: { ...manifest.headers, ...sent.headers, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    const answer = { status: response.status, headers: {}, body: isJson ? JSON.parse(text) : text };
    if (!response.ok || manifest.failed?.(answer)) throw new Error(`refused: ${response.status} ${text}`);
    return answer;
  }

  const contextOf = (target: string): NewHook => ({
    upstream,
    settings: {},
    address: (name) => addressTemplate(manifest, name, auth)!,
    sleep: async () => {},
    auth,
    target,
    url: `${address}/received`,
    secret: SECRET,
  });

  async function parametersOf(list: string): Promise<Parameters> {
    const { body } = await control("_changes", { provider: id, list });
    const project = PROJECTS[id]?.((await emulators[id]!.load()).state());
    return list === "tasks.listTasks" && project ? { ...body.parameters, project_id: project } : body.parameters;
  }
  const targetOf = (list: string, parameters: Parameters) =>
    hooks.lists[list]!.target ? hooks.lists[list]!.target(parameters) : "";

  async function make(context: NewHook): Promise<MadeHook> {
    current = { hooks, secret: hooks.secret === "hook" ? SECRET : APP_SECRETS[hooks.secret] };
    const made = await hooks.create(context);
    current.secret = made.secret ?? current.secret;
    return made;
  }

  it.each(Object.keys(hooks.lists))("%s: each change is reported to the hook, until it is removed", async (list) => {
    const parameters = await parametersOf(list);
    const target = targetOf(list, parameters);
    expect(target, JSON.stringify(parameters)).toEqual(expect.any(String));
    const context = contextOf(target!);
    const { remote } = await make(context);
    for (const kind of ["create", "update", "delete"]) {
      hints.length = 0;
      const { status, body } = await control("_changes", { provider: id, list, parameters, [kind]: 1 });
      if (status === 400 && body.message.includes("impossible")) continue;
      expect(status, body.message).toBe(201);
      const isReported = !UNREPORTED[id]?.includes(`${list} ${kind}`);
      await vi.waitFor(
        () => expect([hints.length, refused], `${list} ${kind}`).toEqual([isReported ? 1 : 0, []]),
        60_000,
      );
      if (!isReported) continue;
      const isDelete = kind === "delete" && !NEVER_GONE[id]?.includes(`${list} ${kind}`);
      expect(hints[0]!.operations).toContain(list);
      expect(hints[0]!.deletes.includes(list), `${list} ${kind}`).toBe(isDelete);
    }
    await hooks.remove(context, remote);
    hints.length = 0;
    await control("_changes", { provider: id, list, parameters, create: 1 });
    expect(hints).toEqual([]);
  });

  it("a forged hook is refused", async () => {
    const list = firstList;
    const parameters = await parametersOf(list);
    const context = contextOf(targetOf(list, parameters)!);
    const { remote } = await make(context);
    await fetch(`${address}/sandbox/_hooks`, { method: "POST", body: JSON.stringify({ provider: id, forge: 1 }) });
    const { status } = await control("_changes", { provider: id, list, parameters, create: 1 });
    expect(status).toBe(201);
    await vi.waitFor(() => expect([hints.length, refused.length]).toEqual([0, 1]), 60_000);
    await hooks.remove(context, remote);
  });

  const [firstList] = Object.keys(hooks.lists) as [string];
  if (hooks.lists[firstList]!.target)
    it("no hook is made for a target that does not exist", async () => {
      const target = targetOf(firstList, await parametersOf(firstList))!;
      const unknown = target.replace(/\w+$/, "999999999999999999999999");
      await expect(make(contextOf(unknown))).rejects.toThrow("refused");
    });

  if (hooks.handshake || id === "trello")
    it("no hook is made for an address where nobody answers", async () => {
      const parameters = await parametersOf(firstList);
      const context = contextOf(targetOf(firstList, parameters)!);
      await expect(make({ ...context, url: `${address}/nowhere` })).rejects.toThrow("refused");
    });

  if (hooks.renew)
    it("a hook is renewed before it expires", async () => {
      const context = contextOf("");
      const { remote, expires_at } = await make(context);
      expect(Date.parse(expires_at!)).toBeGreaterThan(Date.now());
      const renewed = await hooks.renew!(context, remote);
      expect(Date.parse(renewed.expires_at!)).toBeGreaterThanOrEqual(Math.floor(Date.parse(expires_at!) / 1000) * 1000);
      await hooks.remove(context, remote);
    });

  const folder = specsFolder();
  it.skipIf(!folder)("hooks are made, renewed and removed as the provider's description says", async () => {
    exchanges.length = 0;
    for (const list of Object.keys(hooks.lists)) {
      const context = contextOf(targetOf(list, await parametersOf(list))!);
      const { remote } = await make(context);
      await hooks.renew?.(context, remote);
      await hooks.remove(context, remote);
    }
    const { [id]: evidence } = await loadEvidence();
    const result = checkExchanges(provider, availableDescriptions(evidence, folder), exchanges, folder!);
    expect(result.violations).toEqual((auth !== "basic" && DEVIATIONS[id]) || []);
  });
});

it("Jira: a hook that was refused with status 200 is not there", async () => {
  const upstream = async () => ({
    status: 200,
    headers: {},
    body: { webhookRegistrationResult: [{ errors: ["Only a single URL per app is allowed to be registered."] }] },
  });
  const { hooks } = providers.find(({ manifest }) => manifest.id === "jira")!.manifest;
  const context = { upstream, url: "https://plugboard.example/auth/hooks/1" } as unknown as NewHook;
  await expect((hooks as ConnectionHooks).create(context)).rejects.toThrow("only one address");
});

it.each(["github", "gitlab", "gitea", "bitbucket"])("%s: a repository by its short name has no hook", (id) => {
  const { hooks } = providers.find(({ manifest }) => manifest.id === id)!.manifest;
  for (const { target } of Object.values((hooks as ConnectionHooks).lists)) {
    expect(target!({ repo: "acme/rocket" })).toBe("acme/rocket");
    expect(target!({ repo: "rocket" })).toBeUndefined();
  }
});

it.each(["clickup", "monday"])("%s: what was made before a refusal is removed again", async (id) => {
  const calls: string[] = [];
  const upstream = async ({ method, path, body }: UpstreamRequest) => {
    const call = `${method} ${path} ${/\w+_webhook\(/.exec(String(body?.query))?.[0] ?? ""}`;
    if (calls.filter((one) => one === call).length === 2 || path === "/team/3/webhook") throw new Error("refused");
    calls.push(call);
    const number = calls.length;
    const answer = { teams: [{ id: "1" }, { id: "2" }, { id: "3" }], webhook: { id: `h${number}`, secret: "s" } };
    return { status: 200, headers: {}, body: { ...answer, data: { create_webhook: { id: `h${number}` } } } };
  };
  const { hooks } = providers.find(({ manifest }) => manifest.id === id)!.manifest;
  const context = { upstream, target: "board:1", url: "https://plugboard.example/auth/hooks/1" } as unknown as NewHook;
  await expect((hooks as ConnectionHooks).create(context)).rejects.toThrow("refused");
  expect(calls).toEqual(
    id === "clickup"
      ? ["GET /team ", "POST /team/1/webhook ", "POST /team/2/webhook ", "DELETE /webhook/h2 ", "DELETE /webhook/h3 "]
      : ["POST  create_webhook(", "POST  create_webhook(", "POST  delete_webhook(", "POST  delete_webhook("],
  );
});

it("every auth type of these providers is tried, except for those without hooks", () => {
  const tried = new Set(
    KINDS.map(([id, auth]) => hooksOf(providers.find(({ manifest }) => manifest.id === id)!.manifest, auth)),
  );
  for (const id of new Set(KINDS.map(([id]) => id))) {
    const { manifest } = providers.find((one) => one.manifest.id === id)!;
    for (const type of authTypes(manifest)) {
      const hooks = hooksOf(manifest, type)!;
      expect(tried.has(hooks as ConnectionHooks) || hooks.per === "none", `${id} ${type}`).toBe(true);
    }
  }
});
