import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditRecord } from "../../src/surfaces/shared/platform-records/audit-entry.ts";
import { newClient, newCode } from "../mcp-sign-in/support.ts";
import { callCommand } from "../support/command.ts";
import { createPlatform, type Platform } from "../support/platform.ts";
import { newDataDir } from "../support/process.ts";
import { startService, type TestService } from "../support/service.ts";

let service: TestService;
let call: Platform;
let keyId: string;

beforeAll(async () => {
  service = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true" } });
  const { api_key, id } = (await createPlatform(service, service.apiKey)("POST", "/v1/api-keys", { name: "tester" }))
    .body;
  keyId = id;
  call = createPlatform(service, api_key);
});
afterAll(() => service?.close());

const newest = async (query = "limit=1"): Promise<AuditRecord> => (await call("GET", `/v1/audit?${query}`)).body[0];

interface Document {
  paths: Record<string, Record<string, { operationId: string; summary: string }>>;
}

/** Every route of the Platform API that changes something, or shows a secret. */
async function changingRoutes() {
  const { paths } = (await (await fetch(`${service.url}/platform/openapi.json`)).json()) as Document;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method, { operationId }]) => method !== "get" || /secret/i.test(operationId))
      .map(([method, { operationId }]) => ({ method: method.toUpperCase(), path, operationId })),
  );
}

/** A sign-in of an MCP client. */
async function newSignIn(): Promise<string> {
  const client = await newClient(service);
  return new URL((await fetch(client.authorizeUrl())).url).searchParams.get("request")!;
}

async function newGrant(): Promise<string> {
  await newCode(await newClient(service));
  return (await call("GET", "/v1/mcp-grants")).body[0].id;
}

