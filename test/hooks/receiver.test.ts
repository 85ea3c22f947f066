// Webhooks of applications, whose addresses and secrets an operator enters once.
import { Signature } from "@hubspot/api-client";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { keyFile } from "../../src/open-store.ts";
import { rotateKeyFile } from "../../src/store/secrets/key-source.ts";
import { subscriptionClient } from "../events/support/subscriptions.ts";
import { startService, type TestService } from "../support/service.ts";

let service: TestService;
let client: ReturnType<typeof subscriptionClient>;
beforeAll(async () => {
  service = await startService();
  client = subscriptionClient(service);
});
afterAll(() => service?.close());

const hookUrl = async (provider: string): Promise<string> =>
  (await client.platform("GET", `/integrations/${service.integrations[provider]}`)).hook_url;

it("a secret that the provider sends makes the webhook of its connections work immediately", async () => {
  await client.subscribe("notion", "tasks.listTasks");
  const hook = async () => (await service.store.hooks.ofConnection(service.connections.notion!))[0]!;
  await expect.poll(hook).toMatchObject({ state: "failed", reason: expect.stringContaining("hook_secret") });
  const body = JSON.stringify({ verification_token: "secret_made-up" });
  const headers = { "content-type": "application/json" };
  expect((await fetch(await hookUrl("notion"), { method: "POST", headers, body })).status).toBe(200);
  await expect.poll(hook).toMatchObject({ state: "active" });
});

it("a webhook is tried with a secret that was entered only when no process uses the earlier one any longer", async () => {
  await client.subscribe("front", "helpdesk.listTickets");
  const hook = async () => (await service.store.hooks.ofConnection(service.connections.front!))[0]!;
  await expect.poll(hook).toMatchObject({ state: "failed", reason: expect.stringContaining("hook_secret") });
  const { coordination } = service.parts;
  const { invalidate } = coordination;
  const due: number[] = [];
  const spy = vi.spyOn(coordination, "invalidate").mockImplementationOnce(async (...given) => {
    due.push((await service.store.jobs.backlog("hook")).due);
    return invalidate.apply(coordination, given);
  });
  onTestFinished(() => spy.mockRestore());
  await client.platform("PATCH", `/integrations/${service.integrations.front}`, { hook_secret: "made-up" });
  expect(due).toEqual([0]);
  await expect.poll(hook).toMatchObject({ state: "active" });
});

it("a request to an address that was made with an earlier encryption key is verified with that address", async () => {
  const url = await hookUrl("hubspot");
  rotateKeyFile(keyFile(service.config.dataDir));
  await expect.poll(() => hookUrl("hubspot")).not.toBe(url);
  const { client_secret } = (await service.store.integrations.byId(service.integrations.hubspot!))!;
  const body = '[{"eventId":1,"portalId":62515,"subscriptionType":"contact.creation","objectId":123}]';
  const timestamp = Date.now();
  const signed = { signature: "", clientSecret: client_secret!, url, requestBody: body, timestamp };
  const headers = {
    "content-type": "application/json",
    "x-hubspot-request-timestamp": String(timestamp),
    "x-hubspot-signature-v3": Signature.getSignature("POST", "v3", signed),
  };
  expect((await fetch(url, { method: "POST", headers, body })).status).toBe(200);
});
