// Attio's Retry-After is a date. This runs through the whole service.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type TestService } from "../../../test/support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test("a rate-limited call is retried once the date in Retry-After is reached", async () => {
  await fetch(`${service.url}/sandbox/_faults`, {
    method: "POST",
    body: JSON.stringify({ provider: "attio", status: 429, times: 1 }),
  });
  const unified = await fetch(`${service.url}/unified/v1/crm/contacts?limit=3`, {
    headers: { authorization: `Bearer ${service.apiKey}`, "svc-connection-id": service.connections.attio! },
  });
  const { response } = (await unified.json()) as any;
  expect(response.data).toHaveLength(3);
  const requests = await (await fetch(`${service.url}/sandbox/_requests?provider=attio`)).json();
  expect(requests).toHaveLength(2);
});
