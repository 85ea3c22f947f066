// A client of the authorization server that can also misbehave, and a person with a browser who decides about it.
import { createHash, randomBytes } from "node:crypto";
import { Browser, type Page } from "../access/support/browser.ts";
import { hiddenValue } from "../dashboard/support/visitor.ts";
import { createPlatform, type Platform } from "../support/platform.ts";
import type { TestService } from "../support/service.ts";

export const REDIRECT_URI = "https://client.example/callback";

export const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url");

/** Null leaves a parameter out; a list gives it several times. */
export type Changes = Record<string, string | string[] | null>;

function withChanges(parameters: Record<string, string>, changes: Changes): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...parameters, ...changes }))
    for (const one of [value ?? []].flat()) query.append(name, one);
  return query;
}

export interface OAuthAnswer {
  status: number;
  headers: Headers;
  body: any;
}

/** Few attempts are allowed from one address. */
const anyAddress = () => ({ "x-forwarded-for": randomBytes(4).join(".") });

async function read(response: Response): Promise<OAuthAnswer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
}

export const register = async ({ url }: TestService, metadata: unknown): Promise<OAuthAnswer> =>
  read(
    await fetch(`${url}/auth/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json", ...anyAddress() },
      body: JSON.stringify(metadata),
    }),
  );

export const post = async ({ url }: TestService, path: string, form: URLSearchParams): Promise<OAuthAnswer> =>
  read(await fetch(`${url}/auth/oauth/${path}`, { method: "POST", body: form }));

/** A client with an ID. */
export class TestClient {
  readonly id: string;
  readonly redirectUri: string;
  readonly service: TestService;
  readonly resource: string;
  verifier = randomBytes(32).toString("base64url");

  constructor(service: TestService, id: string, options: { redirectUri?: string; resource?: string } = {}) {
    this.service = service;
    this.id = id;
    this.redirectUri = options.redirectUri ?? REDIRECT_URI;
    this.resource = options.resource ?? `${service.url}/unified/v1/mcp`;
  }

  authorizeUrl(changes: Changes = {}): string {
    const parameters = {
      response_type: "code",
      client_id: this.id,
      redirect_uri: this.redirectUri,
      code_challenge: challengeOf(this.verifier),
      code_challenge_method: "S256",
      state: "client-state",
      scope: "mcp",
      resource: this.resource,
    };
    return `${this.service.url}/auth/oauth/authorize?${withChanges(parameters, changes)}`;
  }

  redeem(code: string, changes: Changes = {}): Promise<OAuthAnswer> {
    const form = {
      grant_type: "authorization_code",
      code,
      client_id: this.id,
      redirect_uri: this.redirectUri,
      code_verifier: this.verifier,
      resource: this.resource,
    };
    return post(this.service, "token", withChanges(form, changes));
  }

  refresh(token: string, changes: Changes = {}): Promise<OAuthAnswer> {
    const form = { grant_type: "refresh_token", refresh_token: token, client_id: this.id };
    return post(this.service, "token", withChanges(form, changes));
  }

  revoke = (token: string, changes: Changes = {}): Promise<OAuthAnswer> =>
    post(this.service, "revoke", withChanges({ token, client_id: this.id }, changes));
}

/** A client that has registered itself. */
export async function newClient(
  service: TestService,
  options: { name?: string; redirectUri?: string; resource?: string } = {},
): Promise<TestClient> {
  const redirect_uris = [options.redirectUri ?? REDIRECT_URI];
  const { body } = await register(service, { client_name: options.name ?? "Test client", redirect_uris });
  return new TestClient(service, body.client_id, options);
}

interface Person {
  browser?: Browser;
  key?: string;
}

/** Somebody who opens the address that a client sends them to, and signs in with a key; returns the page to decide on. */
export async function consentAt(
  service: TestService,
  address: string,
  { browser = new Browser(), key = service.apiKey }: Person = {},
): Promise<{ browser: Browser; page: Page }> {
  const first = await browser.open(address, { headers: anyAddress() });
  const ticket = hiddenValue(first.html, "ticket");
  const page = await browser.open(first.url, { form: { ticket, api_key: key }, headers: anyAddress() });
  return { browser, page };
}

/** A workspace whose application signs its own users in. */
export interface Application {
  service: TestService;
  key: string;
  platform: Platform;
  /** Of an integration of each provider, to which people connect with a key. */
  integrations: Record<string, string>;
  resource: string;
}

export async function newApplication(
  service: TestService,
  name: string,
  providers: readonly string[] = [],
): Promise<Application> {
  const key = await service.createWorkspace(name);
  const platform = createPlatform(service, key);
  const mcp_sign_in_url = "https://app.example/sign-in";
  const { client_id } = (await platform("PATCH", "/v1/workspace", { mcp_sign_in_url })).body;
  const integrations: Record<string, string> = {};
  for (const identifier of providers)
    integrations[identifier] = (
      await platform("POST", "/v1/integrations", { identifier, type: "api_key", base_url: "sandbox" })
    ).body.id;
  return { service, key, platform, integrations, resource: `${service.url}/unified/v1/mcp/w/${client_id}` };
}

/** Connects an account of a user. */
export async function connectAccount(
  { service, platform, integrations }: Application,
  external_id: string,
  provider: string,
): Promise<string> {
  const { token: auth_token } = service.sandbox.credentials(provider, "api_key").credentials;
  const body = { integration_id: integrations[provider], auth_token, external_id };
  return (await platform("POST", "/v1/connections", body)).body.id;
}

/** A user whom the application has signed in, and the page on which they decide. */
export async function reachUserConsent(
  client: TestClient,
  { platform }: Pick<Application, "platform">,
  proof: { external_id: string; tool_pack_id?: string | null },
): Promise<{ browser: Browser; page: Page }> {
  const browser = new Browser();
  const begun = await browser.send(client.authorizeUrl(), { headers: anyAddress() });
  const { status, body, text } = await platform("POST", `/v1/mcp-sign-ins/${answerOf(begun).get("request")}`, proof);
  if (status !== 200) throw new Error(text);
  return { browser, page: await browser.open(body.url) };
}

export const reachConsent = (client: TestClient, { changes = {}, ...person }: Person & { changes?: Changes } = {}) =>
  consentAt(client.service, client.authorizeUrl(changes), person);

export interface Decision {
  decision?: "allow" | "deny" | "connect";
  connections?: readonly string[];
  access?: "read" | "write";
  callApi?: boolean;
}

/** Sends the form of the page on which somebody decides. */
export const decide = (
  browser: Browser,
  page: Page,
  { decision = "allow", connections, access = "read", callApi = false }: Decision = {},
) =>
  browser.send(page.url, {
    form: [
      ["ticket", hiddenValue(page.html, "ticket")],
      ...(connections ?? offered(page).slice(0, 1)).map((id): [string, string] => ["connection", id]),
      ["access", access],
      ...(callApi ? [["call_api", "yes"] as [string, string]] : []),
      ["decision", decision],
    ],
  });

/** The connections that somebody can choose from. */
export const offered = ({ html }: Page): string[] =>
  [...html.matchAll(/name="connection" value="([^"]+)"/g)].map(([, id]) => id!);

export const answerOf = (page: Page): URLSearchParams => new URL(page.location!).searchParams;

/** The code that somebody gives a client. */
export async function newCode(client: TestClient, decision: Decision = {}, key?: string): Promise<string> {
  const { browser, page } = await reachConsent(client, key === undefined ? {} : { key });
  return answerOf(await decide(browser, page, decision)).get("code")!;
}

export interface Tokens {
  access_token: string;
  refresh_token: string;
}

export const newTokens = async (client: TestClient, decision: Decision = {}, key?: string): Promise<Tokens> =>
  (await client.redeem(await newCode(client, decision, key))).body;

/** Lists the tools of a connection, as an MCP client does, or sends another message. */
export const listTools = (
  address: string,
  token: string,
  connectionId: string,
  message: object = { method: "tools/list" },
): Promise<Response> =>
  fetch(address, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "svc-connection-id": connectionId,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
  });

/** Sends a message as an MCP client does; for one connection, or for all accounts. */
export async function ask(address: string, token: string, message: object, connectionId = ""): Promise<any> {
  return (await listTools(address, token, connectionId, message)).json();
}

/** The names of the tools of a connection, or of all accounts. */
export const toolNames = async (address: string, token: string, connectionId?: string): Promise<string[]> =>
  (await ask(address, token, { method: "tools/list" }, connectionId)).result.tools.map(({ name }: any) => name);

/** The result of a tool, or the whole message if it is an error of the protocol. */
export async function callTool(
  address: string,
  token: string,
  name: string,
  args: object = {},
  connectionId?: string,
): Promise<any> {
  const message = await ask(address, token, { method: "tools/call", params: { name, arguments: args } }, connectionId);
  return message.result ?? message;
}