/** For each route: what it is called with, and how the audit log calls it. */
async function samples(): Promise<Record<string, { id?: string; body?: object; action: string; changes?: string[] }>> {
  const made = async (path: string, body: object) => (await call("POST", path, body)).body.id as string;
  const integration = {
    identifier: "github",
    type: "oauth2",
    client_id: "a",
    client_secret: "made up",
    base_url: "sandbox",
  };
  const connection = { integration_id: service.integrations.github, auth_token: "made-up" };
  const webhook = { name: "w", url: `${service.url}/hook`, events: { "*": true } };
  const subscription = {
    connection_id: service.connections.github,
    operation: "git.listRepositories",
    interval_seconds: 3600,
  };
  const provider = {
    id: "acme-new",
    name: "Acme",
    docs_url: "https://docs.acme.test",
    addresses: { api: "https://api.acme.test" },
    auth: { api_key: { in: "header", name: "X-Key", label: "API key" } },
  };
  const toolPack = { name: "Sales", access: "read" };
  const names = Object.keys;
  const webhookId = await made("/v1/webhooks", webhook);
  const subscriptionId = await made("/v1/subscriptions", subscription);
  const integrationId = await made("/v1/integrations", integration);
  const connectionId = await made("/v1/connections", connection);
  const providerId = await made("/v1/providers", { ...provider, id: "acme" });
  const toolPackId = await made("/v1/tool-packs", toolPack);
  const customField = { record: "crm.contact", name: "tier", type: "string", paths: { hubspot: "/properties/tier" } };
  const customFieldId = await made("/v1/custom-fields", { ...customField, name: "other" });
  const deliveryId = await made(`/v1/webhooks/${webhookId}/test`, {});
  const grantId = await newGrant();
  const signInId = await newSignIn();
  await call("PATCH", "/v1/workspace", { mcp_sign_in_url: "https://app.example.com/sign-in" });
  return {
    createApiKey: { body: { name: "x", scopes: ["proxy"] }, action: "key.create", changes: ["name", "scopes"] },
    deleteApiKey: { id: await made("/v1/api-keys", {}), action: "key.delete" },
    createToolPack: { body: toolPack, action: "tool_pack.create", changes: names(toolPack) },
    updateToolPack: {
      id: toolPackId,
      body: { ...toolPack, hide: ["crm.contact.email"] },
      action: "tool_pack.update",
      changes: ["hide"],
    },
    deleteToolPack: { id: toolPackId, action: "tool_pack.delete" },
    createCustomField: { body: customField, action: "custom_field.create", changes: names(customField) },
    updateCustomField: {
      id: customFieldId,
      body: { type: "number" },
      action: "custom_field.update",
      changes: ["type"],
    },
    deleteCustomField: { id: customFieldId, action: "custom_field.delete" },
    createConnectSession: { body: { external_id: "u" }, action: "connect_session.create", changes: ["external_id"] },
    createConnection: { body: connection, action: "connection.create", changes: names(connection) },
    updateConnection: {
      id: connectionId,
      body: { metadata: { plan: "pro" } },
      action: "connection.update",
      changes: ["metadata"],
    },
    deleteConnection: { id: connectionId, action: "connection.delete" },
    createIntegration: { body: integration, action: "integration.create", changes: names(integration) },
    updateIntegration: {
      id: integrationId,
      body: { client_secret: "another" },
      action: "integration.update",
      changes: ["client_secret"],
    },
    deleteIntegration: { id: integrationId, action: "integration.delete" },
    createProvider: { body: provider, action: "provider.create", changes: names(provider) },
    updateProvider: {
      id: providerId,
      body: { name: "Acme", headers: { "X-Version": "2" } },
      action: "provider.update",
      changes: ["headers"],
    },
    deleteProvider: { id: providerId, action: "provider.delete" },
    updateWorkspace: { body: { accent_color: "#1f5fbf" }, action: "workspace.update", changes: ["accent_color"] },
    createWebhook: { body: webhook, action: "webhook.create", changes: names(webhook) },
    updateWebhook: { id: webhookId, body: { name: "v" }, action: "webhook.update", changes: ["name"] },
    getIntegrationHookSecret: {
      id: await made("/v1/integrations", { ...integration, identifier: "notion", hook_secret: "made up" }),
      action: "integration.read_hook_secret",
    },
    getWebhookSecret: { id: webhookId, action: "webhook.read_secret" },
    rotateWebhookSecret: { id: webhookId, action: "webhook.rotate_secret" },
    testWebhook: { id: webhookId, action: "webhook.test" },
    resendFailedDeliveries: {
      id: webhookId,
      body: { since: "2026-01-01T00:00:00Z" },
      action: "webhook.resend",
      changes: ["since"],
    },
    resendDelivery: { id: deliveryId, action: "delivery.resend" },
    createSubscription: { body: subscription, action: "subscription.create", changes: names(subscription) },
    updateSubscription: {
      id: subscriptionId,
      body: { interval_seconds: 7200 },
      action: "subscription.update",
      changes: ["interval_seconds"],
    },
    runSubscription: { id: subscriptionId, action: "subscription.run" },
    pauseSubscription: { id: subscriptionId, action: "subscription.pause" },
    resumeSubscription: { id: subscriptionId, action: "subscription.resume" },
    deleteSubscription: { id: subscriptionId, action: "subscription.delete" },
    deleteWebhook: { id: webhookId, action: "webhook.delete" },
    proveMcpSignIn: {
      id: signInId,
      body: { external_id: "u" },
      action: "mcp_sign_in.prove",
      changes: ["external_id"],
    },
    updateMcpGrant: {
      id: grantId,
      body: { tool_pack_id: await made("/v1/tool-packs", toolPack) },
      action: "mcp_grant.update",
      changes: ["tool_pack_id"],
    },
    deleteMcpGrant: { id: grantId, action: "mcp_grant.delete" },
  };
}

