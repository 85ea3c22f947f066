import { randomBytes, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { createStrictPlatform } from "../support/platform.ts";
import { freePort, ownPostgres } from "../support/postgres.ts";
import { launch, newDataDir, waitForOutput } from "../support/process.ts";
import { ownRedis } from "../support/redis.ts";
import { createWorkspaces } from "../support/workspace.ts";
import { startMember } from "./members.ts";
import { startProvider } from "./provider.ts";
import type { Random } from "./random.ts";

/** A connection, and the account whose data its calls must return. */
export interface Connected {
  key: string;
  id: string;
  /** An account of the suite's own provider. */
  account: string;
}

/** A list of an emulated provider, and the ids on its first page. */
export interface Emulated {
  key: string;
  id: string;
  path: string;
  expected: string[];
}

export interface WorldOptions {
  random: Random;
  report(problem: string): void;
  upstreamTimeoutMs: number;
  tokenSeconds: number;
  /** Connections of each kind. */
  connections: number;
}

/** Proxy calls per connection. */
export const PROXY_LIMIT = { points: 40, seconds: 10 };

/** Two processes with their own Postgres and Redis, two kinds of providers, and connections to both. */
export async function createWorld(options: WorldOptions) {
  const { random, report, connections } = options;
  const [postgres, redis] = await Promise.all([ownPostgres(), ownRedis()]);
  if (!postgres || !redis) {
    await Promise.all([postgres?.drop(), redis?.drop()]);
    return undefined;
  }
  const folder = newDataDir();
  const env = {
    DATA_DIR: folder,
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    SANDBOX: "off",
    ALLOW_PRIVATE_UPSTREAMS: "true",
    UNIFIED_RATE_LIMIT: "1000000/60",
    RATE_LIMIT: `${PROXY_LIMIT.points}/${PROXY_LIMIT.seconds}`,
    UPSTREAM_TIMEOUT_MS: String(options.upstreamTimeoutMs),
    UPSTREAM_RETRY_TIMEOUT_MS: String(options.upstreamTimeoutMs),
  };
  const provider = await startProvider(random, options.tokenSeconds);
  const [rotatingKey, otherKey] = (await createWorkspaces(env, "rotating", "plain")) as [string, string];
  const [emulator, ...members] = await Promise.all([
    startEmulator(),
    startMember("first", env, report),
    startMember("second", env, report),
  ]);

  const create = (key: string, path: string, body: object) =>
    createStrictPlatform(members[0]!, key)("POST", path, body);
  const client = { client_id: "made-up-client", client_secret: "made-up-secret" };
  const rotating = await create(rotatingKey, "/integrations", {
    identifier: "github",
    type: "oauth2",
    base_url: provider.url,
    ...client,
  });
  const plain = await create(otherKey, "/integrations", {
    identifier: "github",
    type: "api_key",
    base_url: provider.url,
  });

  const connected: Connected[] = [];
  for (let number = 0; number < connections; number++) {
    const account = `rotating-${number}`;
    const { access, refresh } = provider.grant(account, true);
    const { id } = await create(rotatingKey, "/connections", {
      integration_id: rotating.id,
      auth_token: access,
      refresh_token: refresh,
      expires_in: provider.tokenSeconds,
      external_id: account,
    });
    connected.push({ key: rotatingKey, id, account });
  }
  for (let number = 0; number < connections; number++) {
    const account = `plain-${number}`;
    const { id } = await create(otherKey, "/connections", {
      integration_id: plain.id,
      auth_token: provider.grant(account, false).access,
      external_id: account,
    });
    connected.push({ key: otherKey, id, account });
  }

  const emulated: Emulated[] = [];
  async function emulate(identifier: string, path: string, type: string, credentials: object): Promise<void> {
    const base_url = `${emulator.url}/${identifier}`;
    const integration = await create(rotatingKey, "/integrations", {
      identifier,
      type,
      base_url,
      ...(type === "oauth2" ? client : {}),
    });
    const { id } = await create(rotatingKey, "/connections", { integration_id: integration.id, ...credentials });
    const response = await fetch(`${members[0]!.url}/unified/v1${path}`, {
      headers: { authorization: `Bearer ${rotatingKey}`, "svc-connection-id": id },
    });
    const expected = ((await response.json()) as any).response.data.map((record: { id: string }) => record.id);
    emulated.push({ key: rotatingKey, id, path, expected });
  }
  const consent = await consentTo(`${emulator.url}/hubspot`, client);
  await emulate("hubspot", "/crm/contacts?limit=20", "oauth2", consent);
  await emulate("linear", "/ticketing/tickets?limit=20", "api_key", { auth_token: `sandbox-${randomUUID()}` });
  await emulate("slack", "/chat/channels?limit=20", "api_key", { auth_token: `sandbox-${randomUUID()}` });

  return {
    postgres,
    redis,
    provider,
    emulator,
    members,
    connected,
    emulated,
    /** Where workers create and delete connections and keys. */
    scratch: { key: otherKey, integration: plain.id as string },
    async close() {
      for (const member of members) await member.kill();
      await Promise.all([emulator.stop(), provider.close(), postgres.drop(), redis.drop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type World = NonNullable<Awaited<ReturnType<typeof createWorld>>>;

/** `plugboard sandbox` in its own process. */
export async function startEmulator() {
  const port = await freePort();
  const { child, output } = launch(["sandbox", "--port", String(port)], { LOG_LEVEL: "error" });
  await waitForOutput(child, output, /emulated providers are at (\S+)/);
  return {
    url: `http://127.0.0.1:${port}/sandbox`,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await new Promise((resolve) => child.once("close", resolve));
    },
  };
}

/** Consents at an emulated provider and returns the tokens. */
async function consentTo(base: string, client: { client_id: string; client_secret: string }) {
  const redirect_uri = "https://app.example/callback";
  const query = new URLSearchParams({ client_id: client.client_id, redirect_uri, response_type: "code" });
  const decided = await fetch(`${base}/oauth/authorize?${query}`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams({ decision: "allow" }),
  });
  const code = new URL(decided.headers.get("location")!).searchParams.get("code")!;
  const answer = await fetch(`${base}/oauth/v1/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri, ...client }),
  });
  const { access_token, refresh_token, expires_in } = (await answer.json()) as any;
  return { auth_token: access_token, refresh_token, expires_in };
}
