// A change of a custom field at a provider is an event that has its value.
import Type from "typebox";
import { afterAll, beforeAll, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import type { BoundOperation } from "../../src/contracts/operation.ts";
import type { Provider } from "../../src/contracts/provider.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { startService, type TestService } from "../support/service.ts";
import { subscriptionClient } from "./support/subscriptions.ts";

let service: TestService;
let client: ReturnType<typeof subscriptionClient>;
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60", SUBSCRIPTION_POLL_MS: "50" } });
  client = subscriptionClient(service);
});
afterAll(() => service?.close());

/** A list of records that accounts can add fields to, which needs no parameters. */
const listOf = ({ categories }: Provider): BoundOperation | undefined =>
  operations.find(
    ({ kind, category, recordName, parameters, name, query }) =>
      kind === "list" &&
      parameters.length === 0 &&
      Object.values(query).every((schema) => Type.IsOptional(schema)) &&
      categories.some(
        (one) =>
          one.category === category &&
          one.operations[name] &&
          recordName!.slice(category.length + 1) in (one.customFields ?? {}),
      ),
  );

/** A provider of each kind of record. What every provider's lists have in their records, the conformance suite checks. */
const cases = providers
  .flatMap((provider) => {
    const list = listOf(provider);
    return list ? [[provider.manifest.id, list] as const] : [];
  })
  .filter(([, list], index, all) => all.findIndex(([, other]) => other.recordName === list.recordName) === index);

const unified = async (connection: string, path: string): Promise<any> => {
  const headers = { authorization: `Bearer ${service.apiKey}`, "svc-connection-id": connection };
  const response = await fetch(`${service.url}/unified${path}`, { headers });
  const body: any = await response.json();
  if (!response.ok) throw new Error(JSON.stringify(body));
  return body.response;
};

it.each(cases)("%s tells a change of a custom field", async (id, list) => {
  const connection = service.connections[id]!;
  const { data: offered } = await unified(connection, `${list.route}/fields`);
  const own = offered.filter(({ custom, type }: any) => custom && type === "string");
  for (const [index, { path }] of own.entries())
    await client.platform("POST", "/custom-fields", {
      record: list.recordName,
      name: `field_${index}`,
      type: "string",
      paths: { [id]: path },
      connection_id: connection,
    });
  const { parameters } = await client.change(id, list.id, {});
  const subscription = await client.subscribe(id, list.id, { parameters });
  await client.finished(subscription.id);
  await client.readWhole(subscription.id);
  const { next: position } = await client.platform("GET", "/events?after=latest&limit=1");
  const { updated } = await client.change(id, list.id, { update: 3 });
  await client.runNow(subscription.id);
  let records: any[] = [];
  const told = async () => {
    const query = `limit=100&type=${list.recordName}.updated&after=${position}`;
    const { data } = await client.platform("GET", `/events?${query}`);
    records = data
      .filter((one: any) => one.data.subscription_id === subscription.id)
      .map((one: any) => one.data.record);
    return records.map((record) => String(record.id)).sort();
  };
  // The run that has finished may have begun before the change.
  await expect.poll(told).toEqual(updated.map(String).sort());
  const names = own.map((_: unknown, index: number) => `field_${index}`);
  for (const { custom } of records) expect(Object.keys(custom).sort()).toEqual(names);
  expect(records.some(({ custom }: any) => Object.values(custom).some((value) => value !== null))).toBe(true);
});
