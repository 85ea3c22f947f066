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
  client = createClient(service, providers.find(({ manifest }) => manifest.id === "intercom")!);
});
afterAll(() => service?.close());

const write = (name: string, pathParams: Record<string, string>, body: object) =>
  client.call(operation(`helpdesk.${name}`), pathParams, {}, {}, body);
const create = async () => {
  const body = {
    subject: "Größe falsch",
    description: "It says **too large**.\n\nSee [the *picture*](https://example.com/p)",
    requester: { email: "new@example.com", name: "Zoë" },
  };
  return (await write("createTicket", {}, body)).body.response.data;
};

test("a new ticket has the type for customers, and its description reads as plain text", async () => {
  const exchanges = await client.exchanges(create);
  expect(exchanges.at(-1)!.request.body.ticket_type_id).toBe("100");
  const created = await create();
  expect(created).toMatchObject({
    subject: "Größe falsch",
    description: "It says too large.\n\nSee the picture (https://example.com/p)",
    status: "Submitted",
    status_category: "open",
    requester: { name: null, email: null },
    assignee: null,
  });
  const { body } = await client.call(operation("helpdesk.getTicket"), { ticket_id: created.id });
  expect(body.response.data).toEqual(created);
  const all = await client.walk(operation("helpdesk.listTickets"), {}, [100]);
  expect(all.at(-1)).toEqual(created);
  const customers = await client.walk(operation("helpdesk.listCustomers"), {}, [100]);
  expect(customers.filter(({ id }) => id === created.requester.id)).toEqual([
    { id: created.requester.id, name: null, email: "new@example.com", custom: {} },
  ]);
});

test("the status is changed by its name in any case, together with the assignee", async () => {
  const { id } = await create();
  const change = { status: "waiting on CUSTOMER", assignee_id: "991267460" };
  const { data } = (await write("updateTicket", { ticket_id: id }, change)).body.response;
  expect(data).toMatchObject({
    id,
    status: "Waiting on customer",
    status_category: "pending",
    assignee: { id: "991267460", name: null },
  });
  const { body } = await client.call(operation("helpdesk.getTicket"), { ticket_id: id });
  expect(body.response.data).toEqual(data);
});

test("an unknown status lists the names of the ticket's type, and nothing is written", async () => {
  const { id } = await create();
  const exchanges = await client.exchanges(async () => {
    const { status, body } = await write("updateTicket", { ticket_id: id }, { status: "Intern" });
    expect([status, body.errors[0].path]).toEqual([400, ["body", "status"]]);
    expect(body.errors[0].detail).toContain(
      '"Submitted", "With Dev Team 🔧", "Waiting on customer", "Resolved", not "Intern"',
    );
  });
  expect(exchanges.map(({ request }) => request.method)).toEqual(["GET", "GET"]);
});

test.each([{ priority: "High" }, { tags: ["a"] }])("a change of %j is refused, and nothing is sent", async (change) => {
  const seen = await client.requests(async () => {
    const { status, body } = await write("updateTicket", { ticket_id: "215470000000123" }, change);
    expect([status, body.errors[0].path]).toEqual([400, ["body", Object.keys(change)[0]]]);
  });
  expect(seen).toEqual([]);
});

test("a note keeps its formatting and a public comment is plain text", async () => {
  const { id } = await create();
  const text = "We are *on it* 🔧 <b>\n\n1. See [here](https://example.com/p)";
  const note = (await write("createComment", { ticket_id: id }, { text, is_public: false })).body.response.data;
  expect(note).toMatchObject({
    text: "We are _on it_ 🔧 \\<b>\n\n1. See [here](https://example.com/p)",
    is_public: false,
    author: { id: "991267459", name: "Sandbox" },
  });
  const comment = (await write("createComment", { ticket_id: id }, { text })).body.response.data;
  expect(comment.is_public).toBe(true);
  expect(comment.text).toMatch(/^We are on it 🔧 \\<b>/);
  expect(await client.walk(operation("helpdesk.listComments"), { ticket_id: id }, [100])).toEqual([note, comment]);
});

test("an unknown assignee gets Intercom's own error", async () => {
  const { id } = await create();
  const { status, body } = await write("updateTicket", { ticket_id: id }, { assignee_id: "1" });
  expect([status, body.errors]).toEqual([404, [{ code: "assignee_not_found", message: "Assignee not found" }]]);
});