it("every route that changes something or shows a secret leaves its entry, with who, what and from where", async () => {
  const all = await samples();
  const routes = await changingRoutes();
  expect(routes.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(all).sort());
  // Those that delete come last.
  const inOrder = Object.keys(all).map((name) => routes.find(({ operationId }) => operationId === name)!);
  for (const { method, path, operationId } of inOrder) {
    const { id, body, action, changes = null } = all[operationId]!;
    const answer = await call(method, path.replace(/\{\w+\}/, id ?? ""), body, {
      "x-request-id": `req-${operationId}`,
    });
    expect(answer.status, `${operationId}: ${answer.text}`).toBeLessThan(300);
    const entry = await newest();
    expect(entry, operationId).toMatchObject({
      actor: { kind: "key", id: keyId, name: "tester" },
      action,
      target: { kind: action.slice(0, action.indexOf(".")), ...(id ? { id } : {}) },
      outcome: "success",
      request_id: `req-${operationId}`,
      ip: "127.0.0.1",
      changes,
    });
    expect(entry.target.id, operationId).not.toBeNull();
  }
});

it("what changes nothing leaves no entry", async () => {
  const before = (await newest()).id;
  for (const [method, path, body] of [
    ["DELETE", "/v1/connections/conn_none"],
    ["DELETE", "/v1/api-keys/key_none"],
    ["PATCH", "/v1/integrations/int_none", { name: "x" }],
    ["POST", "/v1/connections", {}],
    ["POST", "/v1/webhooks", { name: "x" }],
    ["GET", "/v1/connections"],
  ] as const)
    await call(method, path, body);
  expect((await newest()).id).toBe(before);
});

describe("refused attempts", () => {
  it("are entries on every surface, with the route that was tried", async () => {
    const { api_key, id } = (await call("POST", "/v1/api-keys", { scopes: ["keys:read"] })).body;
    const headers = { authorization: `Bearer ${api_key}`, "svc-connection-id": service.connections.github! };
    const attempts: [string, string, string, string][] = [
      ["DELETE", "/platform/v1/connections/conn_1", "connection.delete", "DELETE /platform/v1/connections/:id"],
      ["GET", "/platform/v1/logs", "logs.read", "GET /platform/v1/logs"],
      ["GET", "/unified/v1/me", "unified.read", "GET /unified/v1/me"],
      ["GET", "/proxy/user?secret=1", "proxy.use", "GET /proxy/user"],
      ["POST", "/mcp", "mcp.use", "POST /mcp"],
      ["POST", "/auth/connection", "connections.write", "POST /auth/connection"],
    ];
    for (const [method, path, action, target] of attempts) {
      const answer = await fetch(`${service.url}${path}`, { method, headers });
      expect(answer.status).toBe(403);
      await answer.body?.cancel();
      expect(await newest(`limit=1&actor=${id}`)).toMatchObject({
        action,
        target: { id: target },
        outcome: "refused",
        ip: "127.0.0.1",
        changes: null,
      });
    }
  });

  it("of one actor are written up to 60 times a minute", async () => {
    const { api_key, id } = (await call("POST", "/v1/api-keys", { scopes: ["keys:read"] })).body;
    const weak = createPlatform(service, api_key);
    for (let count = 0; count < 130; count++) expect((await weak("GET", "/v1/logs")).status).toBe(403);
    const entries = (await call("GET", `/v1/audit?limit=100&actor=${id}`)).body;
    // It may have been two minutes.
    expect(entries.length).toBeGreaterThanOrEqual(60);
    expect(entries.length).toBeLessThanOrEqual(120);
    expect(entries.filter(({ changes }: AuditRecord) => changes !== null).length).toBeGreaterThan(0);
  });
});

