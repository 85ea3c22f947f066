import { createSecretKey } from "node:crypto";
import { finished } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { AuthType } from "../contracts/authentication.ts";
import type { EmulatedReply, EmulatedRequest, Emulator, LazyEmulator } from "../contracts/emulator.ts";
import type { Provider } from "../contracts/provider.ts";
import { makeChanges } from "./changes.ts";
import { createEmulatedProvider, type EmulatedProvider, type ReadyCredentials } from "./emulated-provider.ts";
import { genericEmulator } from "./generic-emulator.ts";
import { afterHandshake } from "./hook-sender.ts";
import { configureHooks } from "./hooks.ts";
import { parseInjectedFault } from "./injected-faults.ts";
import { readBody } from "./request-body.ts";
import { listRecordedRequests } from "./request-recorder.ts";

/** A request to an emulated provider and its complete reply. */
export interface Exchange {
  provider: string;
  request: Pick<EmulatedRequest, "method" | "path" | "query" | "headers" | "body">;
  reply: { status: number; headers: Record<string, string>; body: unknown };
}

export interface SandboxOptions {
  providers: readonly Provider[];
  /** By the provider's id. Providers without one get a generic one with the first request. */
  emulators: Readonly<Record<string, Emulator | LazyEmulator>>;
  /** Signs the tokens. With the same secret they stay valid after a restart. */
  secret: Buffer;
  /** Lifetime of access tokens in seconds, in place of the manifests' values. */
  tokenLifetime?: number;
  /** Where pages of providers redirect to if their requests do not say so. */
  callbackUrl?: string | undefined;
  /** Whether web pages of this origin may use the controls, which need no key. */
  allowsOrigin?: (origin: string) => boolean;
}

export interface Sandbox {
  /** Serves each emulated provider at `/<provider>/…` below the prefix it is registered with. */
  plugin: FastifyPluginAsync;
  /** Credentials for a ready-made connection, with new tokens at each call. */
  credentials(providerId: string, type: AuthType): ReadyCredentials;
  /** Calls the listener after every complete exchange. Returns a function that removes it. */
  onExchange(listener: (exchange: Exchange) => void): () => void;
}

const BODY_LIMIT = 64 * 1024 * 1024;
const CONTROL_BODY_LIMIT = 10_000;

