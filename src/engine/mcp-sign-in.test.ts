// Discovery at made-up hosts: nothing is sent anywhere, except to addresses that the transport must refuse.
import { afterEach, describe, expect, it, vi } from "vitest";
import { testConnection } from "../../test/support/engine-parts.ts";
import type { Transport, TransportRequest } from "./http/transport.ts";
import { createTransport } from "./http/transport.ts";
import { createMcpSignIn, MAX_METADATA_BYTES, MAX_METADATA_VALUES } from "./mcp-sign-in.ts";

const SERVER = { origin: "https://mcp.example", path: "/mcp" };
const CALLBACK = "https://plugboard.example/auth/callback";

const resource = { resource: "https://mcp.example/mcp", authorization_servers: ["https://auth.example"] };
const metadata = {
  issuer: "https://auth.example",
  authorization_endpoint: "https://auth.example/authorize",
  token_endpoint: "https://auth.example/token",
  registration_endpoint: "https://auth.example/register",
  code_challenge_methods_supported: ["S256"],
};
const RESOURCE = "GET https://mcp.example/.well-known/oauth-protected-resource/mcp";
const METADATA = "GET https://auth.example/.well-known/oauth-authorization-server";

interface World {
  answers?: Record<string, unknown>;
  /** Of the MCP server's own answer. */
  status?: number;
  challenge?: string;
  /** The addresses of all names. */
  address?: string;
}

/** A transport that answers for some addresses, and is the real one for all others. */
function createWorld({ answers = {}, status = 401, challenge, address = "10.0.0.1" }: World) {
  const sent: TransportRequest[] = [];
  const asked: string[] = [];
  const resolved: string[] = [];
  const real = createTransport({
    allowPrivateUpstreams: false,
    maxBodyBytes: MAX_METADATA_BYTES,
    maxValues: MAX_METADATA_VALUES,
    trustedOrigin: "http://127.0.0.1:8080",
    resolve: (async (name: string) => {
      resolved.push(name);
      return [{ address, family: address.includes(":") ? 6 : 4 }];
    }) as never,
  });
  const all: Record<string, unknown> = { [RESOURCE]: resource, [METADATA]: metadata, ...answers };
  const transport: Pick<Transport, "buffer" | "stream"> = {
    async buffer(request: TransportRequest, cancellation) {
      const key = `${request.method} ${request.origin}${request.path}`;
      sent.push(request);
      asked.push(key);
      if (!(key in all)) return real.buffer(request, cancellation);
      const body = all[key];
      if (body instanceof Promise)
        await Promise.race([body, new Promise((_, reject) => cancellation.onCancel({ cancel: reject }))]);
      const bytes = Buffer.from(JSON.stringify(body));
      return { statusCode: body === null ? 404 : 200, headers: {}, bytes, release() {} };
    },
    async stream(request, cancellation) {
      if (request.origin !== SERVER.origin) return real.stream(request, cancellation);
      return {
        statusCode: status,
        headers: challenge === undefined ? {} : { "www-authenticate": challenge },
        pipeTo: (writer) => {
          writer.end();
          return { resume() {}, cancel() {} };
        },
      };
    },
  };
  const signIn = createMcpSignIn({ transport, callbackUrl: CALLBACK });
  const integration = { client_id: null, client_secret: null, scopes: null };
  return {
    sent,
    asked,
    resolved,
    check: () => signIn.check(testConnection({ integration: { mcp_url: SERVER.origin + SERVER.path } })),
    find: () => signIn.find(SERVER, integration).finally(() => real.close()),
  };
}

afterEach(() => vi.useRealTimers());

