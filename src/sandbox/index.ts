import { setTimeout as wait } from "node:timers/promises";
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { EmulatedReply, EmulatedRequest, Emulator } from "../contracts/emulator.ts";
import type { AuthType } from "../contracts/manifest.ts";
import type { Provider } from "../contracts/provider.ts";
import { createEmulatedProvider, type EmulatedProvider, type ReadyCredentials, readBody } from "./emulated-provider.ts";
import { readFault } from "./injected-faults.ts";
import { readRecords } from "./request-recorder.ts";

/** A whole exchange with an emulated provider, as both sides saw it. */
export interface Exchange {
  provider: string;
  request: Pick<EmulatedRequest, "method" | "path" | "query" | "headers" | "body">;
  reply: { status: number; headers: Record<string, string>; body: unknown };
}

export interface SandboxOptions {
  providers: readonly Provider[];
  /** By the provider's id. */
  emulators: Record<string, Emulator>;
  /** Signs the tokens: with the same secret they outlive the process. */
  secret: Buffer;
  /** Seconds that access tokens live, whatever the manifests say. */
  tokenLifetime?: number;
}

export interface Sandbox {
  /** Serves every emulated provider at `/<provider>/…` under the prefix that it is registered with. */
  plugin: FastifyPluginAsync;
  /** What a ready-made connection holds. New tokens at each call. */
  credentials(providerId: string, type: AuthType): ReadyCredentials;
  /** Tells of every exchange that was answered whole; returns what ends it. */
  onExchange(listener: (exchange: Exchange) => void): () => void;
}

const BODY_LIMIT = 10 * 1024 * 1024;

