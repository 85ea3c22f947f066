// Several processes: what one of them revokes is refused by all.
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readConfig } from "../../src/config/index.ts";
import { CACHE_TTL_WITH_INVALIDATION_MS } from "../../src/coordination/memory.ts";
import { openStore } from "../../src/open-store.ts";
import { newMcpToken } from "../../src/runtime/ids.ts";
import { createLogger } from "../../src/runtime/logger.ts";
import { type Cluster, startCluster } from "../support/cluster.ts";
import { createPlatform } from "../support/platform.ts";
import { testDatabase } from "../support/postgres.ts";
import { testRedis } from "../support/redis.ts";
import { answerJson, startUpstream, type Upstream } from "../support/upstream.ts";
import { listTools } from "./support.ts";

const database = await testDatabase();
const redis = await testRedis();
/** Processes cache for three times as long: only an invalidation can take effect within this time. */
const patience = { timeout: CACHE_TTL_WITH_INVALIDATION_MS / 3, interval: 20 };
const UNIFIED_URL = "http://plugboard.test/unified";

describe.skipIf(!database || !redis)("processes that share a database and Redis", () => {
  let cluster: Cluster;
  let upstream: Upstream;
  beforeAll(async () => {
    upstream = await startUpstream(answerJson("[]"));
    cluster = await startCluster({ databaseUrl: database!.url, redisUrl: redis!.url, env: { UNIFIED_URL } });
  });
  afterAll(async () => {
    await cluster?.close();
    await upstream?.close();
    await database?.drop();
    await redis?.drop();
  });

  /** A grant and its access token, as if somebody had signed in. */
  async function newGrant(connection: string) {
    const { store } = await openStore(readConfig(cluster.env), createLogger("silent"));
    const [workspace] = await store.workspaces.list();
    const { token, hash } = newMcpToken();
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const of = { workspace_id: workspace!.id, client_id: "client", client_name: "Client" };
    const resource = `${UNIFIED_URL}/v1/mcp`;
    const signIn = {
      ...of,
      id: randomUUID(),
      redirect_uri: "https://client.example/callback",
      state: null,
      code_challenge: "challenge",
      resource,
      browser: "browser",
      expires_at,
    };
    await store.mcpGrants.beginSignIn(signIn);
    const id = `grant_${randomUUID()}`;
    await store.mcpGrants.grant(
      (await store.mcpGrants.signIn(signIn.id))!,
      {
        ...of,
        id,
        redirect_host: "client.example",
        external_id: null,
        actor: { kind: "person", id: "ada", name: null },
        connection_ids: [connection],
        access: "read",
        call_api: false,
        tool_pack_id: null,
        may_add_accounts: false,
        browser: "browser",
        resource,
        expires_at: null,
        key_id: null,
      },
      { hash: "code", expires_at },
    );
    const presented = { client_id: "client", redirect_uri: undefined, code_challenge: "challenge", resource };
    const tokens = { access: { hash, expires_at }, refresh: { hash: randomUUID(), expires_at } };
    await store.mcpGrants.redeemCode("code", presented, tokens);
    await store.close();
    return { id, token };
  }

  it("a grant that one of them revokes is refused by the others", async () => {
    const { connection } = await cluster.connectTo("github", upstream.url);
    const { id, token } = await newGrant(connection);
    const call = (member: { url: string }) => listTools(`${member.url}/unified/v1/mcp`, token, connection);
    for (const member of cluster.members) expect((await call(member)).status).toBe(200);
    const [here, there] = cluster.members;
    expect((await createPlatform(here!, cluster.key)("DELETE", `/v1/mcp-grants/${id}`)).status).toBe(200);
    expect((await call(here!)).status).toBe(401);
    await vi.waitFor(async () => expect((await call(there!)).status).toBe(401), patience);
  });
});
