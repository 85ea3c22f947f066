// An account of a provider in the catalogue, connected in the sandbox as a user does, and what the provider received.
import { generateKeyPairSync } from "node:crypto";
import { request } from "undici";
import type { AuthType } from "../../src/contracts/authentication.ts";
import type { ProviderDocument } from "../../src/provider-document/schema.ts";
import { toManifest } from "../../src/provider-document/to-manifest.ts";
import type { Exchange } from "../../src/sandbox/index.ts";
import { createAgent, leftFor, pageOf } from "../auth/support/agent.ts";
import { agree } from "../auth/support/application.ts";
import { createStrictPlatform } from "../support/platform.ts";
import type { TestService } from "../support/service.ts";

export const CLIENT = { client_id: "client: 1", client_secret: "sécret & 100%" };
export const KEY = "sandbox-key:1";
export const USER = { username: "sandbox-user", password: "sandbox-password" };
export const REDIRECT_URI = "https://app.example/back";
const RSA_KEY = String(
  generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }),
);
/** Hexadecimal, as some want it. */
const SHARED_SECRET = "00ff00ff00ff00ff00ff00ff00ff00ff";

export interface Pair {
  document: ProviderDocument;
  type: AuthType;
}

/** Every way to authenticate of every document. */
export const pairsOf = (documents: readonly ProviderDocument[]): Pair[] =>
  documents.flatMap((document) => (Object.keys(document.auth) as AuthType[]).map((type) => ({ document, type })));

/** A valid value for each setting. */
export function sampleSettings(document: ProviderDocument): Record<string, string> {
  const { settings = {} } = toManifest(document).sandbox?.() ?? {};
  const missing = Object.keys(document.settings ?? {}).filter((name) => settings[name] === undefined);
  if (missing.length > 0)
    throw new Error(`${document.id}: no valid value is known for ${missing.join(", ")}; give it a placeholder`);
  return settings;
}

export const fill = (text: string, settings: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => settings[name]!);

/** What the user fills in. */
function formOf({ document, type }: Pair): Record<string, string> {
  const settings = Object.entries(sampleSettings(document)).map(([name, value]) => [`setting-${name}`, value]);
  const secret = document.auth.jwt?.algorithm === "HS256" ? SHARED_SECRET : RSA_KEY;
  const credentials =
    type === "jwt" ? { secret } : type === "two_step" ? { ...USER, secret: KEY } : { ...USER, key: KEY };
  return { ...Object.fromEntries(settings), ...credentials };
}

export async function createCatalogueUser(service: TestService) {
  const apiKey = await service.createWorkspace("catalogue");
  const platform = createStrictPlatform(service, apiKey);
  const { client_id } = await platform("PATCH", "/workspace", { redirect_uris: [REDIRECT_URI] });
  const exchanges: Exchange[] = [];
  service.sandbox.onExchange((exchange) => exchanges.push(exchange));

  async function createIntegration({ document, type }: Pair): Promise<string> {
    const samples = sampleSettings(document);
    const own = Object.entries(toManifest(document).settings ?? {}).filter(
      ([, { ofIntegration, askedWith }]) => ofIntegration && askedWith!.includes(type),
    );
    const settings = Object.fromEntries(own.map(([name]) => [name, samples[name]!]));
    const { id } = await platform("POST", "/integrations", {
      identifier: document.id,
      type,
      base_url: "sandbox",
      ...(type === "oauth2" ? CLIENT : {}),
      ...(own.length > 0 ? { settings } : {}),
    });
    return id;
  }

  const authorizeUrl = (integration_id: string) =>
    `${service.config.urls.auth}/authorize?${new URLSearchParams({ client_id, integration_id, redirect_uri: REDIRECT_URI })}`;

  return {
    platform,
    /** What the provider received since then. */
    async during<Result>(provider: string, work: () => Promise<Result>) {
      const start = exchanges.length;
      const result = await work();
      return { result, seen: exchanges.slice(start).filter((exchange) => exchange.provider === provider) };
    },

    async connect(pair: Pair): Promise<string> {
      const url = authorizeUrl(await createIntegration(pair));
      const end = leftFor(await agree(createAgent(service.url), url, formOf(pair)));
      const response = await fetch(`${service.url}/auth/connection`, {
        method: "POST",
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
        body: JSON.stringify({ code: end.searchParams.get("code"), redirect_uri: REDIRECT_URI }),
      });
      const body = (await response.json()) as { connection_id: string };
      if (response.status !== 200) throw new Error(`${end}: ${JSON.stringify(body)}`);
      return body.connection_id;
    },

    /** The page that a user sees who gives a wrong key or password. */
    async refused(pair: Pair) {
      const agent = createAgent(service.url);
      const start = pageOf(await agent.open(authorizeUrl(await createIntegration(pair))));
      const wrong = { key: "wrong", username: "wrong", password: "wrong" };
      return pageOf(await agent.submit(start, { decision: "continue", ...formOf(pair), ...wrong }));
    },

    /** Without an `Accept` of the client's own, which would replace the declared one. */
    async call(connection: string, path: string) {
      const headers = { authorization: `Bearer ${apiKey}.${connection}` };
      const { statusCode, body } = await request(`${service.url}/proxy${path}`, { headers });
      return { status: statusCode, text: await body.text() };
    },
  };
}

export type CatalogueUser = Awaited<ReturnType<typeof createCatalogueUser>>;
