import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Integration } from "../../contracts/entities.ts";
import { Fault } from "../../contracts/fault.ts";
import type { ApplicationHooks, ConnectionHooks, HookRequest, StoredHook } from "../../contracts/hooks.ts";
import { hooksOf } from "../../contracts/manifest.ts";
import { readHook } from "../../engine/index.ts";
import { createErrorSender } from "./errors.ts";
import type { AuthParts } from "./parts.ts";

const BODY_LIMIT = 1024 * 1024;
const MAX_ACCOUNTS = 1_000;

/** What an address stands for: the hook of a connection, or the hooks of an integration's application. */
interface Receiver {
  integration: Integration;
  hooks: ConnectionHooks | ApplicationHooks;
  hook: StoredHook | undefined;
}

const unknown = () => new Fault("not_found", "there is no webhook at this address");

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

function secretsOf({ integration, hooks, hook }: Receiver): string[] {
  const secret = hooks.secret === "hook" ? hook?.secret : integration[hooks.secret];
  return hooks.secret === "hook_secret" ? (secret ?? "").split(/\s+/).filter(Boolean) : secret ? [secret] : [];
}

/** Receives the webhooks of providers. A request that cannot be verified is refused, and changes nothing. */
export function hookRoutes(app: FastifyInstance, { store, coordination, engine, hint, assets }: AuthParts): void {
  const sendError = createErrorSender(assets);

  async function find(address: string): Promise<Receiver> {
    const id = engine.hooks.readAddress(address);
    const hook = id?.startsWith("hook_") ? await store.hooks.get(id) : undefined;
    const integrationId = hook?.integration_id ?? (id?.startsWith("int_") ? id : undefined);
    const integration = integrationId === undefined ? undefined : await store.integrations.byId(integrationId);
    const provider = integration && (await engine.providerOf(integration.workspace_id, integration.identifier));
    const hooks = provider && hooksOf(provider.manifest, integration.type);
    if (!hooks || hooks.per === "none" || (hooks.per === "connection") !== (hook !== undefined)) throw unknown();
    return { integration, hooks, hook };
  }

  async function keepSecret({ integration, hook }: Receiver, secret: string): Promise<void> {
    if (hook) await store.hooks.update(hook.id, { secret });
    else {
      await store.integrations.update(integration.workspace_id, integration.id, { hook_secret: secret });
      await coordination.invalidate("integration", integration.id);
      await store.hooks.retry(integration.id);
    }
  }

  async function receive(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { address } = request.params as { address: string };
    const receiver = await find(address);
    const { integration, hooks, hook } = receiver;
    const bytes = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
    const read: HookRequest = {
      method: request.method,
      url: engine.hooks.urlOf(integration, address),
      headers: request.headers as HookRequest["headers"],
      query: new URL(request.url, "http://localhost").searchParams,
      bytes,
      body: parseJson(bytes),
    };
    const expectsSecret = hook ? hook.state === "new" : hooks.secret === "hook_secret" && !integration.hook_secret;
    const result = readHook(hooks, secretsOf(receiver), read, expectsSecret);
    if (result.kind === "refused")
      throw new Fault("unauthorized", "the request is not signed as the provider signs its webhooks");
    if (result.kind === "handshake") {
      if (result.secret !== undefined) await keepSecret(receiver, result.secret);
      const { status, headers = {}, body } = result.answer;
      return reply.code(status).headers(headers).send(body);
    }
    const { operations, deletes, accounts, targets } = result;
    const all = hook ? [hook] : await store.hooks.ofAccounts(integration.id, accounts.slice(0, MAX_ACCOUNTS));
    const hinted = all.filter(({ target }) => !targets || targets.includes(target));
    await hint(hinted.map(({ id }) => ({ hookId: id, operations, deletes })));
    return reply.code(200).send();
  }

  void app.register(async (own) => {
    own.removeAllContentTypeParsers();
    own.setErrorHandler((error: Error & { code?: string }, request, reply) => {
      const isTooLarge = error.code === "FST_ERR_CTP_BODY_TOO_LARGE";
      return sendError(isTooLarge ? new Fault("too_large", "a webhook has at most 1 MB") : error, request, reply);
    });
    own.addContentTypeParser(
      "*",
      { parseAs: "buffer", bodyLimit: BODY_LIMIT },
      async (_: unknown, bytes: Buffer) => bytes,
    );
    own.route({ method: ["GET", "HEAD", "POST"], url: "/hooks/:address", handler: receive });
  });
}