export function createSandbox(options: SandboxOptions): Sandbox {
  const { providers, emulators, tokenLifetime, callbackUrl, allowsOrigin = () => false } = options;
  const secret = createSecretKey(options.secret);
  const emulated = new Map<string, EmulatedProvider>();
  function add(id: string, emulatorOf: (provider: Provider) => Emulator | LazyEmulator): EmulatedProvider | undefined {
    const provider = providers.find(({ manifest }) => manifest.id === id);
    if (!provider) return undefined;
    const emulator = emulatorOf(provider);
    const created = createEmulatedProvider({ provider, emulator, secret, tokenLifetime, callbackUrl });
    emulated.set(id, created);
    return created;
  }
  for (const [id, emulator] of Object.entries(emulators))
    if (!add(id, () => emulator)) throw new Error(`the emulator "${id}" has no provider of that name`);
  const find = (id: string) => emulated.get(id) ?? add(id, ({ manifest }) => genericEmulator(manifest));
  const listeners = new Set<(exchange: Exchange) => void>();
  const closing = new AbortController();

  async function serve(request: FastifyRequest, response: FastifyReply, prefix: string): Promise<FastifyReply> {
    const { raw } = request;
    const url = raw.url!.slice(prefix.length + 1);
    const id = /^[^/?]*/.exec(url)![0];
    const provider = find(id);
    if (!provider) return response.code(404).send({ message: `the sandbox has no provider "${id}"` });
    const target = url.slice(id.length);
    const query = target.indexOf("?");
    const path = (query < 0 ? target : target.slice(0, query)) || "/";
    const bytes = (request.body as Buffer | undefined) ?? Buffer.alloc(0);
    let parsed: { body: unknown } | undefined;
    const emulatedRequest: EmulatedRequest = {
      method: request.method,
      path,
      params: {},
      query: new URLSearchParams(query < 0 ? "" : target.slice(query)),
      headers: raw.headers as EmulatedRequest["headers"],
      bytes,
      // Only when it is asked for: a file need not be made text.
      get body() {
        parsed ??= { body: readBody(raw.headers["content-type"], bytes) };
        return parsed.body;
      },
      origin: `${request.protocol}://${request.host}${prefix}/${id}`,
      account: undefined,
    };
    const answered = provider.requestRecorder.add(request.method, target || "/", raw.headers);
    const fault = provider.injectedFaults.take(path);
    if (fault && fault.delayMs > 0 && !(await delay(fault.delayMs))) return closeConnection(request, response);
    if (fault?.drop) return closeConnection(request, response);
    const api = await provider.api();
    if (fault?.status === undefined && api.isMcp(path)) {
      response.hijack();
      await api.serveMcp(emulatedRequest, response.raw);
      answered(response.raw.statusCode);
      return response;
    }
    const reply = await afterHandshake(
      fault?.status === undefined ? api.answer(emulatedRequest) : api.failure(fault.status, emulatedRequest),
    );
    answered(reply.status);
    const { body, headers } = serialize(reply, api.headers(emulatedRequest));
    if (fault?.retryAfter !== undefined) headers["retry-after"] = String(fault.retryAfter);
    if (fault?.truncate) return sendTruncated(request, response, reply.status, headers, body);
    for (const listener of listeners)
      listener({ provider: id, request: emulatedRequest, reply: { status: reply.status, headers, body: reply.body } });
    return response.code(reply.status).headers(headers).send(body);
  }

  /** False if the sandbox was closed in the meantime. */
  const delay = (milliseconds: number) =>
    wait(milliseconds, true, { signal: closing.signal }).catch(() => false as const);

  const plugin: FastifyPluginAsync = async (fastify) => {
    const { prefix } = fastify;
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser(
      "*",
      { parseAs: "buffer", bodyLimit: BODY_LIMIT },
      async (_: unknown, bytes: Buffer) => bytes,
    );
    fastify.setErrorHandler(async (error: Error & { statusCode?: number }, request, response) => {
      const { statusCode = 500 } = error;
      if (statusCode >= 500) request.log.error(error);
      // The rest of the body is read first: a client that is still sending it would not see the response.
      if (statusCode === 413) await finished(request.raw.resume()).catch(() => {});
      return response.code(statusCode).send({ message: error.message });
    });
    // Before the server waits for open requests: a delayed one might take long.
    fastify.addHook("preClose", async () => {
      closing.abort();
      await Promise.all([...emulated.values()].map((provider) => provider.close()));
    });
    await fastify.register(async (controls) => {
      controls.addHook("onRequest", async ({ headers: { origin } }, response) => {
        if (origin !== undefined && !allowsOrigin(origin))
          return response.code(403).send({ message: "web pages of this origin may not control the sandbox" });
      });
      registerControlRoutes(controls, { emulated, find, known: providers.map(({ manifest }) => manifest.id) });
    });
    fastify.all("/*", (request, response) => serve(request, response, prefix));
  };

  return {
    plugin,
    credentials(providerId, type) {
      const provider = find(providerId);
      if (!provider) throw new Error(`the sandbox has no provider "${providerId}"`);
      return provider.credentials(type);
    },
    onExchange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

type FindEmulated = (id: string) => EmulatedProvider | undefined;

/** The sandbox's own routes, for injected faults, changes and recorded requests. */
function registerControlRoutes(
  fastify: FastifyInstance,
  { emulated, find, known }: { emulated: Map<string, EmulatedProvider>; find: FindEmulated; known: string[] },
): void {
  fastify.post("/_faults", { bodyLimit: CONTROL_BODY_LIMIT }, async (request, response) => {
    const fault = await parseInjectedFault(parseJson(request.body), known);
    if ("problems" in fault) return response.code(400).send({ message: fault.problems.join("; ") });
    const provider = find(fault.provider)!;
    if (fault.expire_tokens) provider.expireTokens();
    if (fault.revoke_tokens) provider.revokeTokens();
    if (fault.token_lifetime !== undefined) provider.setTokenLifetime(fault.token_lifetime);
    if (!provider.injectedFaults.add(fault))
      return response.code(400).send({ message: "too many faults are waiting: DELETE /_faults removes them" });
    return response.code(201).send(fault);
  });

  fastify.get("/_faults", async () =>
    [...emulated].flatMap(([provider, { injectedFaults }]) =>
      injectedFaults.list().map((fault) => ({ provider, ...fault })),
    ),
  );

  fastify.delete("/_faults", async (_, response) => {
    for (const provider of emulated.values()) {
      provider.injectedFaults.clear();
      provider.setTokenLifetime(undefined);
    }
    return response.code(204).send();
  });

  fastify.post("/_changes", { bodyLimit: CONTROL_BODY_LIMIT }, async (request, response) => {
    const made = await makeChanges(parseJson(request.body), emulated);
    if ("problems" in made) return response.code(400).send({ message: made.problems.join("; ") });
    return response.code(201).send(made);
  });

  fastify.post("/_hooks", { bodyLimit: CONTROL_BODY_LIMIT }, async (request, response) => {
    const configured = await configureHooks(parseJson(request.body), emulated);
    if ("problems" in configured) return response.code(400).send({ message: configured.problems.join("; ") });
    return response.code(201).send(configured);
  });

  fastify.get("/_requests", async (request, response) => {
    const { provider } = request.query as { provider?: string };
    if (provider === undefined)
      return listRecordedRequests([...emulated.values()].map(({ requestRecorder }) => requestRecorder));
    const found = find(provider);
    if (found) return listRecordedRequests([found.requestRecorder]);
    return response.code(400).send({ message: `provider must be one of ${known.join(", ")}` });
  });

  fastify.delete("/_requests", async (_, response) => {
    for (const provider of emulated.values()) provider.requestRecorder.clear();
    return response.code(204).send();
  });
}

function parseJson(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

/** The body and headers to send, header names in lower case. Bytes, because Fastify adds a character set to a text's type. */
function serialize({ body, ...reply }: EmulatedReply, common: Record<string, string> = {}) {
  const isJson = typeof body !== "string" && !Buffer.isBuffer(body);
  const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(isJson ? JSON.stringify(body) : body);
  const headers: Record<string, string> = {};
  if (bytes !== undefined)
    headers["content-type"] = isJson ? "application/json; charset=utf-8" : "text/plain; charset=utf-8";
  for (const source of [common, reply.headers ?? {}])
    for (const [name, value] of Object.entries(source)) headers[name.toLowerCase()] = value;
  return { body: bytes, headers };
}

function closeConnection(request: FastifyRequest, response: FastifyReply): FastifyReply {
  response.hijack();
  request.raw.socket.destroy();
  return response;
}

/** Announces the length of the whole body, sends half of it and closes the connection. */
function sendTruncated(
  request: FastifyRequest,
  response: FastifyReply,
  status: number,
  headers: Record<string, string>,
  whole: Buffer = Buffer.alloc(0),
): FastifyReply {
  if (whole.length < 2) return closeConnection(request, response);
  response.hijack();
  response.raw.writeHead(status, { ...headers, "content-length": whole.length });
  response.raw.write(whole.subarray(0, whole.length / 2), () => request.raw.socket.destroy());
  return response;
}
