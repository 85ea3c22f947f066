import { randomBytes } from "node:crypto";
import Fastify from "fastify";
import type { OAuth2 } from "../../src/contracts/authentication.ts";
import type { Manifest } from "../../src/contracts/manifest.ts";
import { times } from "../../src/emulator-kit/data.ts";
import { emulate, reply } from "../../src/emulator-kit/emulator.ts";
import { get } from "../../src/provider-kit/request.ts";
import { createSandbox, type SandboxOptions } from "../../src/sandbox/index.ts";

/** A provider that exists only for the sandbox's own tests. */
export const toyManifest = (oauth2: Partial<OAuth2> = {}): Manifest => ({
  id: "toy",
  name: "Toy & Sons",
  docs: "https://toy.example/docs",
  addresses: {
    api: "https://api.toy.example/v2",
    authorize: "https://{tenant}.toy.example/oauth/authorize",
    token: "https://toy.example/oauth/{tenant}/token",
    revoke: "https://toy.example/oauth/revoke",
  },
  selfHosted: { api: "/self/v2" },
  auth: {
    oauth2: {
      authorize: "authorize",
      token: "token",
      scopes: ["read", "write"],
      lifetime: 3600,
      revoke: { address: "revoke" },
      ...oauth2,
    },
    api_key: { label: "Key", help: "https://toy.example/keys" },
    basic: { username: "E-mail", password: "Password", help: "https://toy.example/keys" },
  },
  check: get("/me"),
});

interface ToyState {
  notes: string[];
}

export const toyEmulator = emulate<ToyState>({
  state: () => ({ notes: times(3, (index) => `note ${index}`) }),
  settings: { tenant: "acme" },
  open: ["GET /v2/status"],
  routes: {
    "GET /v2/status": () => reply(200, "fine"),
    "GET /v2/me": ({ account }) => reply(200, { account }),
    "GET /v2/notes": (_, { notes }) => reply(200, notes),
    "GET /v2/notes:count": (_, { notes }) => reply(200, { count: notes.length }),
    "GET /v2/notes/first": () => reply(200, { found: "exact" }),
    "GET /v2/notes/:id": ({ params, path }) => reply(200, { ...params, path }),
    "GET /v2/files/:folder/:rest*": ({ params }) => reply(200, params),
    "GET /v2/links": ({ origin }) => reply(200, { next: `${origin}/v2/links?page=2` }),
    "POST /v2/notes": ({ body, bytes }, { notes }) => {
      notes.unshift(body.text);
      return reply(201, { body, text: String(bytes) }, { Location: "/v2/notes/0" });
    },
    "GET /v2/token": ({ query }, _, tokens) => reply(200, tokens.inspect(query.get("token") ?? "") ?? null),
    "DELETE /v2/token": ({ query }, _, tokens) => reply(tokens.revoke(query.get("token") ?? "") ? 204 : 404),
    "GET /v2/broken": () => {
      throw new Error("a bug in the emulator");
    },
  },
  failure: (status) => reply(status, { toy_error: status }),
  unauthorized: (_, reason) => reply(401, { toy_error: 401, reason }),
  headers: () => ({ "X-Toy-Remaining": "42" }),
});

type Body = Record<string, unknown>;

/** Serves the toy provider on its own server. */
export async function serveToy(options: Partial<SandboxOptions> & { oauth2?: Partial<OAuth2> } = {}) {
  const { oauth2, ...rest } = options;
  const sandbox = createSandbox({
    providers: [{ manifest: toyManifest(oauth2), categories: [] }],
    emulators: { toy: toyEmulator },
    secret: randomBytes(32),
    ...rest,
  });
  const server = Fastify();
  await server.register(sandbox.plugin, { prefix: "/sandbox" });
  const address = await server.listen({ port: 0, host: "127.0.0.1" });
  const url = (path: string) => `${address}/sandbox${path}`;
  return {
    sandbox,
    address,
    url,
    close: () => server.close(),
    call: (path: string, token?: string, init: RequestInit = {}) =>
      fetch(url(`/toy${path}`), {
        redirect: "manual",
        ...init,
        headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...init.headers },
      }),
    injectFault: (body: Body) =>
      fetch(url("/_faults"), { method: "POST", body: JSON.stringify({ provider: "toy", ...body }) }),
    recordedRequests: async (): Promise<any[]> =>
      (await fetch(url("/_requests?provider=toy"))).json() as Promise<any[]>,
  };
}

export type ToyServer = Awaited<ReturnType<typeof serveToy>>;
