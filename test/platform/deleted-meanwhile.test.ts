// What a request refers to may be deleted between the checks and the write.
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { createPlatform, type Platform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";

let service: TestService;
let call: Platform;

beforeAll(async () => {
  service = await startService();
  call = createPlatform(service, service.apiKey);
});
afterAll(() => service?.close());

const field = { record: "crm.contact", name: "tier", type: "string", paths: { hubspot: "/properties/tier" } };

it.each([
  [
    "a subscription",
    "connections",
    "github",
    "/v1/subscriptions",
    { operation: "git.listRepositories", interval_seconds: 60 },
  ],
  ["a custom field", "connections", "hubspot", "/v1/custom-fields", field],
  ["a custom field", "integrations", "hubspot", "/v1/custom-fields", field],
] as const)("%s for one of the %s that is deleted meanwhile is refused", async (_, kind, provider, path, body) => {
  const id = service[kind][provider]!;
  const name = kind === "connections" ? "connection_id" : "integration_id";
  const { change } = service.store;
  const spy = vi.spyOn(service.store, "change").mockImplementationOnce(async (...given) => {
    expect((await call("DELETE", `/v1/${kind}/${id}`)).status).toBe(200);
    return change(...given);
  });
  onTestFinished(() => spy.mockRestore());
  const answer = await call("POST", path, { ...body, [name]: id });
  expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([400, [name]]);
});
