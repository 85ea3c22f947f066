import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type TestService } from "../../../test/support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

async function platform(method: string, path: string, body?: object, key = service.apiKey) {
  const response = await fetch(`${service.url}/platform/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: (await response.json()) as any };
}

const connect = (credentials: object) =>
  platform("POST", "/connections", { integration_id: service.integrations.mattermost, ...credentials });

const users = (connection: string) =>
  fetch(`${service.url}/unified/v1/chat/users?limit=1`, {
    headers: { authorization: `Bearer ${service.apiKey}`, "SVC-Connection-ID": connection },
  });

test("a Mattermost integration must have a base_url", async () => {
  const key = await service.createWorkspace("mattermost-alone");
  const { status, body } = await platform("POST", "/integrations", { identifier: "mattermost", type: "api_key" }, key);
  expect([status, Object.keys(body.errors)]).toEqual([400, ["base_url"]]);
});

test("a refresh token that Mattermost refuses with its own error code invalidates the connection", async () => {
  const { body } = await connect({ auth_token: "stale", refresh_token: "unknown" });
  expect((await users(body.id)).status).toBe(404);
  const after = await platform("GET", `/connections/${body.id}`);
  expect(after.body.is_valid).toBe(false);
});

test("deleting a connection revokes its token at the Mattermost server", async () => {
  const { token, refresh_token } = service.sandbox.credentials("mattermost", "oauth2").credentials;
  const { body } = await connect({ auth_token: token, refresh_token });
  expect((await users(body.id)).status).toBe(200);
  expect((await platform("DELETE", `/connections/${body.id}`)).body).toEqual({ success: true });
  const again = await fetch(`${service.url}/sandbox/mattermost/api/v4/users/me`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect([again.status, await again.json()]).toMatchObject([401, { id: "api.context.session_expired.app_error" }]);
});
