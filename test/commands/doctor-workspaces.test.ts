// What `plugboard doctor` finds in what workspaces have stored.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newId } from "../../src/runtime/ids.ts";
import { expectFinding, findings, newInstallation, SECRET } from "../support/doctor.ts";
import { newConnection, newIntegration } from "../support/entities.ts";

const { env, store } = await newInstallation({ ALLOW_PRIVATE_UPSTREAMS: "127.0.0.0/8" });
const workspace_id = "ws_1";
const received: string[] = [];
const receiver = createServer((request, response) => {
  received.push(request.url!);
  response.end();
});
let hook: string;
beforeAll(async () => {
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/in?token=${SECRET}`;
});
afterAll(() => receiver.close());

/** Changes rows as the service does in the course of time. */
function run(statement: string): void {
  const database = new DatabaseSync(join(env.DATA_DIR!, "plugboard.db"), { timeout: 5_000 });
  database.exec(statement);
  database.close();
}

async function withWebhook(url: string, work: (id: string) => Promise<void>): Promise<void> {
  const values = { name: "All", events: { "*": true as const }, enabled: true, secret: `whsec_${SECRET}` };
  const { id } = await store.webhooks.create({ id: newId("wh"), workspace_id, url, ...values });
  await work(id);
  await store.webhooks.delete(workspace_id, id);
}

it("a webhook whose receiver can be reached is healthy, and gets nothing", () =>
  withWebhook(hook, async () => {
    expect(await findings(env)).toEqual([]);
    expect(received).toEqual([]);
  }));

it("a webhook at a private address is found: webhook-refused", () =>
  withWebhook(`https://10.0.0.1/in?token=${SECRET}`, (id) =>
    expectFinding(env, "webhook-refused", new RegExp(`: ${id} \\(10\\.0\\.0\\.1\\)$`)),
  ));

it("a webhook that nothing listens for is found: webhook-unreachable", () =>
  withWebhook(`https://hooks.test:1/in?token=${SECRET}`, (id) =>
    expectFinding(env, "webhook-unreachable", new RegExp(`: ${id} \\(hooks\\.test:1: ECONNREFUSED\\)$`)),
  ));

it("a webhook that fails is found: webhook-failing", () =>
  withWebhook(hook, async (id) => {
    run(`update webhooks set failing_since = 1 where id = '${id}'`);
    await expectFinding(env, "webhook-failing", new RegExp(id));
  }));

it("a webhook that was turned off is found: webhook-disabled", () =>
  withWebhook(hook, async (id) => {
    run(`update webhooks set enabled = 0, disabled_reason = 'it kept failing' where id = '${id}'`);
    await expectFinding(env, "webhook-disabled", new RegExp(id));
  }));

it("a subscription that fails is found: subscription-failing", async () => {
  const connection = await store.connections.create(newConnection({ workspace_id, integration_identifier: "github" }));
  const subscription = await store.subscriptions.create({
    id: newId("sub"),
    workspace_id,
    connection_id: connection.id,
    operation: "tasks.listTasks",
    parameters: {},
    interval_seconds: 60,
    full_walk_seconds: 3600,
    include_existing: false,
  });
  expect(await findings(env)).toEqual([]);
  run(`update subscriptions set status = 'failing' where id = '${subscription.id}'`);
  await expectFinding(env, "subscription-failing", new RegExp(subscription.id));
  await store.connections.delete(workspace_id, connection.id);
});

it("many invalid connections to a provider are found: connections-invalid", async () => {
  const create = (is_valid: boolean) =>
    store.connections.create(newConnection({ workspace_id, integration_identifier: "github", is_valid }));
  const created = [await create(true)];
  for (let count = 0; count < 9; count++) created.push(await create(false));
  expect(await findings(env)).toEqual([]);
  created.push(await create(false));
  await expectFinding(env, "connections-invalid", /^10 of 11 connections to github/);
  for (const { id } of created) await store.connections.delete(workspace_id, id);
});

it.each([
  ["integration-refused", "a private address", { base_url: "https://10.0.0.1" }, / \(10\.0\.0\.1\)$/],
  ["integration-sandbox-off", "the sandbox, which is off,", { base_url: "sandbox" }, /int_/],
  ["provider-missing", "a provider that does not exist", { identifier: "acme-crm" }, /int_\w+ \(acme-crm\)$/],
] as const)("%s: an integration with %s is found", async (id, _, fields, problem) => {
  const integration = await store.integrations.create(
    newIntegration({ workspace_id, identifier: "github", ...fields }),
  );
  await expectFinding(env, id, problem);
  await store.integrations.delete(workspace_id, integration.id);
  expect(await findings(env)).toEqual([]);
});
