// An MCP server whose users sign in at a complete OpenID provider by another author.
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Browser } from "../access/support/browser.ts";
import { startService, type TestService } from "../support/service.ts";
import { BACK, createApplication, redeem, startConnecting } from "./any-server-support.ts";
import { type McpServer, startMcpServer } from "./mcp-server.ts";
import { connectClient, textOf } from "./support.ts";

let service: TestService;
let server: McpServer;
let issuer: Awaited<ReturnType<typeof startIssuer>>;

/** With dynamic registration, resource indicators, rotation and revocation. */
async function startIssuer(resource: string) {
  let serve: RequestListener = (_, response) => response.writeHead(503).end();
  const http = createServer((request, response) => serve(request, response));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const { warn } = console;
  console.warn = () => {};
  const provider = new Provider(url, {
    cookies: { keys: ["only for tests"] },
    scopes: ["openid", "offline_access"],
    rotateRefreshToken: true,
    ttl: { AccessToken: 600, RefreshToken: 600, Grant: 600, Interaction: 600, Session: 600 },
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      revocation: { enabled: true, allowedPolicy: async () => true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_: unknown, indicator: string) => {
          if (indicator !== resource) throw new Error(`unknown resource ${indicator}`);
          return { scope: "notes", audience: resource, accessTokenTTL: 600, accessTokenFormat: "opaque" };
        },
      },
    },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
    async loadExistingGrant(context: any) {
      const { client, session } = context.oidc;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid offline_access");
      grant.addResourceScope(resource, "notes");
      await grant.save();
      return grant;
    },
  } as object);
  console.warn = warn;
  serve = provider.callback();
  return {
    url,
    provider,
    async close() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

beforeAll(async () => {
  server = await startMcpServer();
  issuer = await startIssuer(server.mcpUrl);
  server.script.resource = {
    resource: server.mcpUrl,
    authorization_servers: [issuer.url],
    scopes_supported: ["notes"],
  };
  server.script.userOf = async (token) => {
    const found = token ? await issuer.provider.AccessToken.find(token) : undefined;
    return found?.aud === server.mcpUrl ? found.accountId : undefined;
  };
  service = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true" } });
});
afterAll(async () => {
  await service?.close();
  await issuer?.close();
  await server?.close();
});

it("a user signs in at the OpenID provider of an MCP server, whose tokens are refreshed, rotated and revoked", async () => {
  const application = await createApplication(service, { mcp_url: server.mcpUrl });
  const browser = new Browser();
  const { sent } = await startConnecting(service, application, browser);
  let page = sent;
  for (let hop = 0; !page.location?.startsWith(BACK) && hop < 20; hop++) {
    const [, action] = /<form[^>]*action="([^"]+)"/.exec(page.html) ?? [];
    const prompt: Record<string, string> = page.html.includes('name="login"')
      ? { prompt: "login", login: "ada" }
      : { prompt: "consent" };
    page = page.location
      ? await browser.send(page.location)
      : await browser.send(new URL(action!, page.url).href, { form: { ...prompt, password: "any" } });
  }
  const connection = await redeem(service, application, page);
  const headers = { authorization: `Bearer ${application.key}.${connection}` };
  const { client, close } = await connectClient(`${service.url}/mcp`, headers);
  expect(textOf(await client.callTool({ name: "whoami", arguments: {} }))).toBe("ada");

  const load = async () => (await service.store.connections.load(connection))!.connection.credentials;
  const before = await load();
  expect(before.sign_in).toMatchObject({ issuer: issuer.url, names_issuer: true, resource: server.mcpUrl });
  await (await issuer.provider.AccessToken.find(before.token!))!.destroy();
  expect(textOf(await client.callTool({ name: "whoami", arguments: {} }))).toBe("ada");
  const after = await load();
  expect(after.token).not.toBe(before.token);
  expect(after.refresh_token).not.toBe(before.refresh_token);
  await close();
  await application.platform("DELETE", `/connections/${connection}`);
  expect(await issuer.provider.RefreshToken.find(after.refresh_token!)).toBeUndefined();
});
