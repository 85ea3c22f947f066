// What well-known clients say about themselves, and where they have their codes sent, as their vendors document it or
// their users have seen it.
import { afterAll, beforeAll, expect, it } from "vitest";
import { startService, type TestService } from "../support/service.ts";
import { answerJson, startUpstream, type Upstream } from "../support/upstream.ts";
import { answerOf, decide, reachConsent, register, TestClient } from "./support.ts";

let service: TestService;
let site: Upstream;
beforeAll(async () => {
  service = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true" } });
  site = await startUpstream();
});
afterAll(async () => {
  await service?.close();
  await site?.close();
});

const CHATGPT = "https://chatgpt.com/connector/oauth/IbUR3zxyNQ16";
const CURSOR = [
  "cursor://anysphere.cursor-mcp/oauth/callback",
  "https://www.cursor.com/agents/mcp/oauth/callback",
  "http://localhost:8787/callback",
];
const VSCODE = [
  "https://insiders.vscode.dev/redirect",
  "https://vscode.dev/redirect",
  "http://127.0.0.1/",
  "http://127.0.0.1:33418/",
];

interface Metadata {
  client_name: string;
  redirect_uris: string[];
  [other: string]: unknown;
}

/** A person allows the client, and it gets its tokens. */
async function signIn(clientId: string, redirectUri: string): Promise<number> {
  const client = new TestClient(service, clientId, { redirectUri });
  const { browser, page } = await reachConsent(client);
  const answer = await decide(browser, page);
  expect(answer.location).toMatch(new RegExp(`^${RegExp.escape(redirectUri)}\\?code=`));
  return (await client.redeem(answerOf(answer).get("code")!)).status;
}

it.each<{ metadata: Metadata; others?: string[] }>([
  // https://support.claude.com/en/articles/11503834
  { metadata: { client_name: "Claude", redirect_uris: ["https://claude.ai/api/mcp/auth_callback"] } },
  { metadata: { client_name: "ChatGPT", redirect_uris: [CHATGPT] } },
  // https://github.com/laravel/mcp/issues/173 and https://github.com/bytebase/bytebase/issues/20510
  { metadata: { client_name: "Cursor", redirect_uris: CURSOR, token_endpoint_auth_method: "none" } },
  // It takes another port if this one is in use: https://github.com/microsoft/vscode/issues/278512
  {
    metadata: { client_name: "Visual Studio Code", redirect_uris: VSCODE },
    others: ["http://127.0.0.1:59656/"],
  },
])(
  "$metadata.client_name registers itself, and is signed in at each of its addresses",
  async ({ metadata, others = [] }) => {
    for (const redirectUri of [...metadata.redirect_uris, ...others]) {
      const { status, body } = await register(service, metadata);
      expect(status).toBe(201);
      expect([redirectUri, await signIn(body.client_id, redirectUri)]).toEqual([redirectUri, 200]);
    }
  },
);

it.each<{ metadata: Metadata; redirectUri: string }>([
  // It has a key, and uses it only where it is asked to: https://github.com/django-oauth/django-oauth-toolkit/issues/1857
  {
    metadata: {
      client_name: "ChatGPT",
      client_uri: "https://chatgpt.com/",
      redirect_uris: [CHATGPT],
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_methods_supported: ["none", "private_key_jwt"],
      token_endpoint_auth_signing_alg: "RS256",
      jwks_uri: "https://chatgpt.com/oauth/jwks.json",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    },
    redirectUri: CHATGPT,
  },
  // It takes any port: https://github.com/anthropics/claude-code/issues/37767
  {
    metadata: { client_name: "Claude Code", redirect_uris: ["http://localhost/callback", "http://127.0.0.1/callback"] },
    redirectUri: "http://localhost:58135/callback",
  },
  // So does this one, even though it names a port: https://github.com/github/copilot-cli/issues/4793
  {
    metadata: { client_name: "Copilot CLI", application_type: "native", redirect_uris: ["http://127.0.0.1:33418/"] },
    redirectUri: "http://127.0.0.1:60005/",
  },
])("$metadata.client_name is signed in by its metadata document", async ({ metadata, redirectUri }) => {
  const client_id = `${site.url}/${encodeURIComponent(metadata.client_name)}.json`;
  site.answer(answerJson(JSON.stringify({ client_id, ...metadata })));
  expect(await signIn(client_id, redirectUri)).toBe(200);
});