describe("discovery of a sign-in", () => {
  it("a client metadata document is preferred to a registration", async () => {
    const world = createWorld({
      answers: { [METADATA]: { ...metadata, client_id_metadata_document_supported: true } },
    });
    expect((await world.find()).signIn).toEqual({
      issuer: "https://auth.example",
      names_issuer: false,
      token_endpoint: "https://auth.example/token",
      revocation_endpoint: null,
      resource: "https://mcp.example/mcp",
      client: { id: "https://plugboard.example/auth/clients/mcp.json", secret: null, how: "document" },
      client_auth: "body",
    });
    expect(world.asked).toEqual([RESOURCE, METADATA]);
  });

  it("a client is registered if there is no other way, as JSON; what is only read has no body", async () => {
    const world = createWorld({ answers: { "POST https://auth.example/register": { client_id: "registered" } } });
    const { signIn, parameters } = await world.find();
    expect(signIn).toMatchObject({
      client: { id: "registered", secret: null, how: "registered" },
      client_auth: "body",
    });
    expect(parameters).toEqual({ resource: "https://mcp.example/mcp" });
    const [, , registration] = world.sent;
    expect(world.sent.map(({ headers, body }) => [headers["content-type"], body])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      ["application/json", registration!.body],
    ]);
    expect(JSON.parse(String(registration!.body))).toEqual({
      client_name: "Plugboard",
      redirect_uris: [CALLBACK],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      application_type: "web",
      token_endpoint_auth_method: "none",
    });
  });

  it("a server without metadata is refused, and one that asks nobody to sign in says so", async () => {
    const answers = { [RESOURCE]: null, "GET https://mcp.example/.well-known/oauth-protected-resource": null };
    await expect(createWorld({ answers }).find()).rejects.toThrow("mcp.example does not describe how to sign in");
    await expect(createWorld({ answers, status: 200 }).find()).rejects.toThrow("asks nobody to sign in");
    const none = { [METADATA]: null, "GET https://auth.example/.well-known/openid-configuration": null };
    await expect(createWorld({ answers: none }).find()).rejects.toThrow(
      "auth.example does not describe how to sign in",
    );
  });

  it("scopes are those that the server asks for, with one for a refresh token if there is it", async () => {
    const known = { ...metadata, client_id_metadata_document_supported: true };
    const scopesOf = async (asked: string[], supported?: string[]) => {
      const answers = {
        [RESOURCE]: { ...resource, scopes_supported: asked },
        [METADATA]: { ...known, scopes_supported: supported },
      };
      const { resource: _, ...others } = (await createWorld({ answers }).find()).parameters;
      return others;
    };
    expect(await scopesOf(["read"])).toEqual({ scope: "read" });
    expect(await scopesOf(["read"], ["read", "offline_access"])).toEqual({
      scope: "read offline_access",
      prompt: "consent",
    });
    expect(await scopesOf([], ["read", "offline_access"])).toEqual({});
  });

  it("an issuer may be written with or without the slash of an empty path, and is then named as it names itself", async () => {
    const world = createWorld({
      answers: {
        [RESOURCE]: { ...resource, authorization_servers: ["https://auth.example/"] },
        [METADATA]: { ...metadata, client_id_metadata_document_supported: true },
      },
    });
    expect((await world.find()).signIn.issuer).toBe("https://auth.example");
  });

  it.each(["authorization_endpoint", "token_endpoint", "registration_endpoint", "revocation_endpoint"])(
    "an encrypted server must not have an unencrypted %s",
    async (name) => {
      const world = createWorld({ answers: { [METADATA]: { ...metadata, [name]: "http://auth.example/x" } } });
      await expect(world.find()).rejects.toThrow(/is missing or unsafe/);
    },
  );

  it("an encrypted server must not have an unencrypted authorization server, not even this one", async () => {
    for (const issuer of ["http://auth.example", "http://127.0.0.1:8080/sandbox/x"]) {
      const world = createWorld({ answers: { [RESOURCE]: { ...resource, authorization_servers: [issuer] } } });
      await expect(world.find()).rejects.toThrow(/authorization server is missing or unsafe/);
    }
  });

  it("an unencrypted address of metadata is refused", async () => {
    const world = createWorld({ challenge: 'Bearer resource_metadata="http://mcp.example/metadata"' });
    await expect(world.find()).rejects.toThrow(/metadata is missing or unsafe/);
    expect(world.asked).toEqual([]);
  });

  const PRIVATE = ["127.0.0.1", "10.1.2.3", "169.254.169.254", "192.168.0.1", "::1", "fd00::1", "::ffff:127.0.0.1"];

  it.each(PRIVATE)("metadata at a name that resolves to %s is not read", async (address) => {
    const world = createWorld({ challenge: 'Bearer resource_metadata="https://inside.example/x"', address });
    await expect(world.find()).rejects.toThrow(/inside\.example cannot be used: inside\.example is a private address/);
    expect(world.resolved).toEqual(["inside.example"]);
  });

  it.each(PRIVATE)("metadata of an authorization server at %s is not read", async (address) => {
    const host = address.includes(":") ? `[${address}]` : address;
    const world = createWorld({ answers: { [RESOURCE]: { ...resource, authorization_servers: [`https://${host}`] } } });
    await expect(world.find()).rejects.toThrow(/is a private address/);
    expect(world.resolved).toEqual([]);
  });

  it("a registration is not sent to a private address", async () => {
    const endpoint = "https://inside.example/register";
    const world = createWorld({ answers: { [METADATA]: { ...metadata, registration_endpoint: endpoint } } });
    await expect(world.find()).rejects.toThrow(/private address/);
    expect(world.asked.at(-1)).toBe(`POST ${endpoint}`);
  });

  it.each([RESOURCE, METADATA])("an answer that does not end is given up: %s", async (address) => {
    vi.useFakeTimers();
    const world = createWorld({ answers: { [address]: new Promise(() => {}) } });
    const outcome = expect(world.find()).rejects.toThrow(/cannot be reached/);
    await vi.advanceTimersByTimeAsync(10_000);
    await outcome;
  });

  it("a challenge is read as a whole: quoted texts may contain anything", async () => {
    const challenge =
      'Basic realm="x, resource_metadata=\\"https://evil.example\\"", Bearer error="invalid_token", resource_metadata="https://mcp.example/own"';
    const world = createWorld({
      challenge,
      answers: {
        "GET https://mcp.example/own": resource,
        [METADATA]: { ...metadata, client_id_metadata_document_supported: true },
      },
    });
    await world.find();
    expect(world.asked[0]).toBe("GET https://mcp.example/own");
  });
});

it.each([
  [401, "access_denied", "mcp.example refused with status 401"],
  [403, "access_denied", "mcp.example refused with status 403"],
  [302, "server_error", "mcp.example has no MCP server at this address: it answered 302."],
  [404, "server_error", "mcp.example has no MCP server at this address: it answered 404."],
  [500, "temporarily_unavailable", "mcp.example is temporarily unavailable. Please try again."],
])("credentials to which an MCP server answers %i are refused", async (status, error, message) => {
  await expect(createWorld({ status }).check()).rejects.toMatchObject({ error, message });
});

it.each([200, 202, 299, 400])("credentials to which an MCP server answers %i are accepted", async (status) => {
  await createWorld({ status }).check();
});