describe("reading it", () => {
  it("filters, pages and refuses wrong values by name", async () => {
    const all = (await call("GET", "/v1/audit?limit=100")).body as AuditRecord[];
    expect(all.length).toBeGreaterThan(20);
    const walked: string[] = [];
    for (let before = "", page: AuditRecord[] = []; walked.length === 0 || page.length === 7; before = walked.at(-1)!) {
      page = (await call("GET", `/v1/audit?limit=7${before && `&before=${before}`}`)).body;
      walked.push(...page.map(({ id }) => id));
      if (walked.length > 400) break;
    }
    expect(walked.slice(0, all.length)).toEqual(all.map(({ id }) => id));
    expect(new Set(walked).size).toBe(walked.length);
    const since = (await call("GET", `/v1/audit?after=${walked.at(-1)}&limit=1`)).body;
    expect(since[0].id).toBe(walked.at(-2));
    const kinds = (await call("GET", "/v1/audit?action=webhook.*")).body as AuditRecord[];
    expect(new Set(kinds.map(({ target }) => target.kind))).toEqual(new Set(["webhook"]));
    for (const field of ["after", "before"])
      expect(await call("GET", `/v1/audit?${field}=yesterday`)).toMatchObject({
        status: 400,
        body: { errors: { [field]: [expect.any(String)] } },
      });
  });

  it("as NDJSON streams all entries, which is an entry itself, and the chain can be checked from it", async () => {
    const { text, headers } = await call("GET", "/v1/audit?after=2020-01-01", undefined, {
      accept: "application/x-ndjson",
    });
    expect(headers.get("content-type")).toContain("application/x-ndjson");
    const entries: AuditRecord[] = text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(entries.length).toBeGreaterThan(50);
    expect(entries.at(-1)).toMatchObject({ action: "audit.export", changes: ["after"] });
    for (const [index, entry] of entries.entries()) expect(entry.previous_hash).toBe(entries[index - 1]?.hash ?? "");
  });

  it("needs logs:read, and a key that is not bound", async () => {
    for (const [body, status] of [
      [{ scopes: ["logs:read"] }, 200],
      [{ scopes: ["connections:write"] }, 403],
      [{ external_id: "u" }, 403],
    ] as const) {
      const { api_key } = (await call("POST", "/v1/api-keys", body)).body;
      expect((await createPlatform(service, api_key)("GET", "/v1/audit")).status).toBe(status);
    }
  });
});

it("commands leave entries, and audit verify finds what was changed by hand", async () => {
  const env = { DATA_DIR: newDataDir() };
  await callCommand(["keys", "create", "--workspace", "Acme", "--json"], env);
  const [{ id }] = JSON.parse((await callCommand(["keys", "list", "--json"], env)).stdout);
  await callCommand(["dashboard", "--workspace", "Acme"], { ...env, PORT: "8080" });
  await callCommand(["keys", "revoke", id], env);
  await callCommand(["keys", "rotate-encryption"], env);
  const listed = JSON.parse((await callCommand(["audit", "list", "--json"], env)).stdout) as AuditRecord[];
  expect(listed.map(({ action, actor }) => [action, actor.kind, actor.name]).sort()).toEqual([
    ["dashboard.create_link", "command", "plugboard dashboard"],
    ["encryption.rotate", "command", "plugboard keys rotate-encryption"],
    ["key.create", "command", "plugboard keys create"],
    ["key.delete", "command", "plugboard keys revoke"],
    ["workspace.create", "command", "plugboard keys create"],
  ]);
  const intact = await callCommand(["audit", "verify"], env);
  expect(intact).toMatchObject({ code: 0, stdout: expect.stringContaining("Acme: 4 entries, intact") });
  const { DatabaseSync } = await import("node:sqlite");
  const file = new DatabaseSync(`${env.DATA_DIR}/plugboard.db`);
  file.exec("update audit_log set actor_id = 'somebody' where position = 2 and workspace_id <> ''");
  file.close();
  expect(await callCommand(["audit", "verify", "--workspace", "Acme"], env)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/Acme: 4 entries, 1 problems\n {2}entry 2 \(aud_\w+\): it was changed/),
    stderr: expect.stringContaining("was changed by something other than Plugboard"),
  });
});