export function createSandbox({ providers, emulators, secret, tokenLifetime }: SandboxOptions): Sandbox {
  const emulated = new Map<string, EmulatedProvider>();
  for (const [id, emulator] of Object.entries(emulators)) {
    const provider = providers.find(({ manifest }) => manifest.id === id);
    if (!provider) throw new Error(`there is an emulator "${id}" but no such provider`);
    emulated.set(id, createEmulatedProvider({ provider, emulator, secret, tokenLifetime }));
  }
  const listeners = new Set<(exchange: Exchange) => void>();
  const closing = new AbortController();

  async function serve(request: FastifyRequest, response: FastifyReply, prefix: string): Promise<FastifyReply> {
    const { raw } = request;
    const url = raw.url!.slice(prefix.length + 1);
    const id = /^[^/?]*/.exec(url)![0];
    const provider = emulated.get(id);
    if (!provider) return response.code(404).send({ message: `the sandbox has no provider "${id}"` });
    const target = url.slice(id.length);
    const query = target.indexOf("?");
    const path = (query < 0 ? target : target.slice(0, query)) || "/";
    const text = (request.body as string | undefined) ?? "";
    const seen: EmulatedRequest = {
      method: request.method,
      path,
      params: {},
      query: new URLSearchParams(query < 0 ? "" : target.slice(query)),
      headers: raw.headers as EmulatedRequest["headers"],
      body: readBody(raw.headers["content-type"], text),
      text,
      origin: `${request.protocol}://${request.host}${prefix}/${id}`,
      account: undefined,
    };
    provider.record.add(seen.method, target || "/", raw.headers);
    const fault = provider.faults.take(path);
    if (fault && fault.delayMs > 0 && !(await delayed(fault.delayMs))) return hangUp(request, response);
    if (fault?.drop) return hangUp(request, response);
    if (fault?.status === undefined && provider.isMcp(path)) {
      response.hijack();
      await provider.serveMcp(seen, response.raw);
      return response;
    }
    const answer = fault?.status === undefined ? provider.answer(seen) : provider.failure(fault.status, seen);
    const { body, headers } = write(answer, provider.headers(seen));
    if (fault?.retryAfter !== undefined) headers["retry-after"] = String(fault.retryAfter);
    if (fault?.truncate) return breakOff(request, response, answer.status, headers, body);
    for (const listener of listeners)
      listener({ provider: id, request: seen, reply: { status: answer.status, headers, body: answer.body } });
    return response.code(answer.status).headers(headers).send(body);
  }

  /** False where the sandbox was closed meanwhile. */
  const delayed = (milliseconds: number) =>
    wait(milliseconds, true, { signal: closing.signal }).catch(() => false as const);

  const plugin: FastifyPluginAsync = async (fastify) => {
    const { prefix } = fastify;
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser(
      "*",
      { parseAs: "string", bodyLimit: BODY_LIMIT },
      async (_: unknown, text: string) => text,
    );
    fastify.setErrorHandler((error: Error & { statusCode?: number }, request, response) => {
      request.log.error(error);
      return response.code(error.statusCode ?? 500).send({ message: error.message });
    });
    // Before the server waits for open requests, of which a delayed one might take long.
    fastify.addHook("preClose", async () => {
      closing.abort();
      await Promise.all([...emulated.values()].map((provider) => provider.closeMcp()));
    });
    control(fastify, emulated);
    fastify.all("/*", (request, response) => serve(request, response, prefix));
  };

  return {
    plugin,
    credentials(providerId, type) {
      const provider = emulated.get(providerId);
      if (!provider) throw new Error(`the sandbox has no provider "${providerId}"`);
      return provider.credentials(type);
    },
    onExchange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The sandbox's own routes: faults to come, and requests that came. */
function control(fastify: FastifyInstance, emulated: Map<string, EmulatedProvider>): void {
  const known = [...emulated.keys()];

  fastify.post("/_faults", async (request, response) => {
    const fault = await readFault(parse(request.body), known);
    if ("problems" in fault) return response.code(400).send({ message: fault.problems.join("; ") });
    const provider = emulated.get(fault.provider)!;
    if (fault.expire_tokens) provider.expireTokens();
    if (fault.token_lifetime !== undefined) provider.setTokenLifetime(fault.token_lifetime);
    provider.faults.plan(fault);
    return response.code(201).send(fault);
  });

  fastify.delete("/_faults", async (_, response) => {
    for (const provider of emulated.values()) {
      provider.faults.clear();
      provider.setTokenLifetime(undefined);
    }
    return response.code(204).send();
  });

  fastify.get("/_requests", async (request, response) => {
    const { provider } = request.query as { provider?: string };
    if (provider === undefined) return readRecords([...emulated.values()].map(({ record }) => record));
    const found = emulated.get(provider);
    if (found) return readRecords([found.record]);
    return response.code(400).send({ message: `provider must be one of ${known.join(", ")}` });
  });

  fastify.delete("/_requests", async (_, response) => {
    for (const provider of emulated.values()) provider.record.clear();
    return response.code(204).send();
  });
}

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}

/** An answer as it goes over the wire, header names in lower case. */
function write(answer: EmulatedReply, common: Record<string, string> = {}) {
  const { body } = answer;
  const written = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const headers: Record<string, string> = {};
  if (written !== undefined)
    headers["content-type"] = body === written ? "text/plain; charset=utf-8" : "application/json; charset=utf-8";
  for (const source of [common, answer.headers ?? {}])
    for (const [name, value] of Object.entries(source)) headers[name.toLowerCase()] = value;
  return { body: written, headers };
}

function hangUp(request: FastifyRequest, response: FastifyReply): FastifyReply {
  response.hijack();
  request.raw.socket.destroy();
  return response;
}

/** Promises the whole answer, sends half of it and hangs up. */
function breakOff(
  request: FastifyRequest,
  response: FastifyReply,
  status: number,
  headers: Record<string, string>,
  body = "",
): FastifyReply {
  const whole = Buffer.from(body);
  if (whole.length < 2) return hangUp(request, response);
  response.hijack();
  response.raw.writeHead(status, { ...headers, "content-length": whole.length });
  response.raw.write(whole.subarray(0, whole.length / 2), () => request.raw.socket.destroy());
  return response;
}
