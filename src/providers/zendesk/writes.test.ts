import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/conformance/client.ts";
import { createPlatform } from "../../../test/support/platform.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import { providers } from "../registry.gen.ts";

const operation = (id: string) => operations.find((known) => known.id === `helpdesk.${id}`)!;
let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
  client = createClient(service, providers.find(({ manifest }) => manifest.id === "zendesk")!);
});
afterAll(() => service?.close());

const write = (name: string, pathParams: Record<string, string>, body: object, headers = {}) =>
  client.call(operation(name), pathParams, {}, headers, body);
const NEW = {
  subject: "Größe falsch",
  description: "It says **too large**.\n\n- See [the _picture_](https://example.com/p)",
  requester: { email: "new@example.com", name: "Zoë" },
};
const create = async (change: object = {}) =>
  (await write("createTicket", {}, { ...NEW, ...change })).body.response.data;
const commentsOf = (ticket_id: string) => client.walk(operation("listComments"), { ticket_id }, [100]);

test("the formatting of a description is in the first comment of the ticket", async () => {
  const { id, description, status, requester } = await create();
  expect({ description, status, requester }).toMatchObject({
    description: expect.stringMatching(/^It says too large\./),
    status: "new",
    requester: { name: "Zoë", email: "new@example.com" },
  });
  expect(await commentsOf(id)).toMatchObject([{ text: NEW.description, is_public: true }]);
});

test("a new requester without a name is named by the email address", async () => {
  const { requester } = await create({ requester: { email: "nameless@example.com" } });
  expect(requester).toMatchObject({ name: "nameless@example.com", email: "nameless@example.com" });
});

test("a ticket that is created has the key of the request, so that Zendesk creates it once", async () => {
  const keysOf = async (key: string) => {
    const exchanges = await client.exchanges(() => write("createTicket", {}, NEW, { "Idempotency-Key": key }));
    return exchanges.flatMap(({ request }) => (request.method === "POST" ? request.headers["idempotency-key"] : []));
  };
  const [[first], [second]] = [await keysOf("a"), await keysOf("b")];
  expect([first, second]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)]);
  expect(first).not.toBe(second);
});

test("a ticket is changed in every field, and fields that are left out stay", async () => {
  const { id } = await create();
  const change = { status: "hold", priority: "urgent", assignee_id: "35437", tags: ["a", "b"] };
  const { data } = (await write("updateTicket", { ticket_id: id }, change)).body.response;
  expect(data).toMatchObject({
    ...{ id, status: "hold", status_category: "pending", priority: "urgent", tags: ["a", "b"] },
    assignee: { id: "35437", name: "Zoë Müller" },
  });
  const next = (await write("updateTicket", { ticket_id: id }, { tags: [] })).body.response.data;
  expect(next).toEqual({ ...data, tags: [], updated_at: next.updated_at });
});

test("the valid names of statuses and priorities are Zendesk's", async () => {
  const detailOf = async (change: object) =>
    (await write("updateTicket", { ticket_id: "35" }, change)).body.errors[0].detail;
  expect(await detailOf({ status: "done" })).toContain('"new", "open", "pending", "hold", "solved", "closed"');
  expect(await detailOf({ priority: "top" })).toContain('"low", "normal", "high", "urgent"');
});

test("a comment has its formatting, its author and the ID that it has in the list", async () => {
  const { id } = await create();
  const text = "We are _on it_ 🔧 \\<b>\n\n1. See [here](https://example.com/p)";
  const note = (await write("createComment", { ticket_id: id }, { text, is_public: false })).body.response.data;
  expect(note).toMatchObject({ text, is_public: false, author: { id: "35436", name: "Sandbox" } });
  expect((await commentsOf(id)).slice(1)).toEqual([note]);
});

test("a closed ticket and an unknown assignee get Zendesk's own error", async () => {
  const { id } = await create();
  const refused = await write("updateTicket", { ticket_id: id }, { assignee_id: "Zoë" });
  expect([refused.status, refused.body.details]).toMatchObject([422, { assignee: [{}] }]);
  await write("updateTicket", { ticket_id: id }, { status: "closed" });
  const { status, body } = await write("createComment", { ticket_id: id }, { text: "late" });
  expect([status, body.details.status]).toEqual([422, [{ description: "Status: closed prevents ticket update" }]]);
  expect(await commentsOf(id)).toHaveLength(1);
});

test("custom fields are written as they are if the token may not read what fields there are", async () => {
  const declare = (name: string, type: string, id: number) =>
    createPlatform(service, service.apiKey)("POST", "/v1/custom-fields", {
      record: "helpdesk.ticket",
      name,
      type,
      paths: { zendesk: `/custom_fields/${id}` },
    });
  await declare("tier", "string", 360_012);
  await declare("renews_on", "date", 360_016);
  await declare("interests", "strings", 360_017);
  await client.fault({ status: 403, path: "/api/v2/ticket_fields", times: 10 });
  const custom = { tier: "gold", renews_on: "2026-11-17", interests: ["chess"] };
  const { status, body } = await write("createTicket", {}, { ...NEW, custom });
  expect([status, body.response?.data.custom]).toEqual([200, custom]);
  const changed = await write("updateTicket", { ticket_id: body.response.data.id }, { custom: { interests: null } });
  expect(changed.body.response.data.custom).toEqual({ ...custom, interests: [] });
  await client.clearFaults();
});
