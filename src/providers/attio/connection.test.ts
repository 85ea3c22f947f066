// A limit that ends at a date, through the whole service.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type TestService } from "../../../test/support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test("a call goes on when the date of its Retry-After has come", async () => {
  await fetch(`${service.url}/sandbox/_faults`, {
    method: "POST",
    body: JSON.stringify({ provider: "attio", status: 429, times: 1 }),
  });
  const answered = await fetch(`${service.url}/unified/v1/crm/contacts?limit=3`, {
    headers: { authorization: `Bearer ${service.apiKey}`, "svc-connection-id": service.connections.attio! },
  });
  const { response } = (await answered.json()) as any;
  expect(response.data).toHaveLength(3);
  const seen = await (await fetch(`${service.url}/sandbox/_requests?provider=attio`)).json();
  expect(seen).toHaveLength(2);
});
