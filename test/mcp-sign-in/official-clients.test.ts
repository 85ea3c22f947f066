// The whole sign-in with the official client, in both of its major versions. Like any program that people connect, it
// knows an address and nothing else.
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { createPlatform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import { answerOf, consentAt, decide, REDIRECT_URI } from "./support.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT: "1000000/60" } });
});
afterAll(() => service?.close());

/** What a program keeps of its sign-ins. */
class Memory {
  sentTo: URL | undefined;
  saved: OAuthTokens | undefined;
  #client: OAuthClientInformationMixed | undefined;
  #verifier = "";
  #discovered: any;
  redirectUrl = REDIRECT_URI;
  clientMetadata = { client_name: "Official client", redirect_uris: [REDIRECT_URI] };
  clientInformation = () => this.#client;
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.#client = client;
  }
  tokens = () => this.saved;
  saveTokens(tokens: OAuthTokens) {
    this.saved = tokens;
  }
  invalidateCredentials() {
    this.saved = undefined;
  }
  redirectToAuthorization(url: URL) {
    this.sentTo = url;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier = () => this.#verifier;
  saveDiscoveryState(state: unknown) {
    this.#discovered = state;
  }
  discoveryState = () => this.#discovered;
}

interface Session {
  connect(): Promise<void>;
  /** With what the person came back with. */
  finish(answer: URLSearchParams): Promise<void>;
  call(name: string, args: Record<string, unknown>): Promise<any>;
  close(): Promise<void>;
}

const INFO = { name: "test", version: "1.0.0" };
const versions: [string, (address: URL, authProvider: Memory) => Session][] = [
  [
    "1.x",
    (address, authProvider) => {
      const client = new Client(INFO);
      const transport = new StreamableHTTPClientTransport(address, { authProvider });
      return {
        connect: () => client.connect(transport),
        finish: (answer) => transport.finishAuth(answer.get("code")!),
        call: (name, args) => client.callTool({ name, arguments: args }),
        close: () => client.close(),
      };
    },
  ],
  [
    "2.x",
    (address, authProvider) => {
      const client = new ModernClient(INFO, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
      const transport = new ModernTransport(address, { authProvider });
      return {
        connect: () => client.connect(transport),
        finish: (answer) => transport.finishAuth(answer),
        call: (name, args) => client.callTool({ name, arguments: args }),
        close: () => client.close(),
      };
    },
  ],
];

const addresses: [string, () => string][] = [
  ["the plain address", () => `${service.url}/unified/v1/mcp`],
  ["a narrowed address", () => `${service.url}/unified/v1/mcp?access=read`],
  ["the address of a workspace", () => `${service.url}/unified/v1/mcp/w/${service.clientId}`],
];

it.each(versions.flatMap(([version, open]) => addresses.map((where) => [version, ...where, open] as const)))(
  "the official client %s at %s is signed in, calls tools, refreshes its token, and asks again after a revocation",
  async (_version, _where, address, open) => {
    const memory = new Memory();
    const start = () => {
      const session = open(new URL(address()), memory);
      onTestFinished(() => session.close());
      return session;
    };

    const first = start();
    await expect(first.connect()).rejects.toThrow(/unauthorized/i);
    const [resource] = address().split("?");
    expect(memory.sentTo!.searchParams.get("resource")).toBe(resource);
    const { browser, page } = await consentAt(service, memory.sentTo!.href);
    expect(page.html).toContain("Official client");
    const chosen = { connections: [service.connections.github!, service.connections.linear!] };
    await first.finish(answerOf(await decide(browser, page, chosen)));

    const session = start();
    await session.connect();
    const { structuredContent } = await session.call("list_accounts", {});
    const accounts = structuredContent.accounts.map(({ account }: any) => account);
    expect(accounts.toSorted()).toEqual(["github", "linear"]);
    const listRepositories = () => session.call("git_list_repositories", { account: "github", limit: 1 });
    expect((await listRepositories()).isError).toBeFalsy();

    memory.saved = { ...memory.saved!, access_token: "pbm_expired" };
    expect((await listRepositories()).isError).toBeFalsy();
    expect(memory.saved.access_token).not.toBe("pbm_expired");

    const platform = createPlatform(service, service.apiKey);
    const [grant] = (await platform("GET", "/v1/mcp-grants?order=newest&limit=1")).body;
    expect(grant).toMatchObject({ client_name: "Official client", resource });
    expect((await platform("DELETE", `/v1/mcp-grants/${grant.id}`)).status).toBe(200);
    memory.sentTo = undefined;
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    onTestFinished(() => warn.mockRestore());
    await expect(listRepositories()).rejects.toThrow(/unauthorized/i);
    expect(memory.sentTo).toBeDefined();
  },
);
