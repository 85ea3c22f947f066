import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Provider } from "../../src/contracts/provider.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { testDatabase } from "../support/postgres.ts";
import { type PlugboardProcess, startPlugboard } from "../support/process.ts";
import { testRedis } from "../support/redis.ts";
import { injectFault, seenRequests } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";
import { type Application, createApplication, simpleList } from "./support/application.ts";

const CALLS = 500;
const provider = providers.find(({ manifest }) => manifest.auth.oauth2?.rotates) as Provider;
const { id, addresses, auth } = provider.manifest;
const tokenPath = new URL(addresses[auth.oauth2!.token]!).pathname;
const env = { UNIFIED_RATE_LIMIT: "100000/60", ALLOW_PRIVATE_UPSTREAMS: "true" };

/** A connection whose token has expired, with a refresh token that works once. */
async function expiredConnection(application: Application, service: TestService): Promise<string> {
  const { credentials } = service.sandbox.credentials(id, "oauth2");
  const connection = await application.platform("POST", "/connections", {
    integration_id: application.integrationId,
    auth_token: credentials.token,
    refresh_token: credentials.refresh_token,
    expires_in: 0,
  });
  return connection.id;
}

/** Makes calls at once, to each address in turn; counts them by status. */
async function storm(application: Application, connection: string, urls: string[], calls = CALLS) {
  const statuses = await Promise.all(
    Array.from({ length: calls }, async (_, index) => {
      const response = await fetch(`${urls[index % urls.length]}/unified${simpleList(provider).route}?limit=1`, {
        headers: { authorization: `Bearer ${application.apiKey}`, "svc-connection-id": connection },
      });
      await response.body?.cancel();
      return response.status;
    }),
  );
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

async function tokenRequests(service: TestService): Promise<number> {
  return (await seenRequests(service, id)).filter(({ path }) => path.endsWith(tokenPath)).length;
}

it(`${CALLS} concurrent calls over an expired connection make one token request`, async () => {
  const service = await startService({ env });
  const application = await createApplication(service, provider, "oauth2");
  const connection = await expiredConnection(application, service);
  expect(await storm(application, connection, [service.url])).toEqual({ 200: CALLS });
  expect(await tokenRequests(service)).toBe(1);
  await service.close();
});

const postgres = await testDatabase();
const redis = await testRedis();

describe.runIf(postgres && redis)("two processes on Postgres and Redis", () => {
  let service: TestService;
  let other: PlugboardProcess;
  let application: Application;

  beforeAll(async () => {
    const shared = {
      ...env,
      DATABASE_URL: postgres!.url,
      REDIS_URL: redis!.url,
      ENCRYPTION_KEY: Buffer.alloc(32, 3).toString("base64"),
    };
    service = await startService({ env: shared });
    other = await startPlugboard({ ...shared, SANDBOX: "off" });
    // The emulated provider of the first process serves both.
    application = await createApplication(service, provider, "oauth2", {
      integration: { base_url: `${service.url}/sandbox/${id}` },
    });
  });
  afterAll(async () => {
    await other?.stop();
    await service?.close();
    await postgres?.drop();
    await redis?.drop();
  });

  it(`${CALLS} concurrent calls to two processes over an expired connection make one token request`, async () => {
    const connection = await expiredConnection(application, service);
    expect(await storm(application, connection, [service.url, other.url])).toEqual({ 200: CALLS });
    expect(await tokenRequests(service)).toBe(1);
  });

  it("100 concurrent calls to two processes make one token request if the provider refuses a token before its expiry", async () => {
    const connection = await expiredConnection(application, service);
    const urls = [service.url, other.url];
    expect(await storm(application, connection, urls, 50)).toEqual({ 200: 50 });
    const before = await tokenRequests(service);
    await injectFault(service, { provider: id, expire_tokens: true });
    expect(await storm(application, connection, urls, 100)).toEqual({ 200: 100 });
    expect((await tokenRequests(service)) - before).toBe(1);
  });
});
