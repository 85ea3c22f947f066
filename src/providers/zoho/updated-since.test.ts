// A list of which nothing was updated, through the whole service: Zoho answers with 304.
import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, type TestService } from "../../../test/support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test.each(["contacts", "companies", "deals"])(
  "%s of which none was updated since a time are an empty list",
  async (list) => {
    const answer = await fetch(`${service.url}/unified/v1/crm/${list}?updated_since=2100-01-01T00:00:00Z`, {
      headers: { authorization: `Bearer ${service.apiKey}`, "svc-connection-id": service.connections.zoho! },
    });
    const { response } = (await answer.json()) as any;
    expect([answer.status, response.data, response.metadata.next]).toEqual([200, [], null]);
  },
);
