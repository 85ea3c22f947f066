import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/conformance/client.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import { providers } from "../registry.gen.ts";

const operation = (id: string) => operations.find((known) => known.id === id)!;
let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
  client = createClient(service, providers.find(({ manifest }) => manifest.id === "freshdesk")!);
});
afterAll(() => service?.close());

const write = (name: string, pathParams: Record<string, string>, body: object) =>
  client.call(operation(`helpdesk.${name}`), pathParams, {}, {}, body);
const NEW = {
  subject: "Größe falsch",
  description: "It says **too large**.\n\n- See [the _picture_](https://example.com/p)",
  requester: { email: "new@example.com", name: "Zoë" },
  priority: "high",
  tags: ["größe"],
};
const create = async (change: object = {}) =>
  (await write("createTicket", {}, { ...NEW, ...change })).body.response.data;

test("a new ticket reads as it was written, and its requester is a new customer", async () => {
  const created = await create();
  expect(created).toMatchObject({
    ...NEW,
    priority: "High",
    status: "Open",
    status_category: "open",
    requester: { name: "Zoë", email: "new@example.com" },
    assignee: null,
  });
  const { body } = await client.call(operation("helpdesk.getTicket"), { ticket_id: created.id });
  expect(body.response.data).toEqual(created);
  const all = await client.walk(operation("helpdesk.listTickets"), {}, [100]);
  expect(all.at(-1)).toEqual(created);
  const customers = await client.walk(operation("helpdesk.listCustomers"), {}, [100]);
  expect(customers.at(-1)).toEqual({ ...created.requester, custom: {} });
});

test("a new ticket without a priority has the lowest", async () => {
  expect(await create({ priority: undefined })).toMatchObject({ priority: "Low" });
});

test("a ticket is changed in every field, and fields that are left out stay", async () => {
  const { id } = await create();
  const change = { status: "pending", priority: "urgent", assignee_id: "150002", tags: ["a", "b c"] };
  const { data } = (await write("updateTicket", { ticket_id: id }, change)).body.response;
  expect(data).toMatchObject({
    id,
    status: "Pending",
    status_category: "pending",
    priority: "Urgent",
    assignee: { id: "150002" },
    tags: ["a", "b c"],
  });
  const next = (await write("updateTicket", { ticket_id: id }, { tags: [] })).body.response.data;
  expect(next).toEqual({ ...data, tags: [], updated_at: next.updated_at });
  const { body } = await client.call(operation("helpdesk.getTicket"), { ticket_id: id });
  expect(body.response.data).toEqual(next);
});

test("a status of the account's own is set by its number", async () => {
  const { id } = await create();
  expect((await write("updateTicket", { ticket_id: id }, { status: "6" })).body.response.data.status).toBe("6");
  const { status, body } = await write("updateTicket", { ticket_id: id }, { status: "99" });
  expect([status, body.errors[0].field]).toEqual([400, "status"]);
});

test.each([
  [{ status: "solved" }, '"Open", "Pending", "Resolved", "Closed", not "solved"'],
  [{ priority: "top" }, '"Low", "Medium", "High", "Urgent", not "top"'],
])("an unknown value in %j lists the valid names, and nothing is sent", async (change, names) => {
  const seen = await client.requests(async () => {
    const { status, body } = await write("updateTicket", { ticket_id: "3" }, change);
    expect([status, body.errors[0].path]).toEqual([400, ["body", Object.keys(change)[0]]]);
    expect(body.errors[0].detail).toContain(names);
  });
  expect(seen).toEqual([]);
});

test("an assignee that is no number gets Freshdesk's own error, and nobody is unassigned", async () => {
  const { status, body } = await write("updateTicket", { ticket_id: "7" }, { assignee_id: "Zoë" });
  expect([status, body.errors[0]]).toMatchObject([400, { field: "responder_id", code: "datatype_mismatch" }]);
});

test("a public comment is a reply, another one a private note, and both read as they were written", async () => {
  const { id } = await create();
  const text = "We are _on it_ 🔧 \\<b>\n\n1. See [here](https://example.com/p)";
  let reply: any;
  const [sent] = await client.exchanges(async () => {
    reply = (await write("createComment", { ticket_id: id }, { text })).body.response.data;
  });
  expect(sent!.request.path).toBe(`/api/v2/tickets/${id}/reply`);
  expect(reply).toMatchObject({ text, is_public: true, author: { id: "150001" } });
  const note = (await write("createComment", { ticket_id: id }, { text, is_public: false })).body.response.data;
  expect(note).toMatchObject({ text, is_public: false });
  expect(await client.walk(operation("helpdesk.listComments"), { ticket_id: id }, [100])).toEqual([reply, note]);
});
