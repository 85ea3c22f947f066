// Where the metadata is and what it says, at every kind of address that a service can have.
import { request } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { startService, type TestService } from "../support/service.ts";
import { answerOf, decide, listTools, newClient, offered, reachConsent } from "./support.ts";

let service: TestService | undefined;
afterEach(async () => {
  await service?.close();
  service = undefined;
});

interface Answer {
  status: number;
  challenge: string | undefined;
  body: any;
}

/** A request with a host of its own. */
const send = (url: string, host: string, method = "GET"): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: { host } }, (response) => {
      let text = "";
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () =>
        resolve({
          status: response.statusCode!,
          challenge: response.headers["www-authenticate"],
          body: JSON.parse(text),
        }),
      );
    });
    sent.on("error", reject).end();
  });

describe.each([
  {
    name: "hosts of their own",
    env: { UNIFIED_URL: "https://unified.example.com", AUTH_URL: "https://auth.example.com" },
    resource: "https://unified.example.com/v1/mcp",
    issuer: "https://auth.example.com/oauth",
    mcpPath: "/v1/mcp",
  },
  {
    name: "paths of their own",
    env: { UNIFIED_URL: "https://example.com/api/unified", AUTH_URL: "https://example.com/api/auth" },
    resource: "https://example.com/api/unified/v1/mcp",
    issuer: "https://example.com/api/auth/oauth",
    mcpPath: "/unified/v1/mcp",
  },
])("with $name", ({ name, env, resource, issuer, mcpPath }) => {
  it(`with ${name}, a client finds the authorization server from the first 401 on`, async () => {
    service = await startService({ env });
    const { url } = service;
    const { status, challenge } = await send(url + mcpPath, new URL(resource).host, "POST");
    const [, metadata = ""] = /resource_metadata="([^"]+)"/.exec(challenge ?? "") ?? [];
    expect([status, metadata]).toEqual([
      401,
      `${new URL(resource).origin}/.well-known/oauth-protected-resource${new URL(resource).pathname}`,
    ]);
    const described = await send(url + new URL(metadata).pathname, new URL(metadata).host);
    expect(described.body).toMatchObject({ resource, authorization_servers: [issuer] });
    const { origin, host, pathname } = new URL(issuer);
    const server = await send(`${url}/.well-known/oauth-authorization-server${pathname}`, host);
    expect(server.body).toMatchObject({ issuer, token_endpoint: `${issuer}/token` });
    expect(server.body.authorization_endpoint.startsWith(origin)).toBe(true);
    expect((await send(`${url}/.well-known/oauth-authorization-server/other`, host)).status).toBe(404);
    expect((await send(`${url}/.well-known/oauth-protected-resource/other`, "127.0.0.1")).status).toBe(404);
  });
});

it("a client on this machine may use any name of it", async () => {
  service = await startService();
  const { port } = new URL(service.url);
  const resource = `http://localhost:${port}/unified/v1/mcp`;
  const path = `${service.url}/.well-known/oauth-protected-resource/unified/v1/mcp`;
  expect((await send(path, `localhost:${port}`)).body.resource).toBe(resource);
  expect((await send(path, "evil.example")).body.resource).toBe(`${service.url}/unified/v1/mcp`);
  const client = await newClient(service, { resource });
  const { browser, page } = await reachConsent(client);
  const code = answerOf(await decide(browser, page)).get("code")!;
  const { access_token } = (await client.redeem(code)).body;
  const [connection] = offered(page);
  expect((await listTools(`${service.url}/unified/v1/mcp`, access_token, connection!)).status).toBe(200);
});

it("where there are several workspaces, people sign in at the address of one", async () => {
  service = await startService();
  const mcp = `${service.url}/unified/v1/mcp`;
  const metadata = `${service.url}/.well-known/oauth-protected-resource`;
  const statuses = async () =>
    Promise.all(
      ["", "/unified/v1/mcp", `/unified/v1/mcp/w/${service!.clientId}`, "/unified/v1/mcp/w/client_unknown"].map(
        async (suffix) => (await fetch(metadata + suffix)).status,
      ),
    );
  expect(await statuses()).toEqual([200, 200, 200, 404]);
  await service.createWorkspace("first");
  await service.createWorkspace("second");
  await expect.poll(statuses).toEqual([404, 404, 200, 404]);
  const challengeAt = async (url: string) => (await fetch(url, { method: "POST" })).headers.get("www-authenticate");
  expect(await challengeAt(mcp)).toBe("Bearer");
  expect(await challengeAt(`${mcp}/w/${service.clientId}`)).toContain("resource_metadata=");
  expect(await challengeAt(`${mcp}/w/client_unknown`)).toBe("Bearer");
});

it("the address of a workspace takes its own keys, and no others", async () => {
  service = await startService();
  const address = `${service.url}/unified/v1/mcp/w/${service.clientId}`;
  const connection = service.connections.github!;
  expect((await listTools(address, service.apiKey, connection)).status).toBe(200);
  const other = await service.createWorkspace("other");
  expect((await listTools(address, other, connection)).status).toBe(401);
});
